import type { Delta } from './merge-runs.ts';
import { buildCollection, type Run } from './run.ts';

/**
 * The quads of a namespace at one point in time: a short list of immutable deltas in commit order.
 */
export class Snapshot {
  readonly deltas: readonly Delta[];
  /**
   * All non-empty runs; `signs[i]` is +1 if `runs[i]` holds insertions, -1 if it holds deletions.
   */
  readonly runs: readonly Run[];
  readonly signs: readonly number[];
  private measured: WeakMap<object, Map<string, number>> | undefined;

  constructor(deltas: readonly Delta[]) {
    this.deltas = deltas;
    const runs: Run[] = [];
    const signs: number[] = [];
    for (const { inserted, deleted } of deltas) {
      if (inserted.length > 0) {
        runs.push(inserted);
        signs.push(1);
      }
      if (deleted.length > 0) {
        runs.push(deleted);
        signs.push(-1);
      }
    }
    this.runs = runs;
    this.signs = signs;
  }

  with(delta: Delta): Snapshot {
    return new Snapshot([...this.deltas, delta]);
  }

  /**
   * Returns the cached measurements of the dataset that `contexts` selects. They stay valid for the
   * lifetime of the snapshot.
   */
  measuredFor(contexts: object): Map<string, number> {
    this.measured ??= new WeakMap();
    let found = this.measured.get(contexts);
    if (found === undefined) {
      found = new Map();
      this.measured.set(contexts, found);
    }
    return found;
  }

  /** Returns the number of quads in a context. */
  countContext(context: number): number {
    let count = 0;
    for (let i = 0; i < this.runs.length; i++) {
      const run = this.runs[i];
      const entry = run.indexOfContext(context);
      if (entry >= 0) count += this.signs[i] * (run.starts[entry + 1] - run.starts[entry]);
    }
    return count;
  }

  /** Number of rows in all runs, including those of deletions. */
  get rows(): number {
    return this.runs.reduce((rows, run) => rows + run.length, 0);
  }

  get hasCollection(): boolean {
    return this.runs.every((run) => run.collection !== undefined);
  }

  /** Builds the permutations over all contexts for runs that lack them. A kernel. */
  *buildCollection(): Generator<void, void, void> {
    for (const run of this.runs) if (!run.collection) yield* buildCollection(run);
  }

  get byteLength(): number {
    let total = 0;
    for (const run of this.runs) total += run.byteLength;
    return total;
  }
}

export const EMPTY_SNAPSHOT = new Snapshot([]);
