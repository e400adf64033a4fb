/** Allocates slots. One counter serves the whole plan, so no two variables share a slot. */
export class SlotCounter {
  /** Variable names by slot; undefined for slots internal to the planner. */
  readonly names: (string | undefined)[] = [];

  take(name?: string): number {
    return this.names.push(name) - 1;
  }
}

/**
 * Maps the variables visible in one part of a query to slots. A subquery has its own scope and
 * shares only the variables that it projects.
 */
export class Scope {
  readonly counter: SlotCounter;
  private readonly slots: Map<string, number>;

  constructor(counter: SlotCounter, slots = new Map<string, number>()) {
    this.counter = counter;
    this.slots = slots;
  }

  /** Returns the slot of a variable; allocates it on first use. */
  slot(name: string): number {
    let slot = this.slots.get(name);
    if (slot === undefined) {
      slot = this.counter.take(name);
      this.slots.set(name, slot);
    }
    return slot;
  }

  find(name: string): number | undefined {
    return this.slots.get(name);
  }

  /** Creates the scope of a subquery, which shares the projected variables with this scope. */
  subquery(projected: readonly string[]): Scope {
    const slots = new Map<string, number>();
    for (const name of projected) slots.set(name, this.slot(name));
    return new Scope(this.counter, slots);
  }

  /** Shares a variable of another scope with this one. */
  adopt(name: string, from: Scope): void {
    this.slots.set(name, from.slot(name));
  }

  names(): Iterable<readonly [string, number]> {
    return this.slots;
  }
}
