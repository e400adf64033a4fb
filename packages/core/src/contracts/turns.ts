import { setImmediate } from '#platform';
import { WorldsError } from '../model/worlds-error.ts';
import { CallerQueue, SignalWork, type WaitingWork } from './caller-queue.ts';

/** Longest slice of the event loop for one piece of work, in milliseconds. */
const SLICE_MS = 8;
/** The same while other work waits; bounds the wait of a new request. */
const SHARED_SLICE_MS = 4;
/** Duration of work, in milliseconds, from which the end of the round is looked for. */
const WATCH_MS = 1;
/** Turns granted per round of the event loop, as long as their total stays within one slice. */
const MAX_TURNS_A_ROUND = 16;
/** Maximum number of callers remembered, not counting those with waiting work. */
const MAX_REMEMBERED = 1_024;

/**
 * Owner of work, the unit of fairness: all work of one caller shares its part of the event loop.
 */
export interface Caller {
  /** The same for all requests of one tenant. */
  readonly name: string;
  /**
   * Fairness weight, 1 by default: a caller of weight 2 gets twice the time of one of weight 1
   * while both have work.
   */
  readonly weight?: number | undefined;
}

/** Process facilities that turns need; replaced in tests. */
export interface TurnHost {
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly setImmediate: (task: () => void) => void;
}

const PROCESS: TurnHost = { now: () => performance.now(), setImmediate: (task) => void setImmediate(task) };

/**
 * Fair scheduler of the event loop. Grants one time slice per round and polls for I/O in between,
 * so that a new request waits for one slice, not for one of each running request. The next slice
 * goes to the caller that has used the least time (start-time fair queueing), and among its work to
 * the piece that has had the fewest turns.
 */
export class Turns {
  private readonly host: TurnHost;
  private readonly callers = new Map<string, CallerQueue>();
  private readonly bySignal = new WeakMap<AbortSignal, SignalWork>();
  /** Work without a caller, the library's own background work included. */
  private readonly unnamed = new CallerQueue('');
  /** Callers with waiting work. */
  private readonly active = new Set<CallerQueue>();
  private number = 0;
  private isRunning = false;
  /**
   * Virtual time: the time used by the caller of the latest turn. New callers, and those that were
   * idle, start from it.
   */
  private reachedMs = 0;
  private current: CallerQueue | undefined;
  private startedAt = 0;
  private roundEnd = 0;
  /**
   * When work first began since the event loop last turned, or shortly before; undefined if none
   * has.
   */
  private begunAt: number | undefined;
  /** Whether {@link turned} will run when the event loop turns. */
  private isWatched = false;

  constructor(host: TurnHost = PROCESS) {
    this.host = host;
  }

  /** Length of a slice that starts now, in milliseconds. */
  get sliceMs(): number {
    return this.active.size > 0 ? SHARED_SLICE_MS : SLICE_MS;
  }

  /** Number of pieces of work that wait for a turn. */
  get depth(): number {
    let depth = 0;
    for (const { size } of this.active) depth += size;
    return depth;
  }

  /** Number of named callers remembered. */
  get remembered(): number {
    return this.callers.size;
  }

  /**
   * Assigns all work under this signal to a caller. The signal serves as the key because it is
   * passed along with the work of its request.
   */
  assign(signal: AbortSignal, { name, weight = 1 }: Caller): void {
    const queue = this.callers.get(name) ?? this.remember(name);
    queue.weight = weight;
    this.bySignal.set(signal, new SignalWork(queue));
  }

  /** Assigns a derived signal to the caller of its parent. */
  inherit(signal: AbortSignal, from: AbortSignal | undefined): void {
    const work = from && this.bySignal.get(from);
    if (work) this.bySignal.set(signal, new SignalWork(work.queue));
  }

  /** Returns an object that stands for the caller of the work under a signal. */
  ownerOf(signal: AbortSignal | undefined): object {
    return (signal && this.bySignal.get(signal)?.queue) ?? this.unnamed;
  }

  /**
   * Admission check before work starts; returns undefined if it may start now. It may unless its
   * caller already has waiting work; otherwise many simultaneous requests of one caller would each
   * take a slice before anybody else gets one. Nor may it if other work has begun a slice ago and
   * the event loop has not turned since: hundreds of short calls that follow one another as promise
   * jobs would otherwise hold it for as long as they take together.
   */
  begin(signal: AbortSignal | undefined): Promise<void> | undefined {
    const work = signal && this.bySignal.get(signal);
    if (!work) return undefined;
    return work.queue.size > 0 || this.isSliceOver() ? this.wait(signal, 0) : undefined;
  }

  /**
   * The same for admitted work that continues because other work has ended, such as a writer that
   * is given the lock: it may continue now unless the slice is over. Short pieces of work that
   * resume each other would otherwise all run before the event loop turns.
   */
  goOn(signal: AbortSignal | undefined): Promise<void> | undefined {
    return signal && this.bySignal.has(signal) && this.isSliceOver() ? this.wait(signal, 0) : undefined;
  }

