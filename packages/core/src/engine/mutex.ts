import { throwIfAborted } from '../model/worlds-error.ts';
import { raceAbort } from '../storage/abort-race.ts';

/** One holder at a time, in the order of asking. */
export class Mutex {
  private tail: Promise<void> = Promise.resolve();

  /** Runs `work` alone; its outcome is the caller's. While it waits for its turn, the signal ends it at once: ABORTED, and `work` is never run. */
  run<Result>(work: () => Promise<Result> | Result, signal?: AbortSignal): Promise<Result> {
    let begun = false;
    const result = this.tail.then(() => {
      throwIfAborted(signal);
      begun = true;
      return work();
    });
    this.tail = result.then(
      () => undefined,
      // The caller gets the failure; the next in line must not.
      () => undefined,
    );
    if (!signal) return result;
    return raceAbort(result, signal).catch((cause) => {
      // Work that has begun looks at the signal itself, and its outcome is what happened.
      if (begun) return result;
      throw cause;
    });
  }
}
