import { throwIfAborted } from '../model/worlds-error.ts';
import { raceAbort } from '../storage/abort-race.ts';

/** One holder at a time, in the order of asking. */
export class Mutex {
  private isHeld = false;
  /** What gives each of those in line their turn, in the order of asking. */
  private readonly line = new Set<() => void>();

  /**
   * Runs `work` alone; its outcome is the caller's. While it waits for its turn, the signal ends it
   * at once: ABORTED, and `work` is never run.
   */
  async run<Result>(work: () => Promise<Result> | Result, signal?: AbortSignal): Promise<Result> {
    const turn = this.enter(signal);
    if (turn) await turn;
    try {
      // Work that has begun looks at the signal itself, and its outcome is what happened.
      return await work();
    } finally {
      this.leave();
    }
  }

  /**
   * The same in two halves, for work that is no function of its own: takes the lock, at once when
   * it is free, otherwise with the promise. Whoever has taken it must {@link leave}. Throws ABORTED
   * by the signal, or gives a promise that does, and has not taken it then.
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    if (this.isHeld) return this.wait(signal);
    throwIfAborted(signal);
    this.isHeld = true;
    return undefined;
  }

  /** Gives the lock to the next in line. */
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
      // Aborted, perhaps in the moment of its turn: then that is somebody else's.
      if (!this.line.delete(next)) this.leave();
      throw cause;
    }
  }
}
