import { newColumn } from './new-column.ts';
import { QuadBatch, WANT_ALL } from './quad-batch.ts';
import type { TermId } from './term-source.ts';

/**
 * One position of a pattern that is looked up for many rows: a term for all rows, NO_TERM for a
 * wildcard, or a column with one term per row.
 */
export type ProbeKey = TermId | Uint32Array;

export interface ProbeKeys {
  readonly subject: ProbeKey;
  readonly predicate: ProbeKey;
  readonly object: ProbeKey;
  /** As in `QuadSource.count`, or a column of named graphs. */
  readonly graph: ProbeKey;
}

/**
 * Matches of a probe: the row of the keys, and the quad. Columns of unwanted positions are empty,
 * as in a {@link QuadBatch}.
 */
export class ProbeBatch extends QuadBatch {
  readonly row: Uint32Array;

  constructor(capacity = 1024, wanted = WANT_ALL) {
    super(capacity, wanted);
    this.row = newColumn(capacity);
  }
}

/** Which matches of a probe are not wanted. */
export interface ProbeOptions {
  /** Whether the first match of each row is enough. */
  readonly firstOnly?: boolean | undefined;
  /**
   * By row: 1 if the row needs no further match. It may change between calls of `next`, which leave
   * out what remains of such a row.
   */
  readonly done?: Uint8Array | undefined;
}

/** All matches are wanted. */
export const NO_PROBE_OPTIONS: ProbeOptions = {};

/**
 * Looks up one pattern for a batch of rows: the inner side of an index nested-loop join. NO_TERM in
 * a column is a wildcard for that row. Ascending keys are cheapest: each search starts where the
 * last one ended.
 */
export interface QuadProbe {
  /**
   * Starts a probe of rows `0 .. length - 1`. The columns must not change until `next` returns 0.
   */
  begin(keys: ProbeKeys, length: number, options?: ProbeOptions): void;
  /**
   * Fills `out` from row 0 with the next matches, ordered by row; returns their number, 0 at the
   * end.
   */
  next(out: ProbeBatch): number;
  /**
   * Replaces `next` where no row can have several matches: writes the object of each row's match to
   * `out`, or NO_TERM, and returns the number of matches, also of rows that need none. Returns
   * undefined, and has read nothing, if rows may have several matches; a source may always do that.
   */
  objects?(out: Uint32Array): number | undefined;
}
