import type { Operator } from '../exec/operator.ts';
import { SlotSet } from '../exec/slot-set.ts';

/**
 * What joining a part is estimated to give: so many rows for each row that is there, or so many
 * whatever is there.
 */
export interface JoinRows {
  readonly perRow: number;
  readonly fixed: number;
}

interface Candidate<Unit> {
  readonly unit: Unit;
  /** Whether it cannot run before something is bound. */
  readonly waits: boolean;
  rows: JoinRows;
  isConnected: boolean;
}

/** Groups of no more parts are looked through where an index would have to be made. */
const FEW_UNITS = 32;

/** How much rather a part that is connected to what is there is taken. */
const DISCONNECTED = 1e6;

/**
 * Chooses the parts of a group one by one: connected to what is there, with the fewest rows after
 * it. What joining a part gives is looked at again when a variable of it was bound, and only then,
 * so that a group of a thousand parts is planned too.
 */
export class JoinOrder<Unit extends { readonly slots: readonly number[] }> {
  private readonly rowsOf: (unit: Unit, current: Operator | undefined, bound: SlotSet) => JoinRows;
  private readonly isRunnable: (unit: Unit, current: Operator | undefined, bound: SlotSet) => boolean;
  private readonly candidates: Candidate<Unit>[];
  /** In large groups: the parts that a slot is one of, those that were taken too. */
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
   * Takes the next part out; undefined when there is none.
   *
   * @param bound the slots of `current`
   * @param added those of them that the part taken before has added; all, the first time
   */
  take(current: Operator | undefined, bound: SlotSet, added: readonly number[]): Unit | undefined {
    const { candidates } = this;
    // There is no choice.
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

  /** Takes another part out in the place of one that was just taken. */
  instead(taken: Unit, other: Unit): Unit {
    if (other === taken) return taken;
    const at = this.candidates.findIndex(({ unit }) => unit === other);
    this.candidates[at] = this.candidate(taken);
    if (this.bySlot) this.bySlot = indexed(this.candidates);
    return other;
  }

  /** Looks again at the parts that share a variable with what was bound since. */
  private bind(current: Operator, bound: SlotSet, added: readonly number[]): void {
    // Once there are rows, and once they have variables, it matters of what a part shares nothing
    // with.
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
      const isShared = hasAny(fresh, slots);
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

function hasAny(set: SlotSet, slots: readonly number[]): boolean {
  for (const slot of slots) if (set.has(slot)) return true;
  return false;
}
