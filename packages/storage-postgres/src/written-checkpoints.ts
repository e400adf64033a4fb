/** Runs that are remembered. One ends where another process wrote a checkpoint. */
const MAX_RUNS = 1000;

interface Run {
  /** Number of the checkpoint before the first of the run. */
  from: number;
  /** Number of the last checkpoint of the run. */
  to: number;
}

/** The checkpoints of an incarnation that this process wrote, as runs of consecutive numbers. */
export class WrittenCheckpoints {
  readonly #runs: Run[] = [];

  /** Adds a checkpoint. Those of several engines may be added in any order. */
  add(number: number): void {
    const before = this.#runs.find(({ to }) => to === number - 1);
    const after = this.#runs.find(({ from }) => from === number);
    if (before && after) {
      before.to = after.to;
      this.#runs.splice(this.#runs.indexOf(after), 1);
    } else if (before) before.to = number;
    else if (after) after.from = number - 1;
    else this.#runs.push({ from: number - 1, to: number });
    if (this.#runs.length > MAX_RUNS) this.#runs.shift();
  }

  /**
   * Returns the last checkpoint after `known` up to which this process wrote all; `known` if none.
   */
  since(known: number): number {
    return this.#runs.find(({ from, to }) => known >= from && known <= to)?.to ?? known;
  }
}
