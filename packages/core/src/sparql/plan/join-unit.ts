import { HashJoin } from '../exec/hash-join.ts';
import type { Operator } from '../exec/operator.ts';
import { type PathEnd, PathJoin } from '../exec/path-join.ts';
import { ProbeJoin } from '../exec/probe-join.ts';
import { CONSTANT } from '../exec/quad-pattern.ts';
import { Scan } from '../exec/scan.ts';
import type { SlotSet } from '../exec/slot-set.ts';
import { TripleFind } from '../exec/triple-find.ts';
import { TripleLookup } from '../exec/triple-lookup.ts';
import { TripleMatch } from '../exec/triple-match.ts';
import type { JoinRows } from './join-order.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import { hasParts, isKnown, type TripleUnit, UNIT, type Unit } from './unit.ts';

function rowsAfter(planner: PatternPlanner, unit: Unit, current: Operator | undefined, bound: SlotSet): number {
  const { perRow, fixed } = joinRows(planner, unit, current, bound);
  return (current ? Math.max(1, current.estimate) : 1) * perRow + fixed;
}

/**
 * Estimates the rows after joining a unit.
 *
 * @param bound slots of `current`
 */
export function joinRows(planner: PatternPlanner, unit: Unit, current: Operator | undefined, bound: SlotSet): JoinRows {
  switch (unit.kind) {
    case 'pattern':
      return { perRow: planner.statistics.fanOut(unit.pattern, bound), fixed: 0 };
    case 'path':
      return { perRow: pathRows(unit, bound), fixed: 0 };
    case 'triple':
      return { perRow: triplesPerRow(unit, current, bound), fixed: 0 };
    case 'search':
      return { perRow: 100, fixed: 0 };
    case 'operator': {
      const { estimate } = unit.operator;
      const isApart = current && !unit.slots.some((slot) => bound.has(slot));
      return isApart ? { perRow: estimate, fixed: 0 } : { perRow: 0, fixed: estimate };
    }
  }
}

/** Estimates the triple terms with the parts of a row. */
function triplesPerRow(unit: TripleUnit, current: Operator | undefined, bound: SlotSet): number {
  const { slot, parts, index } = unit;
  if (!index || bound.has(slot) || hasParts(unit, current)) return 1;
  let least = Number.POSITIVE_INFINITY;
  for (const [position, part] of [
    [0, 'subject'],
    [2, 'object'],
  ] as const) {
    const end = parts[position];
    if (!isKnown(end, current)) continue;
    const count = end.slot === CONSTANT ? index.count(part, end.id) : index.mean(part);
    least = Math.min(least, count);
  }
  return Number.isFinite(least) ? least : 1;
}

/** Estimates the matches of a path per input row. */
function pathRows({ subject, object, estimates }: Unit & { kind: 'path' }, bound: SlotSet): number {
  const isBound = ({ slot }: PathEnd) => slot === CONSTANT || bound.has(slot);
  if (isBound(subject) && isBound(object)) return 0.5;
  const pairs = estimates.pairs();
  if (isBound(subject)) return Math.min(pairs, estimates.endsFrom(subject, true));
  if (isBound(object)) return Math.min(pairs, estimates.endsFrom(object, false));
  return pairs;
}

/**
 * Builds the operator that joins a unit to the current plan.
 *
 * @param unit any unit except a search, which is planned on top of its input
 */
export function joinUnit(
  planner: PatternPlanner,
  current: Operator | undefined,
  unit: Exclude<Unit, { readonly kind: 'search' }>,
  bound: SlotSet,
): Operator {
  switch (unit.kind) {
    case 'pattern': {
      const rows = rowsAfter(planner, unit, current, bound);
      if (!current || current === UNIT) return new Scan(unit.pattern, rows);
      const [subject] = unit.pattern.slots;
      const ascending = planner.optimize && subject !== CONSTANT ? current.ascending?.(subject) : undefined;
      return new ProbeJoin(ascending ?? current, unit.pattern, rows);
    }
    case 'path':
      return new PathJoin(
        current ?? UNIT,
        unit.subject,
        unit.path,
        unit.object,
        unit.graph,
        planner.substituted,
        unit.algebra,
        rowsAfter(planner, unit, current, bound),
      );
    case 'triple': {
      const { slot, parts, index } = unit;
      if (bound.has(slot)) return new TripleMatch(current ?? UNIT, slot, parts);
      if (current && (!index || hasParts(unit, current))) return new TripleFind(current, slot, parts);
      return new TripleLookup(current ?? UNIT, slot, parts, rowsAfter(planner, unit, current, bound));
    }
    case 'operator': {
      if (!current || current === UNIT) return unit.operator;
      const { operator } = unit;
      const shared = operator.slots.some((slot) => bound.has(slot));
      const estimate = shared ? Math.max(current.estimate, operator.estimate) : current.estimate * operator.estimate;
      return new HashJoin(current, operator, 'inner', estimate);
    }
  }
}
