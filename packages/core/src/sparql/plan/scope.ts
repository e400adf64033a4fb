/** Numbers for variables: one for the whole plan, so that no two variables share a slot. */
export class SlotCounter {
  /** By slot: the variable that it was taken for; undefined where it is the planner's own. */
  readonly names: (string | undefined)[] = [];

  take(name?: string): number {
    return this.names.push(name) - 1;
  }
}

/**
 * The variables that a part of a query sees, each with its slot. A subquery has a scope of its own
 * and shares only what it projects.
 */
export class Scope {
  readonly counter: SlotCounter;
  private readonly slots: Map<string, number>;

  constructor(counter: SlotCounter, slots = new Map<string, number>()) {
    this.counter = counter;
    this.slots = slots;
  }

  /** The slot of a variable, made when it is new here. */
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

  /** The scope of a subquery: the variables that it projects are this scope's. */
  subquery(projected: readonly string[]): Scope {
    const slots = new Map<string, number>();
    for (const name of projected) slots.set(name, this.slot(name));
    return new Scope(this.counter, slots);
  }

  /** Makes a variable that another scope has the same one here. */
  adopt(name: string, from: Scope): void {
    this.slots.set(name, from.slot(name));
  }

  names(): Iterable<readonly [string, number]> {
    return this.slots;
  }
}
