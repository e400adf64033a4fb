/** One at a time, in the order of asking. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all that was asked before has ended; its outcome is the caller's. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work);
    // The next one waits for the end, whatever it was; the outcome is told to whoever asked.
    this.#last = mine.then(
      () => undefined,
      () => undefined,
    );
    return mine;
  }
}
