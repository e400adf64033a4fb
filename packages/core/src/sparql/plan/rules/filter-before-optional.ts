import type { Algebra, Expression } from '../../algebra/algebra.ts';
import { balanced } from '../../algebra/balanced.ts';
import type { Operator } from '../../exec/operator.ts';
import type { ActiveGraph } from '../active-graph.ts';
import { filterAll } from '../filter-all.ts';
import { planLeftJoin } from '../plan-left-join.ts';
import type { Planner } from '../planner.ts';
import type { Scope } from '../scope.ts';
import { expressionVariables, mentionsExists, variablesOf } from '../variables.ts';

/** What the right side of an OPTIONAL cannot change is asked before it is joined. */
export function filterBeforeOptional(
  planner: Planner,
  input: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
  graph: ActiveGraph,
): Operator | undefined {
  if (input.type !== 'leftJoin') return undefined;
  const right = variablesOf(input.right);
  const early = conditions.filter(
    (one) => !mentionsExists(one) && [...expressionVariables(one)].every((name) => !right.has(name)),
  );
  const late = conditions.filter((one) => !early.includes(one));
  const left: Algebra =
    early.length > 0 ? { type: 'filter', input: input.left, condition: balanced('&&', early) } : input.left;
  const joined = planLeftJoin(planner, input, planner.plan(left, scope, graph), scope, graph);
  return filterAll(planner, joined, late, scope, graph);
}
