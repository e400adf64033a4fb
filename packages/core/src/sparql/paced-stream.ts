import type { RequestMemory } from '../model/memory-budget.ts';
import type { Pause } from './exec/batch.ts';
import { type Execution, isPause } from './exec/execution.ts';
import { withoutOverflow } from './stack-depth.ts';

/** Items as they are made, and pauses. */
export type Steps<Item extends object> = Generator<Item | Pause, void, void>;

/**
 * Gives the items of steps, with the pauses that they ask for in between. Does what an async
 * generator would, in its order: who asks for several at once gets them one after the other. But an
 * item that is there without a pause costs one promise, of which short queries notice the
 * difference.
 */
export class PacedStream<Item extends object> implements AsyncIterableIterator<Item> {
  private readonly steps: Steps<Item>;
  private readonly execution: Execution;
  private readonly memory: RequestMemory | undefined;
  /** The last request that had to wait, while it does. */
  private waiting: Promise<unknown> | undefined;

  /** @param memory released at the end, however that comes */
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

  /** Ends the steps where they stand. */
  return(): Promise<IteratorResult<Item, undefined>> {
    if (this.waiting) return this.inTurn(() => this.close());
    return this.close();
  }

  private async close(): Promise<IteratorResult<Item, undefined>> {
    this.steps.return();
    this.memory?.release();
    return END;
  }

  /** @param pauses whether a pause is due now */
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
      // Whoever was told of the failure need not end what failed.
      this.steps.return();
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
