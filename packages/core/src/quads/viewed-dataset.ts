import type { TermId } from '../contracts/term-source.ts';
import type { ContextMap } from './context-map.ts';
import type { Snapshot } from './snapshot.ts';

/** The parts of a dataset that its cursors and probes read. */
export interface ViewedDataset {
  readonly snapshot: Snapshot;
  readonly contexts: ContextMap;
  /** Greater than every context number in the snapshot. */
  readonly contextCount: number;
  /** Returns whether a pattern is answered from the permutations over all contexts. */
  usesCollection(graph: TermId): boolean;
}
