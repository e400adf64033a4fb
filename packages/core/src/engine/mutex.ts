/** One holder at a time, in the order of asking. */
export class Mutex {
  private tail: Promise<void> = Promise.resolve();

  /** Runs `work` alone; its outcome is the caller's. */
  run<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const result = this.tail.then(work);
    this.tail = result.then(
      () => undefined,
      // The caller gets the failure; the next in line must not.
      () => undefined,
    );
    return result;
  }
}
