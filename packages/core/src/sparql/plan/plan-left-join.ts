import type { Algebra } from '../algebra/algebra.ts';
import { HashJoin } from '../exec/hash-join.ts';
import type { Operator } from '../exec/operator.ts';
import type { ActiveGraph } from './active-graph.ts';
import type { Planner } from './planner.ts';
import { optionalByLookup } from './rules/optional-by-lookup.ts';
import type { Scope } from './scope.ts';

/** OPTIONAL: every row of the left side, with each match of the right side or, without one, alone (SPARQL 1.1 section 18.5). */
export function planLeftJoin(
  planner: Planner,
  algebra: Algebra & { type: 'leftJoin' },
  left: Operator,
  scope: Scope,
  graph: ActiveGraph,
): Operator {
  planner.claimSteps(left.slots.length);
  const lookup = planner.optimize ? optionalByLookup(planner, algebra, left, scope, graph) : undefined;
  if (lookup) return lookup;
  const { right, condition } = algebra;
  const other = planner.plan(right, scope, graph);
  const estimate = Math.max(left.estimate, other.estimate);
  return new HashJoin(
    left,
    other,
    'left',
    estimate,
    condition && planner.conditions.test(condition, scope, graph, planner),
  );
}
