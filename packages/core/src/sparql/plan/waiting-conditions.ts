import type { Expression } from '../algebra/algebra.ts';
import type { Operator } from '../exec/operator.ts';
import type { Scope } from './scope.ts';
import type { Unit } from './unit.ts';
import { mentionedSlots, mentionsExists } from './variables.ts';

const NO_SLOTS: readonly number[] = [];

/** A condition of a group that waits for its variables. */
interface WaitingCondition {
  readonly condition: Expression;
  readonly needsAll: boolean;
  readonly slots: readonly number[];
  isDone: boolean;
}

/**
 * Schedules the conditions of a group. Each is returned once, as soon as every variable it mentions
 * is bound in every row or can no longer be bound by the remaining joins. A condition waits for one
 * variable at a time, which avoids comparing a thousand units with ten thousand conditions.
 */
export class WaitingConditions {
  private readonly all: readonly WaitingCondition[];
  /** Indices of the waiting conditions by slot. */
  private readonly waitingFor = new Map<number, number[]>();
  /** Number of remaining units that may bind a slot. */
  private readonly binders = new Map<number, number>();

  constructor(conditions: readonly Expression[], scope: Scope, units: readonly Unit[]) {
    this.all = conditions.map((condition) => {
      // A condition with EXISTS waits for all units.
      const needsAll = mentionsExists(condition);
      return { condition, needsAll, slots: needsAll ? NO_SLOTS : mentionedSlots(condition, scope), isDone: false };
    });
    if (conditions.length === 0) return;
    for (const { slots } of units) {
      for (const slot of new Set(slots)) this.binders.set(slot, (this.binders.get(slot) ?? 0) + 1);
    }
  }

  /**
   * Returns the conditions that are ready for the initial rows. Call it once, before any unit is
   * joined.
   */
  ready(current: Operator): readonly Expression[] {
    return this.among(this.all.keys(), current);
  }

  /** Returns the conditions that become ready when a unit is joined. */
  readyAfter({ slots }: Unit, current: Operator): readonly Expression[] {
    if (this.all.length === 0) return NONE;
    if (!this.isBegun) {
      for (const slot of new Set(slots)) this.joined(slot);
      return this.ready(current);
    }
    const woken: number[] = [];
    for (const slot of new Set(slots)) {
      this.joined(slot);
      const waiting = this.waitingFor.get(slot);
      if (!waiting || !this.isSettled(slot, current)) continue;
      this.waitingFor.delete(slot);
      for (const number of waiting) woken.push(number);
    }
    // In textual order.
    return this.among(
      woken.sort((one, other) => one - other),
      current,
    );
  }

  /** Returns all remaining conditions. */
  rest(): readonly Expression[] {
    return this.all.filter(({ isDone }) => !isDone).map(({ condition }) => condition);
  }

  private isBegun = false;

  private joined(slot: number): void {
    this.binders.set(slot, this.binders.get(slot)! - 1);
  }

  private isSettled(slot: number, current: Operator): boolean {
    return current.certain.has(slot) || !this.binders.get(slot);
  }

  private among(numbers: Iterable<number>, current: Operator): readonly Expression[] {
    this.isBegun = true;
    const ready: Expression[] = [];
    for (const number of numbers) {
      const one = this.all[number];
      // Conditions with EXISTS run after all joins; see rest().
      if (one.isDone || one.needsAll) continue;
      const missing = one.slots.find((slot) => !this.isSettled(slot, current));
      if (missing === undefined) {
        one.isDone = true;
        ready.push(one.condition);
        continue;
      }
      const others = this.waitingFor.get(missing);
      if (others) others.push(number);
      else this.waitingFor.set(missing, [number]);
    }
    return ready;
  }
}

const NONE: readonly Expression[] = [];
