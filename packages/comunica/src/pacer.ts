import { WorldsError } from '@rdf-worlds/core';

/** Maximum time that one evaluation may occupy the event loop, in milliseconds. */
const SLICE_MS = 8;
/** Number of steps between two checks of the clock. */
const STEPS_PER_LOOK = 16;

/** An iterator that a pacer destroys when the evaluation ends and wakes when a slice starts. */
export interface Paced {
  resume(): void;
  destroy(): void;
}

/** Returns the error for a fired signal: TIMEOUT for a deadline, otherwise ABORTED. */
export function abortError(signal: AbortSignal): WorldsError {
  const { reason } = signal;
  if (reason instanceof WorldsError) return reason;
  if ((reason as Partial<Error> | undefined)?.name === 'TimeoutError')
    return new WorldsError('TIMEOUT', 'The deadline of the given signal passed.', { cause: reason });
  return new WorldsError('ABORTED', 'The operation was aborted by its signal.', { cause: reason });
}

/**
 * Limits how long one evaluation occupies the event loop. Comunica's iterators pull one another in
 * microtasks, so that no timer fires while rows flow. Every iterator of an evaluation therefore
 * asks its pacer before a row, and pauses until the next turn of the event loop when the slice is
 * used up. When the evaluation ends or is aborted, `close` destroys all of its iterators, which
 * stops the CPU work.
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
    // There may be no waiter at that moment; later callers get the error from `check`.
    this.failure.catch(() => undefined);
    this.onAbort = () => {
      reject(abortError(signal!));
      this.close();
    };
    signal?.addEventListener('abort', this.onAbort, { once: true });
    if (signal?.aborted) this.onAbort();
  }

  /** Throws if the signal has fired or the evaluation has failed. */
  check(): void {
    if (this.signal?.aborted) throw abortError(this.signal);
    if (this.failed) throw this.failed;
  }

  /** Ends the evaluation with the error of an iterator without listeners. */
  fail(error: Error): void {
    if (this.closed) return;
    this.failed ??= error;
    this.reject(error);
  }

  /** Returns the result of `work`; throws the abort or failure if that happens first. */
  async until<Result>(work: Promise<Result>): Promise<Result> {
    // Work that lost the race against the abort may still fail later, because its iterators are
    // destroyed.
    work.catch(() => undefined);
    return Promise.race([work, this.failure]);
  }

  /** Counts one step of work. Returns true if the caller must pause. */
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
   * For plain loops: yields to the event loop if the slice is used up, then throws if the signal
   * has fired.
   */
  async breathe(): Promise<void> {
    if (!this.step()) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.check();
    if (this.turn === undefined) this.nextSlice();
  }

  /** Registers an iterator. Destroys it immediately if the evaluation has ended. */
  add(iterator: Paced): void {
    if (this.closed) iterator.destroy();
    else this.live.add(iterator);
  }

  delete(iterator: Paced): void {
    this.live.delete(iterator);
  }

  /** Destroys the remaining iterators and detaches from the signal. */
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
