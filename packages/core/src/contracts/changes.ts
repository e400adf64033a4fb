import type { TermId } from './term-source.ts';

/** Quads as four columns of ids, unordered, possibly with duplicates. */
export interface QuadColumns {
  /** Number of quads; the columns may be longer. */
  readonly length: number;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
  readonly graph: Uint32Array;
}

/**
 * Changes of one update operation to its target world. Deletes apply before inserts (SPARQL 1.1
 * Update 3.1.3); inserting an existing quad and deleting a missing one are no-ops.
 */
export interface Changes {
  /** Quads to delete. */
  readonly deleted?: QuadColumns | undefined;
  /** Quads to insert. */
  readonly inserted?: QuadColumns | undefined;
  /**
   * Named graphs that exist from now on, even if empty. A graph that receives quads needs no entry.
   */
  readonly createdGraphs?: readonly TermId[] | undefined;
  /** Named graphs that are emptied and removed. DEFAULT_GRAPH is only emptied. */
  readonly droppedGraphs?: readonly TermId[] | undefined;
}
