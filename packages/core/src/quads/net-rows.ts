import type { TermId } from '../contracts/term-source.ts';
import { RowMerge, type SignedRows } from './row-merge.ts';

/** Consecutive batches of a merge that have rows left. */
export interface Stretch {
  /** Where the merge of the first batch starts. */
  readonly start: Uint32Array;
  /** Number of batches. */
  batches: number;
  /** Number of rows inserted and deleted in them. */
  inserted: number;
  deleted: number;
}

/** The changes of one graph. */
export interface GraphNet {
  readonly graph: TermId;
  readonly inputs: readonly SignedRows[];
  /** Where the merge has rows left; everything else cancels and is not read again. */
  readonly stretches: readonly Stretch[];
}

/** Rows of one graph. The columns are overwritten by the next batch. */
export interface NetBatch {
  readonly graph: TermId;
  readonly length: number;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

/**
 * The rows that are in one of two worlds but not in both. They are not stored: each iteration
 * merges the two again, in batches.
 */
export class NetRows {
  /** Number of rows. */
  readonly length: number;
  private readonly graphs: readonly GraphNet[];
  private readonly side: 'inserted' | 'deleted';

  constructor(graphs: readonly GraphNet[], side: 'inserted' | 'deleted') {
    this.graphs = graphs;
    this.side = side;
    let rows = 0;
    for (const { stretches } of graphs) for (const stretch of stretches) rows += stretch[side];
    this.length = rows;
  }

  *batches(): Generator<NetBatch, void, void> {
    for (const { graph, inputs, stretches } of this.graphs) {
      for (const { start, batches, [this.side]: rows } of stretches) {
        if (rows === 0) continue;
        const merge = new RowMerge(inputs, start);
        const output = this.side === 'inserted' ? merge.plus : merge.minus;
        for (let batch = 0; batch < batches; batch++) {
          merge.next();
          if (output.length === 0) continue;
          const [subject, predicate, object] = output.buffers;
          yield { graph, length: output.length, subject, predicate, object };
        }
      }
    }
  }
}
