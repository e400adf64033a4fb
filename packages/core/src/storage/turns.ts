import { WorldsError } from '../model/worlds-error.ts';
import { CallerQueue, SignalWork, type WaitingWork } from './caller-queue.ts';

/** How long one piece of work may hold the event loop, in milliseconds. */
const SLICE_MS = 8;
/** The same while other work waits: a request that comes now waits for no more than that. */
const SHARED_SLICE_MS = 4;
/**
 * Turns in one round of the event loop, as long as all of them together take no longer than a
 * slice.
 */
const MAX_TURNS_A_ROUND = 16;
/** Callers that are remembered, unless they have work waiting. */
const MAX_REMEMBERED = 1_024;

/**
 * Who work is done for. Everything that is done for one caller shares that caller's part of the
 * event loop.
 */
export interface Caller {
  /** The same for all requests of one tenant. */
  readonly name: string;
  /**
   * A caller of weight 2 gets twice the time of one of weight 1 while both have work; 1 when not
   * given.
   */
  readonly weight?: number | undefined;
}

/** What turns need of the process; tests give their own. */
export interface TurnHost {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly setImmediate: (task: () => void) => void;
}

const PROCESS: TurnHost = { now: () => performance.now(), setImmediate: (task) => void setImmediate(task) };

/**
 * Gives out the event loop, one slice of time in each round, between which it looks for input and
 * output: so a new request waits for one slice, and not for one of each request that is running.
 * The next slice goes to the caller that has used the least time (start-time fair queueing), and
 * among its work to what has had the fewest turns.
 */
export class Turns {
  private readonly host: TurnHost;
  private readonly callers = new Map<string, CallerQueue>();
  private readonly bySignal = new WeakMap<AbortSignal, SignalWork>();
  /** Of work that nobody was named for, the library's own in the background included. */
  private readonly unnamed = new CallerQueue('');
  /** The callers that have work waiting. */
  private readonly active = new Set<CallerQueue>();
  private number = 0;
  private isRunning = false;
  /**
   * The time used by whoever had the last turn: where callers begin, and those go on that had no
   * work.
   */
  private reachedMs = 0;
  private current: CallerQueue | undefined;
  private startedAt = 0;
  private roundEnd = 0;

  constructor(host: TurnHost = PROCESS) {
    this.host = host;
  }

  /** How long a slice that begins now may be, in milliseconds. */
  get sliceMs(): number {
    return this.active.size > 0 ? SHARED_SLICE_MS : SLICE_MS;
  }

  /** How many pieces of work wait for a turn. */
  get depth(): number {
    let depth = 0;
    for (const { size } of this.active) depth += size;
    return depth;
  }

  /** How many callers are known by name. */
  get remembered(): number {
    return this.callers.size;
  }

  /**
   * From here on work under this signal is done for this caller: a signal goes wherever the work of
   * its request goes.
   */
  assign(signal: AbortSignal, { name, weight = 1 }: Caller): void {
    const queue = this.callers.get(name) ?? this.remember(name);
    queue.weight = weight;
    this.bySignal.set(signal, new SignalWork(queue));
  }

  /** A signal that was made of another one belongs to the same caller. */
  inherit(signal: AbortSignal, from: AbortSignal | undefined): void {
    const work = from && this.bySignal.get(from);
    if (work) this.bySignal.set(signal, new SignalWork(work.queue));
  }

  /**
   * Before work begins: undefined if it may begin now. It may unless its caller has work waiting
   * already; otherwise many requests that come together would each take a slice before anybody else
   * has one.
   */
  begin(signal: AbortSignal | undefined): Promise<void> | undefined {
    const work = signal && this.bySignal.get(signal);
    return work && work.queue.size > 0 ? this.wait(signal, 0) : undefined;
  }

  /**
   * Waits for the next turn; returns early when the signal fires. `turns` is how many turns the
   * work has had.
   */
  wait(signal: AbortSignal | undefined, turns: number): Promise<void> {
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
    if (signal?.aborted) this.giveUp(ofSignal!);
    this.run();
    return waiting;
  }

  private workOf(signal: AbortSignal): SignalWork {
    let work = this.bySignal.get(signal);
    if (!work) this.bySignal.set(signal, (work = new SignalWork(this.unnamed)));
    if (!work.isListening) {
      work.isListening = true;
      const ofSignal = work;
      // Behind others it may be long until its turn.
      signal.addEventListener('abort', () => this.giveUp(ofSignal), { once: true });
    }
    return work;
  }

  /** Lets what waits under a signal that has fired go on at once: it will end. */
  private giveUp({ queue, waiting }: SignalWork): void {
    for (const work of waiting) {
      queue.remove(work);
      work.resume();
    }
    waiting.clear();
    if (queue.size === 0) this.active.delete(queue);
  }

  /** The turns of one round of the event loop: those of short work, or one of long work. */
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
   * Charges the turn that ended: its promise jobs have run when the next task begins. Gives the
   * time.
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

/** The turns of this process: engines share its event loop. */
export const turns = new Turns();

/**
 * Says for whom the requests are made that are given this signal. While several callers have work
 * for longer than a few milliseconds, each gets a share of the event loop by its weight, however
 * many requests it makes. Requests without a caller count as one caller together. Throws
 * INVALID_ARGUMENT for a weight that is not above 0.
 */
export function assignCaller(signal: AbortSignal, caller: Caller): void {
  const { name, weight = 1 } = caller;
  if (typeof name !== 'string' || name === '')
    throw new WorldsError('INVALID_ARGUMENT', 'caller: name: expected a text that is not empty.');
  if (!(typeof weight === 'number' && weight > 0 && weight < Number.POSITIVE_INFINITY))
    throw new WorldsError('INVALID_ARGUMENT', `caller: weight is ${String(weight)}; expected a number above 0.`);
  turns.assign(signal, caller);
}
