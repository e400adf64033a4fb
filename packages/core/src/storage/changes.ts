import type { TermId } from './term-source.ts';

/** Quads as four columns of ids, in no order, possibly with duplicates. */
export interface QuadColumns {
  readonly length: number;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
  readonly graph: Uint32Array;
}

/**
 * What one update operation does to its target world. Deletes apply before inserts (SPARQL 1.1
 * Update 3.1.3); inserting what is there and deleting what is not are no-ops.
 */
export interface Changes {
  readonly deleted?: QuadColumns | undefined;
  readonly inserted?: QuadColumns | undefined;
  /**
   * Named graphs that exist from now on, even while empty. A graph that receives quads exists
   * anyway.
   */
  readonly createdGraphs?: readonly TermId[] | undefined;
  /** Named graphs that are emptied and cease to exist. DEFAULT_GRAPH here means: emptied. */
  readonly droppedGraphs?: readonly TermId[] | undefined;
}
