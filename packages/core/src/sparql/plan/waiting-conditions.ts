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
 * The conditions of a group, each given out once: as soon as what it mentions is bound in every
 * row, or will not be bound by what is left to join. Each waits for one of its variables at a time,
 * so that a thousand parts and ten thousand conditions do not look at each other.
 */
export class WaitingConditions {
  private readonly all: readonly WaitingCondition[];
  /** By slot: the numbers of the conditions that wait for it now. */
  private readonly waitingFor = new Map<number, number[]>();
  /** By slot: how many parts that are left to join may bind it. */
  private readonly binders = new Map<number, number>();

  constructor(conditions: readonly Expression[], scope: Scope, units: readonly Unit[]) {
    this.all = conditions.map((condition) => {
      // What holds an EXISTS waits for everything.
      const needsAll = mentionsExists(condition);
      return { condition, needsAll, slots: needsAll ? NO_SLOTS : mentionedSlots(condition, scope), isDone: false };
    });
    if (conditions.length === 0) return;
    for (const { slots } of units) {
      for (const slot of new Set(slots)) this.binders.set(slot, (this.binders.get(slot) ?? 0) + 1);
    }
  }

  /** Those that are ready over some rows: call it once, before anything was joined. */
  ready(current: Operator): readonly Expression[] {
    return this.among(this.all.keys(), current);
  }

  /** Those that are ready now that a part was joined. */
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
    // In the order of the text.
    return this.among(
      woken.sort((one, other) => one - other),
      current,
    );
  }

  /** All that are left. */
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
      // What holds an EXISTS is asked when everything is joined: see rest().
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
