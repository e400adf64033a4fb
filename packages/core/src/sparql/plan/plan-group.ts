import type { Algebra, Expression } from '../algebra/algebra.ts';
import type { Operator } from '../exec/operator.ts';
import { distinctSlots, SlotSet } from '../exec/slot-set.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import { addPatterns, addUnits } from './add-units.ts';
import { filterAll } from './filter-all.ts';
import { JoinOrder } from './join-order.ts';
import { joinRows, joinUnit } from './join-unit.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import { beginning, MAX_FIRST_ROWS } from './rules/first-rows.ts';
import { joinEqualTerms } from './rules/join-equal-terms.ts';
import type { Scope } from './scope.ts';
import { selectivities } from './selectivity.ts';
import { firstRunnable, isRunnable, UNIT, type Unit } from './unit.ts';
import { WaitingConditions } from './waiting-conditions.ts';

const NO_SLOTS: readonly number[] = [];
const NO_CONDITIONS: readonly Expression[] = [];
/** Creating sets of up to this many slots takes negligible time. */
const FEW_SLOTS = 1000;

export function* planGroup(
  planner: PatternPlanner,
  algebra: Algebra,
  conditions: readonly Expression[],
  scope: Scope,
  start?: Operator,
  keep = Number.POSITIVE_INFINITY,
): Planning<Operator> {
  const units: Unit[] = [];
  if (algebra.type === 'bgp') addPatterns(planner, algebra, scope, units);
  else yield* addUnits(planner, algebra, scope, units);
  const others = planner.optimize ? joinEqualTerms(algebra, conditions, scope, units) : conditions;
  // Each unit adds an operator to the depth of the plan.
  if (units.length > MAX_PLAN_DEPTH) throw tooDeep();
  const order = planner.optimize && units.length > 1 ? joinOrder(planner, units, others, scope) : undefined;
  let current = start;
  let added = start?.slots ?? NO_SLOTS;
  let bound = SlotSet.of(added);
  const waiting = new WaitingConditions(others, scope, units);
  if (planner.optimize && current) {
    const ready = waiting.ready(current);
    if (ready.length > 0) current = yield* filterAll(planner, current, ready, scope);
  }
  while (units.length > 0) {
    planner.claimSteps(units.length);
    let next = order?.take(current, bound, added) ?? firstRunnable(units, current, bound);
    if (order && !current && keep <= MAX_FIRST_ROWS) next = order.instead(next, beginning(planner, next, units));
    units.splice(units.indexOf(next), 1);
    current = next.kind === 'search' ? yield* next.plan(current ?? UNIT) : joinUnit(planner, current, next, bound);
    // The slot sets of an operator are as long as the highest slot, no matter which part of the
    // query allocated it.
    const elsewhere = Math.max(0, scope.counter.names.length - FEW_SLOTS) >> 2;
    planner.claimSteps(current.slots.length + elsewhere);
    added = distinctSlots(bound.outside(next.slots));
    bound = bound.with(added);
    const ready = planner.optimize ? waiting.readyAfter(next, current) : NO_CONDITIONS;
    if (ready.length > 0) current = yield* filterAll(planner, current, ready, scope);
    if (planner.isYieldDue) yield;
  }
  current ??= UNIT;
  const rest = waiting.rest();
  return rest.length > 0 ? yield* filterAll(planner, current, rest, scope) : current;
}

function joinOrder(
  planner: PatternPlanner,
  units: readonly Unit[],
  conditions: readonly Expression[],
  scope: Scope,
): JoinOrder<Unit> {
  if (conditions.length === 0)
    return new JoinOrder(units, (unit, rows, bound) => joinRows(planner, unit, rows, bound), isRunnable);
  planner.claimSteps(units.length);
  const shares = selectivities(units, conditions, scope);
  const rowsOf = (unit: Unit, rows: Operator | undefined, bound: SlotSet) => {
    const { perRow, fixed } = joinRows(planner, unit, rows, bound);
    // All rows are read, and those that pass are joined.
    const cost = (1 + (shares.get(unit) ?? 1)) / 2;
    return { perRow: perRow * cost, fixed: fixed * cost };
  };
  return new JoinOrder(units, rowsOf, isRunnable);
}
