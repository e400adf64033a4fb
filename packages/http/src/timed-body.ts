import { throwIfAborted } from '@rdf-worlds/core/plugin';
import type { Outcome } from './observation/request-record.ts';

/** How a body ended. */
export interface BodyEnd {
  readonly outcome: Outcome;
  /** The cause of a broken body. */
  readonly error: unknown;
  /** Bytes produced. */
  readonly bytes: number;
  /** Milliseconds spent producing them. */
  readonly workMs: number;
}

/** The deadline of an answer; disposed of when the answer ends. */
export interface TimedWork extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * The chunks of an answer, until its deadline. After it every step fails, even for a client that
 * consumes so slowly that no chunk is being produced. Disposes of the deadline when it ends. Not a
 * generator, because `return` on a generator that was never started would not reach the chunks.
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
   * @param reportFailure called once, with the error that broke the answer
   * @param onEnd called once, when the answer has ended
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

  /** Records the end of the body; returns false if it had already ended. */
  private end(outcome: Outcome, error?: unknown): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.deadline[Symbol.dispose]();
    this.onEnd?.({ outcome, error, bytes: this.bytes, workMs: this.workMs });
    return true;
  }
}
