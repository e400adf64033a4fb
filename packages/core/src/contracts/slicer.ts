import { throwIfAborted } from '../model/worlds-error.ts';
import { turns } from './turns.ts';

/**
 * Splits long work into time slices. A kernel is a generator that yields at least every few
 * milliseconds; when a slice is used up, the slicer yields to the event loop, then checks the
 * signal.
 */
export class Slicer {
  private sliceEnd = turns.beginSlice();
  private turns = 0;
  private readonly signal: AbortSignal | undefined;

  constructor(signal?: AbortSignal) {
    this.signal = signal;
  }

  /** True if the slice is used up: call `pause`. */
  get due(): boolean {
    return performance.now() >= this.sliceEnd;
  }

  /**
   * Yields to the event loop and to other waiting work, then throws ABORTED if the signal has
   * fired.
   */
  async pause(): Promise<void> {
    await turns.wait(this.signal, ++this.turns);
    throwIfAborted(this.signal);
    this.sliceEnd = performance.now() + turns.sliceMs;
  }

  /** Runs a kernel to completion, with pauses. */
  async run<Result>(kernel: Generator<unknown, Result, unknown>): Promise<Result> {
    return this.runOrWait(kernel);
  }

  /**
   * Like {@link run}, but returns the result synchronously if the work ends within the slice: the
   * cost of a promise is noticeable in short commits.
   */
  runOrWait<Result>(kernel: Generator<unknown, Result, unknown>): Result | Promise<Result> {
    for (;;) {
      const step = kernel.next();
      if (step.done) return step.value;
      if (this.due) return this.goOn(kernel);
    }
  }

  /** Continues a kernel after a pause. */
  private async goOn<Result>(kernel: Generator<unknown, Result, unknown>): Promise<Result> {
    for (;;) {
      try {
        await this.pause();
      } catch (cause) {
        // Close the kernel, so that what it reads from is closed too.
        kernel.return(undefined as never);
        throw cause;
      }
      do {
        const step = kernel.next();
        if (step.done) return step.value;
      } while (!this.due);
    }
  }
}

/** Runs a kernel to completion without pauses: for work that is known to be small. */
export function runAtOnce<Result>(kernel: Generator<unknown, Result, unknown>): Result {
  for (;;) {
    const step = kernel.next();
    if (step.done) return step.value;
  }
}
