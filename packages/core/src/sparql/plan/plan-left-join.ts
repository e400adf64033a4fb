import type { Algebra, Expression } from '../algebra/algebra.ts';
import { HashJoin, type PairMark } from '../exec/hash-join.ts';
import type { Operator } from '../exec/operator.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import { foldConstants } from './rules/fold-constants.ts';
import { withEqualityKeys } from './rules/join-equal-values.ts';
import { optionalByLookup } from './rules/optional-by-lookup.ts';
import type { Scope } from './scope.ts';
import { conjuncts, decidedWithoutExists, replaceExists } from './variables.ts';

/**
 * Plans OPTIONAL: each left row joined with each match of the right side, or alone if there is no
 * match (SPARQL 1.1 section 18.5).
 */
export function* planLeftJoin(
  planner: PatternPlanner,
  given: Algebra & { type: 'leftJoin' },
  left: Operator,
  scope: Scope,
): Planning<Operator> {
  planner.claimSteps(left.slots.length);
  const algebra = given.condition ? { ...given, condition: foldConstants(planner, given.condition) } : given;
  const lookup = planner.optimize ? yield* optionalByLookup(planner, algebra, left, scope) : undefined;
  if (lookup) return lookup;
  const { right, condition } = algebra;
  const other = yield* planner.plan(right, scope);
  const estimate = Math.max(left.estimate, other.estimate);
  if (!condition) return new HashJoin(left, other, 'left', estimate);
  const inputs: readonly [Operator, Operator] = [left, other];
  const [one, two] = planner.optimize ? withEqualityKeys(planner, inputs, conjuncts(condition), scope) : inputs;
  const { marks, rest } = markedCondition(planner, condition, scope);
  return new HashJoin(one, two, 'left', estimate, planner.conditions.test(rest, scope, planner), marks);
}

/**
 * Replaces each EXISTS of a condition with a variable that the join sets for each pair of rows.
 * Unlike an expression, the join can pause meanwhile.
 */
function markedCondition(
  planner: PatternPlanner,
  condition: Expression,
  scope: Scope,
): { readonly marks: readonly PairMark[]; readonly rest: Expression } {
  const decided = decidedWithoutExists(condition);
  const unless = decided && planner.conditions.test(decided, scope, planner);
  const marks: PairMark[] = [];
  const rest = replaceExists(condition, ({ pattern, negated }) => {
    const name = scope.newVariable('exists');
    marks.push({
      slot: scope.slot(name),
      makePattern: planner.conditions.pattern(pattern, scope, planner),
      unless,
    });
    const mark: Expression = { type: 'variable', name };
    return negated ? { type: 'call', function: '!', arguments: [mark] } : mark;
  });
  return { marks, rest };
}
