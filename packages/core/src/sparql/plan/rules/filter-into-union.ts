import type { Algebra, Expression } from '../../algebra/algebra.ts';
import { balanced } from '../../algebra/balanced.ts';
import type { Operator } from '../../exec/operator.ts';
import { Union } from '../../exec/union.ts';
import { needsSolutionNumber } from '../conditions.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import { type Planning, planAll } from '../planning.ts';
import type { Scope } from '../scope.ts';

/** Maximum number of UNION branches into which conditions are copied. */
const MAX_PARTS = 16;

/**
 * Filter pushdown into the branches of a UNION, where a condition may narrow the branch's index
 * lookups.
 */
export function* filterIntoUnion(
  planner: PatternPlanner,
  input: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
): Planning<Operator | undefined> {
  if (input.type !== 'union' || input.operands.length > MAX_PARTS || conditions.some(needsSolutionNumber)) {
    return undefined;
  }
  planner.claimSteps(conditions.length * input.operands.length);
  const condition = balanced('&&', conditions);
  return new Union(
    yield* planAll(input.operands, (operand) => planner.plan({ type: 'filter', input: operand, condition }, scope)),
  );
}
