import { throwIfAborted } from '@rdf-worlds/core';
import type { Outcome } from './observation/request-record.ts';

/** How a body ended. */
export interface BodyEnd {
  readonly outcome: Outcome;
  /** What broke it. */
  readonly error: unknown;
  /** That were made. */
  readonly bytes: number;
  /** Milliseconds for making them. */
  readonly workMs: number;
}

/** What an answer belongs to: disposed of when it ends. */
export interface TimedWork extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * The chunks of an answer until its deadline. After that every step fails, also for a client that
 * takes what it gets so slowly that nothing is made meanwhile. Ends the deadline with itself. No
 * generator: one that was never begun would not pass a `return` on.
 */
export class TimedBody implements AsyncIterableIterator<Uint8Array> {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private readonly deadline: TimedWork;
  private readonly reportFailure: (cause: unknown) => void;
  private readonly onEnd: ((end: BodyEnd) => void) | undefined;
  private ended = false;
  private bytes = 0;
  private workMs = 0;

  /**
   * @param reportFailure told once what broke the answer
   * @param onEnd told once how it ended
   */
  constructor(
    chunks: AsyncIterable<Uint8Array>,
    deadline: TimedWork,
    reportFailure: (cause: unknown) => void,
    onEnd?: (end: BodyEnd) => void,
  ) {
    this.chunks = chunks[Symbol.asyncIterator]();
    this.deadline = deadline;
    this.reportFailure = reportFailure;
    this.onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const started = performance.now();
    try {
      throwIfAborted(this.deadline.signal);
      const step = await this.chunks.next();
      this.workMs += performance.now() - started;
      if (step.done) this.end('complete');
      else this.bytes += step.value.byteLength;
      return step;
    } catch (cause) {
      this.workMs += performance.now() - started;
      if (this.end('broken', cause)) this.reportFailure(cause);
      await this.chunks.return?.();
      throw cause;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.end('abandoned');
    await this.chunks.return?.();
    return { done: true, value: undefined };
  }

  /** Whether this is the end: there is one. */
  private end(outcome: Outcome, error?: unknown): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.deadline[Symbol.dispose]();
    this.onEnd?.({ outcome, error, bytes: this.bytes, workMs: this.workMs });
    return true;
  }
}
