import type { Operator } from '../exec/operator.ts';

/** What joining a part is estimated to give: so many rows for each row that is there, or so many whatever is there. */
export interface JoinRows {
  readonly perRow: number;
  readonly fixed: number;
}

interface Candidate<Unit> {
  readonly unit: Unit;
  rows: JoinRows;
  isConnected: boolean;
}

/** How much rather a part that is connected to what is there is taken. */
const DISCONNECTED = 1e6;

/**
 * Chooses the parts of a group one by one: connected to what is there, with the fewest rows after it. What joining a part gives is looked at again when a
 * variable of it was bound, and only then, so that a group of a thousand parts is planned too.
 */
export class JoinOrder<Unit extends { readonly slots: readonly number[] }> {
  private readonly rowsOf: (unit: Unit, current: Operator | undefined) => JoinRows;
  private readonly isRunnable: (unit: Unit, current: Operator | undefined) => boolean;
  private readonly candidates: Candidate<Unit>[];
  private readonly bound = new Set<number>();
  private isBegun = false;

  constructor(
    units: readonly Unit[],
    rowsOf: (unit: Unit, current: Operator | undefined) => JoinRows,
    isRunnable: (unit: Unit, current: Operator | undefined) => boolean,
  ) {
    this.rowsOf = rowsOf;
    this.isRunnable = isRunnable;
    this.candidates = units.map((unit) => ({ unit, rows: rowsOf(unit, undefined), isConnected: true }));
  }

  /** Takes the next part out; undefined when there is none. */
  take(current: Operator | undefined): Unit | undefined {
    const { candidates } = this;
    // There is no choice.
    if (candidates.length === 1) return candidates.pop()!.unit;
    this.bind(current);
    const before = current ? Math.max(1, current.estimate) : 1;
    let best = -1;
    let bestCost = Number.POSITIVE_INFINITY;
    candidates.forEach(({ unit, rows, isConnected }, at) => {
      if (!this.isRunnable(unit, current)) return;
      const cost = (before * rows.perRow + rows.fixed) * (isConnected ? 1 : DISCONNECTED);
      if (best < 0 || cost < bestCost) {
        best = at;
        bestCost = cost;
      }
    });
    return candidates.splice(Math.max(0, best), 1)[0]?.unit;
  }

  /** Takes another part out in the place of one that was just taken. */
  instead(taken: Unit, other: Unit): Unit {
    if (other === taken) return taken;
    const at = this.candidates.findIndex(({ unit }) => unit === other);
    this.candidates[at] = { unit: taken, rows: this.rowsOf(taken, undefined), isConnected: true };
    return other;
  }

  /** Looks again at the parts that share a variable with what was bound since. */
  private bind(current: Operator | undefined): void {
    if (!current) return;
    const { bound } = this;
    const added = current.slots.filter((slot) => !bound.has(slot));
    // Once there are rows, and once they have variables, it matters of what a part shares nothing with.
    const isFirst = !this.isBegun || (bound.size === 0 && added.length > 0);
    this.isBegun = true;
    for (const slot of added) bound.add(slot);
    for (const candidate of this.candidates) {
      const { slots } = candidate.unit;
      if (slots.some((slot) => added.includes(slot))) {
        candidate.rows = this.rowsOf(candidate.unit, current);
        candidate.isConnected = true;
      } else if (isFirst) {
        candidate.rows = this.rowsOf(candidate.unit, current);
        candidate.isConnected = bound.size === 0 || slots.length === 0;
      }
    }
  }
}
