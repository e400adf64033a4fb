import type { Algebra, Expression } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import { Apply } from '../exec/apply.ts';
import { ExistsFilter } from '../exec/exists-filter.ts';
import { Filter } from '../exec/filter.ts';
import type { Operator } from '../exec/operator.ts';
import { Rows } from '../exec/rows.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import type { ActiveGraph } from './active-graph.ts';
import { planGroup } from './plan-group.ts';
import type { Planner } from './planner.ts';
import { withoutConstants } from './rules/constant-conditions.ts';
import { FILTER_RULES } from './rules/filter-rule.ts';
import type { Scope } from './scope.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { conjuncts } from './variables.ts';
import { seededPattern, withoutExists } from './without-exists.ts';

/** Conditions of one place that are filters of their own; more are one. */
export const MAX_FILTERS = 16;

/**
 * A filter, with those around it that stand in `outer`: their conditions are asked as early as their variables are there.
 *
 * @param start rows that the pattern is to be run for
 */
export function planFilter(
  planner: Planner,
  algebra: Algebra & { type: 'filter' },
  outer: readonly Expression[],
  scope: Scope,
  graph: ActiveGraph,
  start?: Operator,
): Operator {
  const conditions = [...outer, ...conjuncts(algebra.condition)];
  const { input } = algebra;
  if (input.type === 'filter') return planFilter(planner, input, conditions, scope, graph, start);
  if (start || input.type === 'bgp' || input.type === 'join' || input.type === 'path' || input.type === 'graph') {
    return planGroup(planner, input, conditions, scope, graph, start);
  }
  if (planner.optimize) {
    for (const rule of FILTER_RULES) {
      const operator = rule.plan(planner, input, conditions, scope, graph);
      if (operator) return operator;
    }
  }
  return filterAll(planner, planner.plan(input, scope, graph), conditions, scope, graph);
}

/** Filters rows by all conditions. Many become one, since each filter is an operator upon the one before. */
export function filterAll(
  planner: Planner,
  input: Operator,
  conditions: readonly Expression[],
  scope: Scope,
  graph: ActiveGraph,
): Operator {
  let parts = conditions;
  const plain = conditions.filter((condition) => condition.type !== 'exists');
  if (plain.length > MAX_FILTERS) {
    parts = [balanced('&&', plain), ...conditions.filter((condition) => condition.type === 'exists')];
  }
  if (planner.optimize) {
    const open = withoutConstants(planner, parts);
    if (!open) return new Rows(input.slots, []);
    parts = open;
  }
  if (parts.length > MAX_PLAN_DEPTH) throw tooDeep();
  return parts.reduce((operator, condition) => filter(planner, operator, condition, scope, graph), input);
}

function filter(planner: Planner, input: Operator, condition: Expression, scope: Scope, graph: ActiveGraph): Operator {
  if (condition.type === 'exists') {
    const { pattern, negated } = condition;
    const seeded = seededPattern(planner, input, pattern, scope, graph);
    if (seeded) return new Apply(input, seeded.seed, seeded.part, negated ? 'anti' : 'semi');
    return new ExistsFilter(input, negated, planner.conditions.pattern(pattern, scope, graph, planner), pattern);
  }
  const marked = withoutExists(planner, numbered(input, condition, scope), condition, scope, graph);
  const test = planner.conditions.test(marked.expression, scope, graph, planner, solutionSlot(marked.input));
  return new Filter(marked.input, test);
}
