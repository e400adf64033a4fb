import { throwIfAborted } from '@rdf-worlds/core';
import type { Deadline } from './deadline.ts';

/**
 * The chunks of an answer until its deadline. After that every step fails, also for a client that takes what it gets so slowly that nothing is
 * made meanwhile. Ends the deadline with itself. No generator: one that was never begun would not pass a `return` on.
 */
export class TimedBody implements AsyncIterableIterator<Uint8Array> {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private readonly deadline: Deadline;
  private readonly reportFailure: (cause: unknown) => void;
  private ended = false;

  /** @param reportFailure told once what broke the answer */
  constructor(chunks: AsyncIterable<Uint8Array>, deadline: Deadline, reportFailure: (cause: unknown) => void) {
    this.chunks = chunks[Symbol.asyncIterator]();
    this.deadline = deadline;
    this.reportFailure = reportFailure;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    try {
      throwIfAborted(this.deadline.signal);
      const step = await this.chunks.next();
      if (step.done) this.end();
      return step;
    } catch (cause) {
      if (this.end()) this.reportFailure(cause);
      await this.chunks.return?.();
      throw cause;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.end();
    await this.chunks.return?.();
    return { done: true, value: undefined };
  }

  /** Whether this is the end: there is one. */
  private end(): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.deadline[Symbol.dispose]();
    return true;
  }
}
