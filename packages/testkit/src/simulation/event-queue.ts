/** Something that happens at a moment of virtual time. */
export interface QueuedEvent {
  readonly atMs: number;
  /** Breaks ties: events of one moment happen in the order in which they were scheduled. */
  readonly order: number;
}

/** Priority queue of events: a binary heap. */
export class EventQueue<Event extends QueuedEvent> {
  private readonly heap: Event[] = [];

  get size(): number {
    return this.heap.length;
  }

  push(event: Event): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
  }

  /** Removes and returns the earliest event; undefined if there is none. */
  pop(): Event | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (!isBefore(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: QueuedEvent, other: QueuedEvent): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
