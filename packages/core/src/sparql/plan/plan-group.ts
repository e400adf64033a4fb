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
import { isFact } from './rules/fact-first.ts';
import { beginning, MAX_FIRST_ROWS } from './rules/first-rows.ts';
import { joinEnds } from './rules/join-ends.ts';
import { joinEqualTerms } from './rules/join-equal-terms.ts';
import { type GroupParts, joinEqualValues } from './rules/join-equal-values.ts';
import { joinRanges } from './rules/join-ranges.ts';
import { joinStars } from './rules/join-stars.ts';
import type { Scope } from './scope.ts';
import { selectivities } from './selectivity.ts';
import { firstRunnable, isRunnable, UNIT, type Unit } from './unit.ts';
import { WaitingConditions } from './waiting-conditions.ts';

const NO_SLOTS: readonly number[] = [];
const NO_CONDITIONS: readonly Expression[] = [];
/**
 * A part is looked up row by row if evaluating it as a whole gives at least this many times as many
 * rows.
 */
const ROWS_A_LOOKUP = 4;
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
  // Each unit adds an operator to the depth of the plan.
  if (units.length > MAX_PLAN_DEPTH) throw tooDeep();
  if (!planner.optimize) return yield* planUnits(planner, { units, conditions, start }, scope, keep);
  for (const unit of units) if (unit.kind === 'triple' && unit.index) yield* unit.index.catchUp();
  // The rules below join several units, or use conditions.
  if (units.length === 1 && conditions.length === 0 && !start)
    return yield* planUnits(planner, { units, conditions, start }, scope, keep);
  const others = joinEqualTerms(algebra, conditions, scope, units);
  const parts = yield* joinEqualValues(planner, { units, conditions: others, start }, scope, (own, tests) =>
    planUnits(planner, { units: own, conditions: tests, start: undefined }, scope),
  );
  const whole = yield* planUnits(planner, parts, scope, keep);
  if (keep <= MAX_FIRST_ROWS) return whole;
  const planPart = (part: GroupParts) => planUnits(planner, part, scope);
  for (const rule of [joinRanges, joinStars, joinEnds]) {
    const plan = yield* rule(planner, parts, whole, scope, planPart);
    if (plan) return plan;
  }
  return whole;
}

/**
 * Joins the units of a group, and tests each condition as soon as its variables are bound.
 *
 * @param first the unit to begin with, if that is decided
 */
function* planUnits(
  planner: PatternPlanner,
  group: GroupParts,
  scope: Scope,
  keep = Number.POSITIVE_INFINITY,
  first?: Unit,
): Planning<Operator> {
  const { conditions, start } = group;
  const units = [...group.units];
  let mayHaveFact = !first && !start && keep > MAX_FIRST_ROWS && units.every(isTable);
  const order = planner.optimize && units.length > 1 ? joinOrder(planner, units, conditions, scope) : undefined;
  let current = start;
  let added = start?.slots ?? NO_SLOTS;
  let bound = SlotSet.of(added);
  const waiting = conditions.length > 0 ? new WaitingConditions(conditions, scope, units) : undefined;
  if (planner.optimize && current && waiting) {
    const ready = waiting.ready(current);
    if (ready.length > 0) current = yield* filterAll(planner, current, ready, scope);
  }
  const before: Unit[] = [];
  while (units.length > 0) {
    planner.claimSteps(units.length);
    let next = order?.take(current, bound, added) ?? firstRunnable(units, current, bound);
    if (order && !current && keep <= MAX_FIRST_ROWS) next = order.instead(next, beginning(planner, next, units));
    if (order && !current && first) next = order.instead(next, first);
    if (order && current) next = order.instead(next, connectedByTriple(next, units, bound));
    units.splice(units.indexOf(next), 1);
    if (order && current) {
      const [apart, parts] = withTripleTerms(planner, next, units, bound);
      next = apart;
      for (const part of parts) {
        units.splice(units.indexOf(part), 1);
        order.drop(part);
      }
    }
    if (order && current && mayHaveFact && isFact(planner, next, before, current.estimate, units))
      return yield* planUnits(planner, group, scope, keep, next);
    before.push(next);
    current =
      next.kind === 'search'
        ? yield* next.plan(current ?? UNIT)
        : ((yield* seededUnit(planner, current, next, bound)) ?? joinUnit(planner, current, next, bound));
    // The slot sets of an operator are as long as the highest slot, no matter which part of the
    // query allocated it.
    const elsewhere = Math.max(0, scope.counter.names.length - FEW_SLOTS) >> 2;
    planner.claimSteps(current.slots.length + elsewhere);
    added = distinctSlots(bound.outside(next.slots));
    bound = bound.with(added);
    const ready = planner.optimize && waiting ? waiting.readyAfter(next, current) : NO_CONDITIONS;
    if (ready.length > 0) {
      current = yield* filterAll(planner, current, ready, scope);
      mayHaveFact = false;
    }
    if (planner.isYieldDue) yield;
  }
  current ??= UNIT;
  const rest = waiting?.rest() ?? NO_CONDITIONS;
  return rest.length > 0 ? yield* filterAll(planner, current, rest, scope) : current;
}

