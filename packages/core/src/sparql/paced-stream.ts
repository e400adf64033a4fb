import type { RequestMemory } from '../model/memory-budget.ts';
import type { Pause } from './exec/batch.ts';
import { type Execution, isPause } from './exec/execution.ts';
import { isStackOverflow, withoutOverflow } from './stack-depth.ts';

/** A generator of items and pauses. */
export type Steps<Item extends object> = Generator<Item | Pause, void, void>;

/**
 * Exposes a generator of items and pauses as an async iterator. Behaves like an async generator,
 * including the order of concurrent requests, but an item that is available without a pause costs
 * only one promise, which matters for short queries.
 */
export class PacedStream<Item extends object> implements AsyncIterableIterator<Item> {
  private readonly steps: Steps<Item>;
  private readonly execution: Execution;
  private readonly memory: RequestMemory | undefined;
  /** The latest pending request. */
  private waiting: Promise<unknown> | undefined;

  /** @param memory released when the stream ends, fails or is closed */
  constructor(steps: Steps<Item>, execution: Execution, memory?: RequestMemory) {
    this.steps = steps;
    this.execution = execution;
    this.memory = memory;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    if (this.waiting) return this.inTurn(() => this.resume());
    try {
      const step = this.steps.next();
      if (step.done) {
        this.memory?.release();
        return Promise.resolve(END);
      }
      if (!isPause(step.value)) return Promise.resolve({ done: false, value: step.value });
    } catch (error) {
      this.memory?.release();
      return Promise.reject(withoutOverflow(error));
    }
    return this.inTurn(() => this.resume(true));
  }

  /** Closes the generator early. */
  return(): Promise<IteratorResult<Item, undefined>> {
    if (this.waiting) return this.inTurn(() => this.close());
    return this.close();
  }

  private async close(): Promise<IteratorResult<Item, undefined>> {
    try {
      this.closeSteps();
    } finally {
      this.memory?.release();
    }
    return END;
  }

  /**
   * Closing nested generators takes more of the stack than running them, in browsers more than
   * there is for the deepest plans. What stays suspended then is garbage: memory is released by the
   * caller.
   */
  private closeSteps(): void {
    try {
      this.steps.return();
    } catch (error) {
      if (!isStackOverflow(error)) throw error;
    }
  }

  /** @param pauses whether to pause before the next step */
  private async resume(pauses = false): Promise<IteratorResult<Item, undefined>> {
    try {
      if (pauses) await this.execution.pause();
      for (;;) {
        const step = this.steps.next();
        if (step.done) {
          this.memory?.release();
          return END;
        }
        if (!isPause(step.value)) return { done: false, value: step.value };
        await this.execution.pause();
      }
    } catch (error) {
      this.memory?.release();
      // A consumer that saw the failure need not close the stream.
      this.closeSteps();
      throw withoutOverflow(error);
    }
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.waiting ? this.waiting.then(work, work) : work();
    const done = () => {
      if (this.waiting === result) this.waiting = undefined;
    };
    this.waiting = result;
    result.then(done, done);
    return result;
  }
}

const END: IteratorResult<never, undefined> = { done: true, value: undefined };
