import { estimatedRows, type Operator } from '../../exec/operator.ts';
import { RangeJoin } from '../../exec/range-join.ts';
import { SlotSet } from '../../exec/slot-set.ts';
import { MAX_FILTERS } from '../conditions.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { mentionedSlots } from '../variables.ts';
import { boundsOf, type Inequality, inequalitiesOf } from './inequalities.ts';
import { MAX_UNITS, partOf, withoutPart } from './join-apart.ts';
import { type GroupParts, Parts } from './join-equal-values.ts';
import { starsOf } from './join-stars.ts';

/** There must be this many times as many pairs as rows, or the pairs are tested one by one. */
const MIN_PAIRS = 4;
/** Estimated share of the pairs that are within a bound. */
const SELECTIVITY = 0.3;

/** Two parts of a group that inequalities compare. */
interface Sides {
  readonly units: readonly [readonly Unit[], readonly Unit[]];
  readonly slots: readonly [SlotSet, SlotSet];
}

/**
 * Plans a group in which two parts are compared by conditions on their numbers or times, as in
 * `?message :at ?t . ?fact :from ?s ; :to ?e FILTER(?s <= ?t && ?t < ?e)`: the parts share no
 * variable, or they are stars with one in common. Each is planned on its own, and they are joined
 * without the pairs that are out of range. The conditions remain, since values that are not numbers
 * need them. Returns undefined if there are no such parts, or if that would not save enough.
 *
 * @param whole the plan without this rule
 */
export function* joinRanges(
  planner: PatternPlanner,
  group: GroupParts,
  whole: Operator,
  scope: Scope,
  planPart: (part: GroupParts) => Planning<Operator>,
): Planning<Operator | undefined> {
  const { units, conditions, start } = group;
  if (start || conditions.length === 0 || conditions.length > MAX_FILTERS) return undefined;
  if (units.length < 2 || units.length > MAX_UNITS || planner.substituted !== SlotSet.EMPTY) return undefined;
  const inequalities = conditions.flatMap((condition) => inequalitiesOf(condition, scope));
  if (inequalities.length === 0) return undefined;
  planner.claimSteps(units.length * inequalities.length);
  const sides = sidesOf(units, inequalities, scope);
  if (!sides) return undefined;

  let rest = group;
  const inputs: Operator[] = [];
  for (const [at, own] of sides.units.entries()) {
    const part = partOf(rest, own, sides.slots[at], scope);
    inputs.push(yield* planPart(part));
    rest = withoutPart(rest, part);
  }
  // The table is made of the smaller input.
  const isSwapped = inputs[1].estimate > inputs[0].estimate;
  const [left, right] = isSwapped ? [inputs[1], inputs[0]] : inputs;
  const [leftSlots, rightSlots] = isSwapped ? [sides.slots[1], sides.slots[0]] : sides.slots;
  const pairs = pairsOf(planner, left, right, sides);
  if (!(pairs > MIN_PAIRS * (left.estimate + right.estimate))) return undefined;

  const bounds = boundsOf(planner, inequalities, [leftSlots, rightSlots], scope);
  const shared = SlotSet.of(right.slots).among(left.slots);
  if (bounds.length === 0 || !shared.every((slot) => left.certain.has(slot) && right.certain.has(slot)))
    return undefined;
  const operator = new RangeJoin(left, right, bounds, Math.max(1, pairs * SELECTIVITY ** bounds.length));
  const joined: Unit = { kind: 'operator', operator, slots: operator.slots };
  const plan = yield* planPart({ ...rest, units: [joined, ...rest.units] });
  return estimatedRows(plan) < estimatedRows(whole) ? plan : undefined;
}

/** Returns the parts that the first inequality compares that is between two. */
function sidesOf(units: readonly Unit[], inequalities: readonly Inequality[], scope: Scope): Sides | undefined {
  const parts = new Parts(units, undefined);
  const stars = starsOf(units);
  for (const { lesser, greater } of inequalities) {
    const slots = [mentionedSlots(lesser, scope), mentionedSlots(greater, scope)] as const;
    const [one, other] = slots.map((own) => parts.containing(own));
    if (one !== undefined && other !== undefined && one !== other) {
      return sides(
        units.filter((unit) => parts.has(one, unit)),
        units.filter((unit) => parts.has(other, unit)),
      );
    }
    const [first, second] = slots.map((own) => stars.find((star) => own.every((slot) => star.slots.has(slot))));
    if (!first || !second || first === second) continue;
    const isChain = first.slots.has(second.subject) || second.slots.has(first.subject);
    if (!isChain && second.units.some((unit) => unit.slots.some((slot) => first.slots.has(slot))))
      return sides(first.units, second.units);
  }
  return undefined;
}

function sides(one: readonly Unit[], other: readonly Unit[]): Sides {
  const slotsOf = (units: readonly Unit[]) => SlotSet.of(units.flatMap(({ slots }) => slots));
  return { units: [one, other], slots: [slotsOf(one), slotsOf(other)] };
}

/** Estimates the pairs with the same terms in the shared slots. */
function pairsOf(planner: PatternPlanner, left: Operator, right: Operator, { units }: Sides): number {
  let pairs = left.estimate * right.estimate;
  for (const slot of SlotSet.of(right.slots).among(left.slots)) {
    const terms = units.map((own) => Math.min(...own.map((unit) => termsOf(planner, unit, slot))));
    pairs /= Math.max(1, ...terms.filter(Number.isFinite));
  }
  return pairs;
}

/** Estimates the distinct terms of a slot in a unit; infinity if the unit does not tell. */
function termsOf(planner: PatternPlanner, unit: Unit, slot: number): number {
  const position = unit.kind === 'pattern' ? unit.pattern.slots.indexOf(slot) : -1;
  if (unit.kind !== 'pattern' || position < 0) return Number.POSITIVE_INFINITY;
  return planner.statistics.distinctTerms(unit.pattern, position);
}
