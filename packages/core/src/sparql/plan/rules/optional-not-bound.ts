import type { Algebra, Expression } from '../../algebra/algebra.ts';
import type { Operator } from '../../exec/operator.ts';
import { SlotSet } from '../../exec/slot-set.ts';
import { needsSolutionNumber } from '../conditions.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import { isIndependent, isSeedable } from '../seedable.ts';
import { certainVariablesOf, mentionsExists } from '../variables.ts';
import { seededNames } from '../without-exists.ts';

/**
 * Negation as it was written before NOT EXISTS: `OPTIONAL { ?b :replaces ?a } FILTER(!BOUND(?b))`.
 * Returns the conditions on an OPTIONAL with such a one as NOT EXISTS, which stands for the
 * OPTIONAL too, since the rows that pass have none of its variables. Returns undefined if there is
 * none.
 */
export function optionalNotBound(
  planner: PatternPlanner,
  { right, condition }: Algebra & { type: 'leftJoin' },
  left: Operator,
  conditions: readonly Expression[],
  scope: Scope,
): readonly Expression[] | undefined {
  if (!planner.optimize || planner.substituted !== SlotSet.EMPTY) return undefined;
  const names = conditions.map(notBound);
  if (names.every((name) => name === undefined) || !isIndependent(right)) return undefined;
  if (condition && (mentionsExists(condition) || needsSolutionNumber(condition))) return undefined;
  const known = seededNames(left, scope);
  const certain = certainVariablesOf(right);
  const at = names.findIndex((name) => name !== undefined && certain.has(name) && !known.all.has(name));
  const pattern: Algebra = condition ? { type: 'filter', input: right, condition } : right;
  if (at < 0 || !isSeedable(pattern, known, true)) return undefined;
  return conditions.with(at, { type: 'exists', negated: true, pattern });
}

/** Returns the variable of `!BOUND(?variable)`. */
function notBound(condition: Expression): string | undefined {
  if (condition.type !== 'call' || condition.function !== '!') return undefined;
  const [bound] = condition.arguments;
  if (bound.type !== 'call' || bound.function !== 'BOUND') return undefined;
  const [variable] = bound.arguments;
  return variable.type === 'variable' ? variable.name : undefined;
}
