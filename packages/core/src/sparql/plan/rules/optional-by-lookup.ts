import type { Algebra } from '../../algebra/algebra.ts';
import { Apply, Seed } from '../../exec/apply.ts';
import type { Operator } from '../../exec/operator.ts';
import { needsSolutionNumber } from '../conditions.ts';
import { filterAll } from '../filter-all.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import { isSeedable } from '../seedable.ts';
import { conjuncts, mentionsExists, variablesOf } from '../variables.ts';
import { seededNames } from '../without-exists.ts';

/**
 * Evaluates OPTIONAL by index lookups for the rows of the left side, if that is equivalent to
 * evaluating its pattern on its own.
 */
export function* optionalByLookup(
  planner: PatternPlanner,
  { right, condition }: Algebra & { type: 'leftJoin' },
  left: Operator,
  scope: Scope,
): Planning<Operator | undefined> {
  const seeded = seededNames(left, scope);
  // Checked first: it rejects a nested OPTIONAL before all inner variables are collected.
  if (!isSeedable(right, seeded, false) || (condition && needsSolutionNumber(condition))) return undefined;
  const shares = [...variablesOf(right)].some((name) => seeded.all.has(name));
  if (!shares) return undefined;
  const seed = new Seed(left, scope.counter.take());
  const part = yield* planner.planSeeded(right, seed, scope);
  // A condition with EXISTS becomes a filter operator inside the subplan, because an operator can
  // pause.
  if (condition && mentionsExists(condition)) {
    return new Apply(left, seed, yield* filterAll(planner, part, conjuncts(condition), scope), 'left');
  }
  return new Apply(left, seed, part, 'left', {
    condition: condition && planner.conditions.test(condition, scope, planner),
  });
}
