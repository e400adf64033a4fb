/** A mutex: runs one task at a time, in FIFO order. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work has ended; returns or throws its outcome. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    // The next task waits for the end, not the outcome, which only its caller receives.
    this.#last = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }
}
