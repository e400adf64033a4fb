import type { TermId } from '../storage/term-source.ts';
import type { ContextMap } from './context-map.ts';
import type { Snapshot } from './snapshot.ts';

/** What cursors and probes read of the dataset that made them. */
export interface ViewedDataset {
  readonly snapshot: Snapshot;
  readonly contexts: ContextMap;
  /** Greater than every context number in the snapshot. */
  readonly contextCount: number;
  /** Whether a pattern is answered from the permutations over all contexts. */
  usesCollection(graph: TermId): boolean;
}