  /**
   * Returns the end of the slice of work that begins now. Work that begins before the event loop
   * turns shares one slice: one event, such as a commit that hundreds of feeds wait for, would
   * otherwise resume hundreds of pieces of work with a slice each.
   *
   * Asking for the turn costs as much as a short call, so it is only done once the work has lasted
   * for {@link WATCH_MS} or waits. Work that begins within that time of earlier work counts as the
   * same. Once earlier work began more than a slice ago, nothing tells whether the event loop has
   * turned since, or whether a long piece of work has just ended: a new slice begins, and the next
   * turn is asked for, so that many such pieces do not follow one another.
   */
  beginSlice(): number {
    const now = this.host.now();
    const passed = this.begunAt === undefined ? SLICE_MS : now - this.begunAt;
    if (this.isWatched || passed < WATCH_MS) return this.begunAt! + this.sliceMs;
    const isFirst = this.begunAt === undefined;
    if (passed >= SLICE_MS) this.begunAt = now;
    if (!isFirst) this.watchTurn();
    return this.begunAt! + this.sliceMs;
  }

  private watchTurn(): void {
    this.isWatched = true;
    this.host.setImmediate(this.turned);
  }

  private isSliceOver(): boolean {
    return this.host.now() >= this.beginSlice();
  }

  private readonly turned = (): void => {
    this.isWatched = false;
    this.begunAt = undefined;
  };

  /**
   * Waits for the next turn. If the signal fires, that is the next one of the caller. `turns` is
   * the number of turns that the work has had.
   */
  wait(signal: AbortSignal | undefined, turns: number): Promise<void> {
    if (this.begunAt !== undefined && !this.isWatched) this.watchTurn();
    const ofSignal = signal && this.workOf(signal);
    const queue = ofSignal?.queue ?? this.unnamed;
    if (queue.size === 0) {
      this.active.add(queue);
      queue.usedMs = Math.max(queue.usedMs, this.reachedMs);
    }
    const waiting = new Promise<void>((resolve) => {
      const work: WaitingWork = { resume: resolve, number: this.number++, ofSignal };
      queue.add(work, turns);
      ofSignal?.waiting.add(work);
    });
    if (signal?.aborted) this.hurry(ofSignal!);
    this.run();
    return waiting;
  }

  private workOf(signal: AbortSignal): SignalWork {
    let work = this.bySignal.get(signal);
    if (!work) this.bySignal.set(signal, (work = new SignalWork(this.unnamed)));
    if (!work.isListening) {
      work.isListening = true;
      const ofSignal = work;
      // Its turn may be a long way off in the queue.
      signal.addEventListener('abort', () => this.hurry(ofSignal), { once: true });
    }
    return work;
  }

  /**
   * Gives what waits under an aborted signal the next turns of its caller. To resume all of it at
   * once would hold the event loop for as long as hundreds of requests take to end, if they reach
   * their deadlines together.
   */
  private hurry({ queue, waiting }: SignalWork): void {
    for (const work of waiting) queue.abort(work);
  }

  /** Schedules the turns of one event-loop round: several of short work, or one of long work. */
  private run(): void {
    if (this.isRunning || this.active.size === 0) return;
    this.isRunning = true;
    this.roundEnd = Number.POSITIVE_INFINITY;
    for (let left = Math.min(this.depth, MAX_TURNS_A_ROUND); left > 0; left--) this.host.setImmediate(this.grant);
    this.host.setImmediate(this.settle);
  }

  private readonly grant = (): void => {
    const now = this.charge();
    if (this.roundEnd === Number.POSITIVE_INFINITY) this.roundEnd = now + this.sliceMs;
    if (now >= this.roundEnd) return;
    let next: CallerQueue | undefined;
    for (const queue of this.active) if (!next || queue.usedMs < next.usedMs) next = queue;
    if (!next) return;
    this.current = next;
    this.startedAt = now;
    this.reachedMs = Math.max(this.reachedMs, next.usedMs);
    const work = next.take();
    if (next.size === 0) this.active.delete(next);
    work?.ofSignal?.waiting.delete(work);
    work?.resume();
  };

  private readonly settle = (): void => {
    this.charge();
    this.isRunning = false;
    this.run();
  };

  /**
   * Charges the turn that just ended to its caller and returns the current time. The turn's promise
   * jobs have run by the time the next task starts.
   */
  private charge(): number {
    const now = this.host.now();
    if (this.current) this.current.usedMs += (now - this.startedAt) / this.current.weight;
    this.current = undefined;
    return now;
  }

  private remember(name: string): CallerQueue {
    if (this.callers.size >= MAX_REMEMBERED) {
      for (const [each, queue] of this.callers) {
        if (queue.size === 0 && queue.usedMs <= this.reachedMs) this.callers.delete(each);
      }
    }
    const queue = new CallerQueue(name);
    this.callers.set(name, queue);
    return queue;
  }
}

/** Scheduler of this process; all engines share its event loop. */
export const turns = new Turns();

/**
 * Assigns requests made with this signal to a caller. While several callers have work for longer
 * than a few milliseconds, each gets a share of the event loop by its weight, regardless of its
 * number of requests. All requests without a caller count as one caller. Throws INVALID_ARGUMENT
 * unless the weight is above 0.
 */
export function assignCaller(signal: AbortSignal, caller: Caller): void {
  const { name, weight = 1 } = caller;
  if (typeof name !== 'string' || name === '')
    throw new WorldsError('INVALID_ARGUMENT', 'caller: name: expected a non-empty string.');
  if (!(typeof weight === 'number' && weight > 0 && weight < Number.POSITIVE_INFINITY))
    throw new WorldsError('INVALID_ARGUMENT', `caller: weight is ${String(weight)}; expected a number above 0.`);
  turns.assign(signal, caller);
}
