import type { Operator } from '../exec/operator.ts';
import { SlotSet } from '../exec/slot-set.ts';

/**
 * Cardinality estimate for joining a unit: a factor per existing row, or a fixed number of rows.
 */
export interface JoinRows {
  readonly perRow: number;
  readonly fixed: number;
}

interface Candidate<Unit> {
  readonly unit: Unit;
  /** Whether it needs bound variables before it can run. */
  readonly waits: boolean;
  rows: JoinRows;
  isConnected: boolean;
}

/** Groups with at most this many units are scanned linearly, without an index by slot. */
const FEW_UNITS = 32;

/** Cost penalty for a unit that shares no variable with the current rows. */
const DISCONNECTED = 1e6;

/**
 * Greedy join ordering: repeatedly takes the unit with the fewest estimated rows, preferring units
 * connected to the current rows. A unit's estimate is updated only when one of its variables
 * becomes bound, so groups of a thousand units remain feasible.
 */
export class JoinOrder<Unit extends { readonly slots: readonly number[] }> {
  private readonly rowsOf: (unit: Unit, current: Operator | undefined, bound: SlotSet) => JoinRows;
  private readonly isRunnable: (unit: Unit, current: Operator | undefined, bound: SlotSet) => boolean;
  private readonly candidates: Candidate<Unit>[];
  /** Units by slot, for large groups; includes units already taken. */
  private bySlot: Map<number, Candidate<Unit>[]> | undefined;
  private isBegun = false;
  private hasVariables = false;

  constructor(
    units: readonly Unit[],
    rowsOf: (unit: Unit, current: Operator | undefined, bound: SlotSet) => JoinRows,
    isRunnable: (unit: Unit, current: Operator | undefined, bound: SlotSet) => boolean,
  ) {
    this.rowsOf = rowsOf;
    this.isRunnable = isRunnable;
    this.candidates = units.map((unit) => this.candidate(unit));
    if (units.length > FEW_UNITS) this.bySlot = indexed(this.candidates);
  }

  private candidate(unit: Unit): Candidate<Unit> {
    const rows = this.rowsOf(unit, undefined, SlotSet.EMPTY);
    return { unit, waits: !this.isRunnable(unit, undefined, SlotSet.EMPTY), rows, isConnected: true };
  }

  /**
   * Removes and returns the next unit, or undefined if none is left.
   *
   * @param bound slots of `current`
   * @param added slots that the previously taken unit added; all of them on the first call
   */
  take(current: Operator | undefined, bound: SlotSet, added: readonly number[]): Unit | undefined {
    const { candidates } = this;
    // Only one candidate is left.
    if (candidates.length === 1) return candidates.pop()!.unit;
    if (current) this.bind(current, bound, added);
    const before = current ? Math.max(1, current.estimate) : 1;
    let best = -1;
    let bestCost = Number.POSITIVE_INFINITY;
    for (let at = 0; at < candidates.length; at++) {
      const { unit, waits, rows, isConnected } = candidates[at];
      if (waits && !this.isRunnable(unit, current, bound)) continue;
      const cost = (before * rows.perRow + rows.fixed) * (isConnected ? 1 : DISCONNECTED);
      if (best < 0 || cost < bestCost) {
        best = at;
        bestCost = cost;
      }
    }
    return candidates.splice(Math.max(0, best), 1)[0]?.unit;
  }

  /** Takes `other` instead of the unit that was just taken. */
  instead(taken: Unit, other: Unit): Unit {
    if (other === taken) return taken;
    const at = this.candidates.findIndex(({ unit }) => unit === other);
    this.candidates[at] = this.candidate(taken);
    if (this.bySlot) this.bySlot = indexed(this.candidates);
    return other;
  }

  /** Removes a unit that was joined as part of another. */
  drop(unit: Unit): void {
    this.candidates.splice(
      this.candidates.findIndex((candidate) => candidate.unit === unit),
      1,
    );
  }

  /** Updates the estimates of units that share a newly bound variable. */
  private bind(current: Operator, bound: SlotSet, added: readonly number[]): void {
    // The first rows and the first variables change the estimates of all units, including
    // unconnected ones.
    const isFirst = !this.isBegun || (!this.hasVariables && added.length > 0);
    this.isBegun = true;
    if (added.length > 0) this.hasVariables = true;
    else if (!isFirst) return;
    const { hasVariables } = this;
    if (this.bySlot && !isFirst) {
      for (const slot of added) {
        for (const candidate of this.bySlot.get(slot) ?? []) {
          candidate.rows = this.rowsOf(candidate.unit, current, bound);
          candidate.isConnected = true;
        }
      }
      return;
    }
    const fresh = SlotSet.of(added);
    for (const candidate of this.candidates) {
      const { slots } = candidate.unit;
      const isShared = fresh.hasAny(slots);
      if (!isShared && !isFirst) continue;
      candidate.rows = this.rowsOf(candidate.unit, current, bound);
      candidate.isConnected = isShared || !hasVariables || slots.length === 0;
    }
  }
}

function indexed<Unit extends { readonly slots: readonly number[] }>(
  candidates: readonly Candidate<Unit>[],
): Map<number, Candidate<Unit>[]> {
  const bySlot = new Map<number, Candidate<Unit>[]>();
  for (const candidate of candidates) {
    for (const slot of candidate.unit.slots) {
      const others = bySlot.get(slot);
      if (others) others.push(candidate);
      else bySlot.set(slot, [candidate]);
    }
  }
  return bySlot;
}
