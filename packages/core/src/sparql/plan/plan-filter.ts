import type { Algebra, Expression } from '../algebra/algebra.ts';
import type { Operator } from '../exec/operator.ts';
import { filterAll } from './filter-all.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import { planGroup } from './plan-group.ts';
import type { Planning } from './planning.ts';
import { FILTER_RULES } from './rules/filter-rule.ts';
import { foldConstants } from './rules/fold-constants.ts';
import type { Scope } from './scope.ts';
import { conjuncts } from './variables.ts';

/**
 * Plans a filter together with the enclosing conditions in `outer`. Each condition is evaluated as
 * soon as its variables are bound.
 *
 * @param start rows for which the pattern runs
 */
export function* planFilter(
  planner: PatternPlanner,
  algebra: Algebra & { type: 'filter' },
  outer: readonly Expression[],
  scope: Scope,
  start?: Operator,
): Planning<Operator> {
  const conditions = [...outer];
  for (const condition of conjuncts(algebra.condition)) {
    conditions.push(foldConstants(planner, condition));
    if (planner.isYieldDue) yield;
  }
  planner.claimSteps(conditions.length);
  const { input } = algebra;
  if (input.type === 'filter') return yield* planFilter(planner, input, conditions, scope, start);
  if (start || input.type === 'bgp' || input.type === 'join' || input.type === 'path' || input.type === 'graph') {
    return yield* planGroup(planner, input, conditions, scope, start);
  }
  return yield* planByRules(planner, input, conditions, scope);
}

function* planByRules(
  planner: PatternPlanner,
  input: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
): Planning<Operator> {
  if (planner.optimize) {
    for (const rule of FILTER_RULES) {
      if (rule.over !== input.type) continue;
      const operator = yield* rule.plan(planner, input, conditions, scope);
      if (operator) return operator;
    }
  }
  return yield* filterAll(planner, yield* planner.plan(input, scope), conditions, scope);
}
