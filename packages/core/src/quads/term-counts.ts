import type { TermCounts } from '../contracts/quad-source.ts';
import type { TermId } from '../contracts/term-source.ts';
import { lowerBound, upperBound } from './bounds.ts';
import type { GraphContexts } from './named-graphs.ts';
import { PERMUTATIONS } from './permutation.ts';
import type { Snapshot } from './snapshot.ts';

/** The uncounted rows of one run: `at .. end - 1` of the counted position's column. */
interface Range {
  readonly column: Uint32Array;
  at: number;
  readonly end: number;
  readonly sign: number;
}

/**
 * Iterates over the distinct terms at one position of one context's matches. Skips from one term to
 * the next in each run without visiting the rows in between.
 */
export class RangeTermCounts implements TermCounts {
  private readonly ranges: readonly Range[];

  constructor(ranges: readonly Range[]) {
    this.ranges = ranges;
  }

  /** Returns undefined if no permutation has the position directly after the bound ones. */
  static of(
    snapshot: Snapshot,
    contexts: Uint32Array,
    ids: readonly [subject: TermId, predicate: TermId, object: TermId],
    position: number,
  ): RangeTermCounts | undefined {
    const bound = ids.filter((id) => id !== 0).length;
    const permutation = PERMUTATIONS.findIndex(
      ({ order }) => order[bound] === position && order.slice(0, bound).every((before) => ids[before] !== 0),
    );
    if (permutation < 0) return undefined;
    const { order } = PERMUTATIONS[permutation];
    const ranges: Range[] = [];
    for (const context of contexts) {
      snapshot.runs.forEach((run, i) => {
        const entry = run.indexOfContext(context);
        if (entry < 0) return;
        const columns = run.columnsOf(permutation);
        let at = run.starts[entry];
        let end = run.starts[entry + 1];
        for (let key = 0; key < bound; key++) {
          at = lowerBound(columns[key], at, end, ids[order[key]]);
          end = upperBound(columns[key], at, end, ids[order[key]]);
        }
        if (at < end) ranges.push({ column: columns[bound], at, end, sign: snapshot.signs[i] });
      });
    }
    return new RangeTermCounts(ranges);
  }

  next(terms: Uint32Array, counts: Uint32Array): number {
    const { ranges } = this;
    let rows = 0;
    while (rows < terms.length) {
      let term = 0;
      for (const { column, at, end } of ranges) if (at < end && (term === 0 || column[at] < term)) term = column[at];
      if (term === 0) break;
      let count = 0;
      for (const range of ranges) {
        const { column, at, end, sign } = range;
        if (at === end || column[at] !== term) continue;
        range.at = upperBound(column, at, end, term);
        count += sign * (range.at - at);
      }
      // Insertions and deletions in the runs cancel: the term has no matches.
      if (count === 0) continue;
      terms[rows] = term;
      counts[rows++] = count;
    }
    return rows;
  }
}

/** Counts the matches of each named graph that has matches. */
export class GraphCounts implements TermCounts {
  private readonly named: readonly GraphContexts[];
  private readonly countContext: (context: number) => number;
  private at = 0;

  /** @param named graphs of one context each */
  constructor(named: readonly GraphContexts[], countContext: (context: number) => number) {
    this.named = named;
    this.countContext = countContext;
  }

  next(terms: Uint32Array, counts: Uint32Array): number {
    let rows = 0;
    while (rows < terms.length && this.at < this.named.length) {
      const { graph, contexts } = this.named[this.at++];
      const count = this.countContext(contexts[0]);
      if (count === 0) continue;
      terms[rows] = graph;
      counts[rows++] = count;
    }
    return rows;
  }
}
