import { WorldsError } from '@rdf-worlds/core';

/** How long one evaluation may hold the event loop, in milliseconds. */
const SLICE_MS = 8;
/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 16;

/** What a pacer stops when the evaluation is over, and wakes when a slice begins. */
export interface Paced {
  resume(): void;
  destroy(): void;
}

/** The error of a signal that has fired: TIMEOUT for a deadline, else ABORTED. */
export function abortError(signal: AbortSignal): WorldsError {
  const { reason } = signal;
  if (reason instanceof WorldsError) return reason;
  if ((reason as Partial<Error> | undefined)?.name === 'TimeoutError')
    return new WorldsError('TIMEOUT', 'The deadline of the given signal passed.', { cause: reason });
  return new WorldsError('ABORTED', 'The operation was aborted by its signal.', { cause: reason });
}

/**
 * One evaluation's hold on the event loop. Comunica's iterators pull one another in microtasks, so
 * that no timer fires while rows flow; every iterator of an evaluation asks its pacer before a row,
 * and rests until the next turn of the event loop when the slice is used up. When the evaluation
 * ends, is given up or aborted, `close` destroys all of its iterators: that is what stops the CPU.
 */
export class Pacer {
  private readonly signal: AbortSignal | undefined;
  private readonly live = new Set<Paced>();
  private resting: Paced[] = [];
  private sliceEnd = performance.now() + SLICE_MS;
  private steps = 0;
  private due = false;
  private turn: NodeJS.Immediate | undefined;
  private closed = false;
  private readonly failure: Promise<never>;
  private readonly reject: (error: Error) => void;
  private failed: Error | undefined;
  private readonly onAbort: () => void;

  constructor(signal?: AbortSignal) {
    this.signal = signal;
    let reject!: (error: Error) => void;
    this.failure = new Promise<never>((_, rejectFailure) => {
      reject = rejectFailure;
    });
    this.reject = reject;
    // Nobody may be waiting at that moment; whoever comes next learns of it from `check`.
    this.failure.catch(() => undefined);
    this.onAbort = () => {
      reject(abortError(signal!));
      this.close();
    };
    signal?.addEventListener('abort', this.onAbort, { once: true });
    if (signal?.aborted) this.onAbort();
  }

  /** Throws when the signal has fired, or something has failed. */
  check(): void {
    if (this.signal?.aborted) throw abortError(this.signal);
    if (this.failed) throw this.failed;
  }

  /** Ends the evaluation with the error of an iterator that nobody listens to. */
  fail(error: Error): void {
    if (this.closed) return;
    this.failed ??= error;
    this.reject(error);
  }

  /** The result of `work`, or the abort or failure if that comes first. */
  async until<Result>(work: Promise<Result>): Promise<Result> {
    // Work that lost the race against the abort may still fail afterwards, for want of its
    // iterators.
    work.catch(() => undefined);
    return Promise.race([work, this.failure]);
  }

  /** Counts one step of work; true when the caller has to rest. */
  step(): boolean {
    if (this.due) return true;
    if (++this.steps < STEPS_PER_LOOK) return false;
    this.steps = 0;
    this.due = performance.now() >= this.sliceEnd;
    return this.due;
  }

  /** Wakes an iterator on the next turn of the event loop. */
  rest(iterator: Paced): void {
    this.resting.push(iterator);
    this.turn ??= setImmediate(() => this.nextSlice());
  }

  /**
   * For plain loops: lets the event loop run if the slice is used up, then throws if the signal has
   * fired.
   */
  async breathe(): Promise<void> {
    if (!this.step()) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.check();
    if (this.turn === undefined) this.nextSlice();
  }

  /** Takes an iterator into care; one that comes after the end is destroyed at once. */
  add(iterator: Paced): void {
    if (this.closed) iterator.destroy();
    else this.live.add(iterator);
  }

  delete(iterator: Paced): void {
    this.live.delete(iterator);
  }

  /** Destroys what is still alive, and forgets the signal. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.signal?.removeEventListener('abort', this.onAbort);
    clearImmediate(this.turn);
    this.resting = [];
    for (const iterator of [...this.live]) iterator.destroy();
    this.live.clear();
  }

  private nextSlice(): void {
    this.turn = undefined;
    this.due = false;
    this.steps = 0;
    this.sliceEnd = performance.now() + SLICE_MS;
    const resting = this.resting;
    this.resting = [];
    for (const iterator of resting) iterator.resume();
  }
}
