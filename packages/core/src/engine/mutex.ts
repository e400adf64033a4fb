import { raceAbort } from '../contracts/abort-race.ts';
import { throwIfAborted } from '../model/worlds-error.ts';

/** A FIFO lock for asynchronous work. */
export class Mutex {
  private isHeld = false;
  /** Resolvers of the waiting callers, in FIFO order. */
  private readonly line = new Set<() => void>();

  /**
   * Runs `work` with the lock held and returns its outcome. If the signal fires while waiting for
   * the lock, throws ABORTED immediately and never runs `work`.
   */
  async run<Result>(work: () => Promise<Result> | Result, signal?: AbortSignal): Promise<Result> {
    const turn = this.enter(signal);
    if (turn) await turn;
    try {
      // Work that has started must observe the signal itself.
      return await work();
    } finally {
      this.leave();
    }
  }

  /**
   * Takes the lock: synchronously if it is free, otherwise when the returned promise resolves. The
   * caller must then call {@link leave}. Throws or rejects with ABORTED if the signal fires first;
   * the lock is not held then.
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    if (this.isHeld) return this.wait(signal);
    throwIfAborted(signal);
    this.isHeld = true;
    return undefined;
  }

  /** Releases the lock to the next waiting caller. */
  leave(): void {
    for (const next of this.line) {
      this.line.delete(next);
      next();
      return;
    }
    this.isHeld = false;
  }

  private async wait(signal: AbortSignal | undefined): Promise<void> {
    let next!: () => void;
    const turn = new Promise<void>((resolve) => {
      next = resolve;
    });
    this.line.add(next);
    try {
      await raceAbort(turn, signal);
    } catch (cause) {
      // Aborted, possibly just after receiving the lock: then passes it on.
      if (!this.line.delete(next)) this.leave();
      throw cause;
    }
  }
}
