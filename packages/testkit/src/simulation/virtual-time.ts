import { AsyncLocalStorage } from 'node:async_hooks';
import { EventQueue, type QueuedEvent } from './event-queue.ts';
import type { ProcessScope } from './process-scope.ts';

/** In whose name code runs. Code outside of simulated processes has none. */
export interface SimulatedContext {
  readonly scope: ProcessScope<VirtualEvent>;
  /** Number of the client's operation that the code works for. */
  readonly operation?: number | undefined;
}

/** A task that runs at a moment of virtual time. */
export interface VirtualEvent extends QueuedEvent {
  readonly task: () => void;
  readonly context: SimulatedContext | undefined;
  /** Whether the task waits while its process is paused, and is dropped when it is dead. */
  readonly isGated: boolean;
  isCancelled: boolean;
}

const contexts = new AsyncLocalStorage<SimulatedContext | undefined>();
const nextRound = globalThis.setImmediate;

/**
 * The clock and the event loop of a simulation. Time passes only from one event to the next, so a
 * minute of waiting costs nothing. After each event, everything that it has made ready runs to
 * completion (promise jobs, and calls of the storage), so that the order of a run depends on
 * nothing but the events.
 */
export class VirtualTime {
  nowMs = 0;
  /** Number of events that have happened. */
  events = 0;
  private order = 0;
  private readonly queue = new EventQueue<VirtualEvent>();
  /** Calls of the storage that are running in real time. */
  private outside = 0;

  /** The context of the running code; undefined outside of simulated processes. */
  static get context(): SimulatedContext | undefined {
    return contexts.getStore();
  }

  /** Runs code in the name of a process. */
  within<Result>(context: SimulatedContext | undefined, work: () => Result): Result {
    return contexts.run(context, work);
  }

  schedule(
    delayMs: number,
    task: () => void,
    { context, isGated = context !== undefined }: { context?: SimulatedContext | undefined; isGated?: boolean } = {},
  ): VirtualEvent {
    const event = { atMs: this.nowMs + Math.max(0, delayMs), order: this.order++, task, context, isGated };
    const scheduled: VirtualEvent = { ...event, isCancelled: false };
    this.queue.push(scheduled);
    return scheduled;
  }

  /** Resolves after some time, in the context of the simulation itself. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(ms, resolve);
    });
  }

  /** Resolves when a process is awake. Never resolves if it is dead. */
  awake(scope: ProcessScope<VirtualEvent>): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(0, resolve, { context: { scope } });
    });
  }

  /** Wakes a paused process: what has waited happens now. */
  wake(scope: ProcessScope<VirtualEvent>): void {
    for (const event of scope.wake()) if (!event.isCancelled) this.schedule(0, event.task, event);
  }

  /** Runs a call of the storage, which may work in real time: virtual time waits for it. */
  async call<Result>(work: () => Promise<Result>): Promise<Result> {
    this.outside++;
    try {
      return await contexts.run(undefined, work);
    } finally {
      this.outside--;
    }
  }

  /** Lets virtual time pass during a call, while the storage waits for a process. */
  callback<Result>(work: () => Promise<Result>): Promise<Result> {
    this.outside--;
    const counted = () => {
      this.outside++;
    };
    return work().finally(counted);
  }

  /**
   * Runs events until `isDone`. Returns false if it is not done when no event is left, or at
   * `limitMs`.
   */
  async run(isDone: () => boolean, limitMs: () => number): Promise<boolean> {
    await this.settle();
    while (!isDone()) {
      const event = this.queue.pop();
      if (!event || event.atMs > limitMs()) return false;
      await this.happen(event);
    }
    return true;
  }

  /** Runs what is left without its process: promise jobs and turns of the event loop. */
  async drain(): Promise<void> {
    for (let event = this.queue.pop(); event; event = this.queue.pop()) {
      if (event.context && !event.isGated) await this.happen(event);
    }
  }

  private async happen(event: VirtualEvent): Promise<void> {
    if (event.isCancelled) return;
    const scope = event.isGated ? event.context?.scope : undefined;
    if (scope?.isDead) return;
    if (scope?.isPaused) {
      scope.defer(event);
      return;
    }
    this.nowMs = Math.max(this.nowMs, event.atMs);
    this.events++;
    contexts.run(event.context, event.task);
    await this.settle();
  }

  private async settle(): Promise<void> {
    do await new Promise<void>((resolve) => void nextRound(resolve));
    while (this.outside > 0);
  }
}
