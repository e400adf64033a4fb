import { throwIfAborted } from '../model/worlds-error.ts';
import { turns } from './turns.ts';

/**
 * Cuts long work into slices: a kernel is a generator that yields at least every few milliseconds,
 * and the slicer lets the event loop run whenever a slice is used up, then looks at the signal.
 */
export class Slicer {
  private sliceEnd = performance.now() + turns.sliceMs;
  private turns = 0;
  private readonly signal: AbortSignal | undefined;

  constructor(signal?: AbortSignal) {
    this.signal = signal;
  }

  /** True when the slice is used up and `pause` is due. */
  get due(): boolean {
    return performance.now() >= this.sliceEnd;
  }

  /**
   * Lets the event loop run and others have their turns, then throws ABORTED if the signal has
   * fired.
   */
  async pause(): Promise<void> {
    await turns.wait(this.signal, ++this.turns);
    throwIfAborted(this.signal);
    this.sliceEnd = performance.now() + turns.sliceMs;
  }

  /** Runs a kernel to its end, with pauses. */
  async run<Result>(kernel: Generator<unknown, Result, unknown>): Promise<Result> {
    return this.runOrWait(kernel);
  }

  /**
   * As {@link run}, but the result of work that ends within the slice is there at once: short
   * commits notice each promise.
   */
  runOrWait<Result>(kernel: Generator<unknown, Result, unknown>): Result | Promise<Result> {
    for (;;) {
      const step = kernel.next();
      if (step.done) return step.value;
      if (this.due) return this.goOn(kernel);
    }
  }

  /** Runs a kernel on after a pause. */
  private async goOn<Result>(kernel: Generator<unknown, Result, unknown>): Promise<Result> {
    for (;;) {
      try {
        await this.pause();
      } catch (cause) {
        // What the kernel reads is to know that nobody goes on.
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

/** Runs a kernel to its end at once: for work that is known to be small. */
export function runAtOnce<Result>(kernel: Generator<unknown, Result, unknown>): Result {
  for (;;) {
    const step = kernel.next();
    if (step.done) return step.value;
  }
}