/**
 * Returns the pattern of a triple term of which a part is bound, instead of one that shares no
 * variable with the rows so far.
 */
function connectedByTriple(next: Unit, units: readonly Unit[], bound: SlotSet): Unit {
  if (next.kind !== 'pattern' || isConnected(next, bound)) return next;
  for (const unit of units) {
    if (unit.kind !== 'triple' || bound.has(unit.slot) || !isConnected(unit, bound)) continue;
    // A triple term may be part of others.
    let holder: Unit | undefined = unit;
    while (holder?.kind === 'triple') {
      const { slot }: { readonly slot: number } = holder;
      holder = units.find((other) => other !== holder && other.slots.includes(slot));
    }
    if (holder?.kind === 'pattern' && !isConnected(holder, bound)) return holder;
  }
  return next;
}

function isConnected({ slots }: Unit, bound: SlotSet): boolean {
  return slots.some((slot) => bound.has(slot));
}

/**
 * A pattern may share variables with the rows so far only through the parts of a triple term.
 * Joined alone, it would be a cross product; so it is joined together with its triple terms.
 * Returns the unit to join, and the triple terms that became part of it.
 */
function withTripleTerms(
  planner: PatternPlanner,
  next: Unit,
  units: readonly Unit[],
  bound: SlotSet,
): readonly [Unit, readonly Unit[]] {
  if (next.kind !== 'pattern' || isConnected(next, bound)) return [next, []];
  const taken: Unit[] = [];
  let operator: Operator | undefined;
  let slots = SlotSet.of(next.slots);
  for (let more = true; more; ) {
    more = false;
    for (const unit of units) {
      if (unit.kind !== 'triple' || taken.includes(unit) || !slots.has(unit.slot)) continue;
      operator = joinUnit(planner, operator ?? joinUnit(planner, undefined, next, SlotSet.EMPTY), unit, slots);
      slots = slots.with(unit.slots);
      taken.push(unit);
      more = true;
    }
  }
  const isJoined = taken.some((unit) => isConnected(unit, bound));
  return operator && isJoined ? [{ kind: 'operator', operator, slots: operator.slots }, taken] : [next, []];
}

/** Whether a unit is a pattern, or has rows that do not depend on the other units. */
function isTable(unit: Unit): boolean {
  return unit.kind === 'pattern' || (unit.kind === 'operator' && !unit.part);
}

/**
 * Plans a part of the group to run for the rows so far, by lookups, where that reads less than
 * evaluating it as a whole and is equivalent. Returns undefined otherwise.
 */
function* seededUnit(
  planner: PatternPlanner,
  current: Operator | undefined,
  unit: Unit,
  bound: SlotSet,
): Planning<Operator | undefined> {
  if (!planner.optimize || unit.kind !== 'operator' || !unit.part || !current) return undefined;
  if (current.estimate * ROWS_A_LOOKUP > unit.operator.estimate) return undefined;
  if (!unit.slots.some((slot) => bound.has(slot))) return undefined;
  return yield* planner.planLookups(unit.part.algebra, current, unit.part.scope);
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
