import { estimatedRows, type Operator } from '../../exec/operator.ts';
import { CONSTANT } from '../../exec/quad-pattern.ts';
import { SlotSet } from '../../exec/slot-set.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Planning } from '../planning.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';
import { joinApart, MAX_SHARE, MAX_UNITS } from './join-apart.ts';
import type { GroupParts } from './join-equal-values.ts';
import type { PatternUnit } from './join-stars.ts';

/** A chain with two ends that save anything has at least this many patterns. */
const MIN_PATTERNS = 4;
/** Plans of fewer estimated rows are not worth another plan. */
const MIN_ROWS = 500;
/** A pattern drops rows if it keeps at most this share of them, by its estimate. */
const MAX_KEPT = 0.9;

/** Patterns that begin at one end of a chain. */
interface Side {
  readonly units: PatternUnit[];
  slots: SlotSet;
  /** Estimated solutions of the patterns. */
  rows: number;
}

/**
 * Plans a group that leads from one constant to another, as in `:ann :knows/:knows/:knows :bob`.
 * From one end alone, the rows multiply with every step, and the last step drops nearly all of
 * them. So the group is followed from both ends until they meet, where both sides are joined.
 * Returns undefined if there are no such ends, or if that would not save enough.
 *
 * @param whole the plan without this rule
 */
export function* joinEnds(
  planner: PatternPlanner,
  group: GroupParts,
  whole: Operator,
  scope: Scope,
  planPart: (part: GroupParts) => Planning<Operator>,
): Planning<Operator | undefined> {
  const { units, start } = group;
  if (start || units.length < MIN_PATTERNS || units.length > MAX_UNITS) return undefined;
  const rows = estimatedRows(whole);
  if (rows < MIN_ROWS) return undefined;
  planner.claimSteps(units.length ** 2);
  const sides = meeting(planner, units.filter(isPattern), rows * MAX_SHARE);
  return sides && (yield* joinApart(group, sides, whole, scope, planPart));
}

/**
 * Follows the patterns from two ends until they share a variable. Returns undefined if they do not
 * meet within `most` rows.
 */
function meeting(planner: PatternPlanner, patterns: readonly PatternUnit[], most: number): Side[] | undefined {
  const sides = patterns.length < MIN_PATTERNS ? undefined : endsOf(planner, patterns);
  if (!sides) return undefined;
  const left = new Set(patterns);
  for (const { units } of sides) left.delete(units[0]);
  let total = sides[0].rows + sides[1].rows;
  for (;;) {
    const next = nextStep(planner, sides, left);
    total += next?.rows ?? 0;
    if (!next || total > most) return undefined;
    const { side, unit, rows } = next;
    const other = side === sides[0] ? sides[1] : sides[0];
    left.delete(unit);
    side.units.push(unit);
    side.slots = side.slots.with(unit.slots);
    side.rows = rows;
    if (other.slots.hasAny(unit.slots)) return sides;
  }
}

/**
 * Returns the two patterns with a constant that have the fewest matches, without a shared variable.
 */
function endsOf(planner: PatternPlanner, patterns: readonly PatternUnit[]): Side[] | undefined {
  const ends = patterns
    .filter(
      ({ pattern, slots }) => slots.length > 0 && (pattern.slots[0] === CONSTANT || pattern.slots[2] === CONSTANT),
    )
    .map(
      (unit): Side => ({ units: [unit], slots: SlotSet.of(unit.slots), rows: planner.statistics.count(unit.pattern) }),
    )
    .sort((one, other) => one.rows - other.rows);
  const [first] = ends;
  const second = ends.find(({ units }) => !first.slots.hasAny(units[0].slots));
  return second && [first, second];
}

/** Returns the pattern with which a side continues at the fewest rows. */
function nextStep(planner: PatternPlanner, sides: readonly Side[], left: ReadonlySet<PatternUnit>) {
  let next: { readonly side: Side; readonly unit: PatternUnit; readonly rows: number } | undefined;
  for (const side of sides) {
    for (const unit of left) {
      if (!side.slots.hasAny(unit.slots)) continue;
      const fanOut = planner.statistics.fanOut(unit.pattern, side.slots);
      // What neither leads on nor drops rows is joined later, where there are fewer.
      const isStep = sides.some((other) => other !== side && other.slots.hasAny(unit.slots));
      if (fanOut > MAX_KEPT && !isStep && !leadsOn(unit, side.slots, left)) continue;
      const rows = side.rows * fanOut;
      if (!next || rows < next.rows) next = { side, unit, rows };
    }
  }
  return next;
}

/** Whether a pattern has a new variable that another pattern has, too. */
function leadsOn(unit: PatternUnit, bound: SlotSet, patterns: ReadonlySet<PatternUnit>): boolean {
  const added = SlotSet.of(bound.outside(unit.slots));
  for (const other of patterns) if (other !== unit && added.hasAny(other.slots)) return true;
  return false;
}

function isPattern(unit: Unit): unit is PatternUnit {
  return unit.kind === 'pattern';
}
