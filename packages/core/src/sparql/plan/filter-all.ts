import type { Expression } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import { Apply } from '../exec/apply.ts';
import { ExistsFilter } from '../exec/exists-filter.ts';
import { Filter } from '../exec/filter.ts';
import type { Operator } from '../exec/operator.ts';
import type { RowTest } from '../exec/row-function.ts';
import { Rows } from '../exec/rows.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import { MAX_FILTERS, needsSolutionNumber } from './conditions.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import { constantResult } from './rules/constant-conditions.ts';
import { existsByKey } from './rules/exists-by-key.ts';
import type { Scope } from './scope.ts';
import { numbered, solutionSlot } from './solution-number.ts';
import { mentionsExists } from './variables.ts';
import { seededPattern, withoutExists } from './without-exists.ts';

/** Planning steps charged per condition. */
const CONDITION_STEPS = 8;

/**
 * Filters rows by all conditions. Many conditions are merged into one filter, because each filter
 * adds to the depth of the plan.
 */
export function* filterAll(
  planner: PatternPlanner,
  input: Operator,
  conditions: readonly Expression[],
  scope: Scope,
): Planning<Operator> {
  let parts = conditions;
  if (planner.optimize) {
    const open: Expression[] = [];
    let passes = true;
    for (const condition of conditions) {
      const constant = constantResult(planner, condition);
      if (constant === undefined) open.push(condition);
      else passes &&= constant;
      if (planner.isYieldDue) yield;
    }
    if (!passes) return new Rows(input.slots, []);
    parts = open;
  }
  let current = input;
  if (parts.length > MAX_FILTERS) {
    const tests: RowTest[] = [];
    const others: Expression[] = [];
    const exists: Expression[] = [];
    for (const condition of parts) {
      if (condition.type === 'exists') exists.push(condition);
      else if (mentionsExists(condition) || needsSolutionNumber(condition)) others.push(condition);
      else tests.push(planner.conditions.test(condition, scope, planner));
      planner.claimSteps(CONDITION_STEPS);
      if (planner.isYieldDue) yield;
    }
    if (tests.length > 0) current = new Filter(current, tests);
    parts = others.length > MAX_FILTERS ? [balanced('&&', others), ...exists] : [...others, ...exists];
  }
  if (parts.length > MAX_PLAN_DEPTH) throw tooDeep();
  let tests: RowTest[] = [];
  for (const condition of parts) {
    planner.claimSteps(CONDITION_STEPS);
    // Neighbours are one filter, which reads each variable once for all of them.
    if (!mentionsExists(condition) && !needsSolutionNumber(condition)) {
      tests.push(planner.conditions.test(condition, scope, planner));
      continue;
    }
    current = tests.length > 0 ? new Filter(current, tests) : current;
    tests = [];
    current = mentionsExists(condition)
      ? yield* filterByExists(planner, current, condition, scope)
      : filter(planner, current, condition, scope);
  }
  return tests.length > 0 ? new Filter(current, tests) : current;
}

function filter(planner: PatternPlanner, input: Operator, condition: Expression, scope: Scope): Operator {
  const counted = numbered(input, condition, scope);
  return new Filter(counted, [planner.conditions.test(condition, scope, planner, solutionSlot(counted))]);
}

function* filterByExists(
  planner: PatternPlanner,
  input: Operator,
  condition: Expression,
  scope: Scope,
): Planning<Operator> {
  if (condition.type === 'exists') {
    const { pattern, negated } = condition;
    const seeded = yield* seededPattern(planner, input, pattern, scope);
    if (seeded) {
      const byKey = yield* existsByKey(planner, input, condition, seeded.part, scope);
      return byKey ?? new Apply(input, seeded.seed, seeded.part, negated ? 'anti' : 'semi');
    }
    return new ExistsFilter(input, negated, planner.conditions.pattern(pattern, scope, planner), pattern);
  }
  const marked = yield* withoutExists(planner, numbered(input, condition, scope), condition, scope);
  const test = planner.conditions.test(marked.expression, scope, planner, solutionSlot(marked.input));
  return new Filter(marked.input, [test]);
}
