import { BATCH_ROWS, type Head, mergeStep, Output } from './merge-runs.ts';
import type { TripleColumns } from './run.ts';

/** Sorted rows of one graph, which count as insertions (+1) or deletions (-1). */
export interface SignedRows {
  readonly columns: TripleColumns;
  readonly sign: number;
}

/**
 * Merges sorted rows like {@link mergeDeltas}, but in batches that share their buffers: memory does
 * not depend on the number of rows.
 */
export class RowMerge {
  /** Rows of the current batch that are inserted. Overwritten by {@link next}. */
  readonly plus: Output;
  /** Those that are deleted. */
  readonly minus: Output;
  private readonly heads: readonly Head[];

  /** @param start a {@link position} from which to merge; default: the first rows */
  constructor(inputs: readonly SignedRows[], start?: Uint32Array) {
    this.heads = inputs.map(({ columns, sign }, i) => ({ columns, sign, at: start?.[i] ?? 0, end: columns[0].length }));
    this.plus = new Output(this.capacity(1));
    this.minus = new Output(this.capacity(-1));
  }

  /** Memory of the buffers. */
  get byteLength(): number {
    return this.plus.byteLength + this.minus.byteLength;
  }

  /** Where the next batch starts, as a row of each input. */
  get position(): Uint32Array {
    return Uint32Array.from(this.heads, ({ at }) => at);
  }

  /**
   * Merges the next rows, at most {@link BATCH_ROWS}, of which any number may cancel. Returns false
   * if there are none.
   */
  next(): boolean {
    this.plus.length = 0;
    this.minus.length = 0;
    return mergeStep(this.heads, this.plus, this.minus, BATCH_ROWS) > 0;
  }

  private capacity(sign: number): number {
    let rows = 0;
    for (const head of this.heads) if (head.sign === sign) rows += head.end - head.at;
    return Math.min(rows, BATCH_ROWS);
  }
}
