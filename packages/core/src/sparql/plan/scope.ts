import { type ActiveGraph, DEFAULT_ACTIVE_GRAPH } from './active-graph.ts';

/** Allocates slots. One counter serves the whole plan, so no two variables share a slot. */
export class SlotCounter {
  /** Variable names by slot; undefined for slots internal to the planner. */
  readonly names: (string | undefined)[] = [];

  take(name?: string): number {
    return this.names.push(name) - 1;
  }
}

/**
 * What surrounds one part of a query: its active graph, and the slots of the variables visible in
 * it. A subquery has its own variables and shares only those that it projects; GRAPH changes only
 * the active graph.
 */
export class Scope {
  readonly counter: SlotCounter;
  readonly graph: ActiveGraph;
  private readonly slots: Map<string, number>;

  constructor(counter: SlotCounter, graph = DEFAULT_ACTIVE_GRAPH, slots = new Map<string, number>()) {
    this.counter = counter;
    this.graph = graph;
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

  /** Allocates a variable of the plan and returns its name, which no query text can have. */
  newVariable(kind: string): string {
    const name = `.${kind}${this.counter.names.length}`;
    this.slot(name);
    return name;
  }

  find(name: string): number | undefined {
    return this.slots.get(name);
  }

  /** Creates the scope of a subquery, which shares the projected variables with this scope. */
  subquery(projected: readonly string[]): Scope {
    const slots = new Map<string, number>();
    for (const name of projected) slots.set(name, this.slot(name));
    return new Scope(this.counter, this.graph, slots);
  }

  /** Creates the scope of a pattern inside GRAPH: the same variables, another active graph. */
  inGraph(graph: ActiveGraph): Scope {
    return new Scope(this.counter, graph, this.slots);
  }

  /** Creates a copy that can allocate slots for further variables on its own. */
  copy(): Scope {
    return new Scope(this.counter, this.graph, new Map(this.slots));
  }

  /** Shares a variable of another scope with this one. */
  adopt(name: string, from: Scope): void {
    this.slots.set(name, from.slot(name));
  }

  names(): Iterable<readonly [string, number]> {
    return this.slots;
  }
}
