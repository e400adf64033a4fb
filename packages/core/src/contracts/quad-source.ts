import type { QuadBatch } from './quad-batch.ts';
import type { QuadProbe } from './quad-probe.ts';
import type { TermId, TermSource } from './term-source.ts';

/**
 * Reads the quads of one pattern in batches. Reusable: call `seek` for the next pattern, so that a
 * join allocates only one cursor.
 */
export interface QuadCursor extends QuadReader {
  /**
   * Positions the cursor before the first matching quad. NO_TERM is a wildcard; `graph` as in
   * {@link QuadSource.count}.
   */
  seek(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void;
}

/** Reads quads in batches. */
export interface QuadReader {
  /** Fills `batch` from row 0 with the next quads and returns their number; 0 at the end. */
  next(batch: QuadBatch): number;
}

/** Iterator over distinct terms, ascending by id, each with its number of quads. */
export interface TermCounts {
  /**
   * Writes the next terms and counts to both arrays, from index 0, and returns their number: the
   * length of `terms`, less at the end, then 0.
   */
  next(terms: Uint32Array, counts: Uint32Array): number;
}

/**
 * An RDF dataset as ids: an immutable snapshot of one or many worlds. It is the only interface of
 * the store that a SPARQL engine sees.
 *
 * The default graph is the merge of the default graphs of its worlds; the named graphs are their
 * union by name. A triple that several worlds hold in the same graph is returned once.
 *
 * Order: within one graph, quads ascend by the unbound positions in the order (subject, predicate,
 * object), rotated to start after the bound ones: `s??` by p, o; `?p?` by o, s; `??o` by s, p;
 * `???` by s, p, o; two bound: by the third.
 */
export interface QuadSource {
  /** Decodes the ids of this dataset. */
  readonly terms: TermSource;
  /** The named graphs of the dataset, empty ones included, ascending by id. */
  readonly graphs: Uint32Array;
  /**
   * Returns the exact number of matching quads. O(log n) within one graph of one world; over
   * several it may scan the range to remove duplicates, so planners should use `estimate`. `graph`:
   * NO_TERM for every graph, DEFAULT_GRAPH, a graph's id, or ANY_NAMED_GRAPH.
   */
  count(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number;
  /** Returns an upper bound of `count` in O(log n). Exact within one graph of one world. */
  estimate(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number;
  /**
   * Cache for a planner's measurements, under keys of its own, shared by later queries over the
   * same quads. Optional for a source.
   */
  readonly measured?: Map<string, number> | undefined;
  /**
   * Stands for the graphs of the dataset: the same object before and after a commit that changes
   * only quads. Optional for a source; plans then serve the quads that they were made for alone.
   */
  readonly layout?: object | undefined;
  /**
   * Returns the distinct terms at one unbound position (0 subject, 1 predicate, 2 object, 3 graph)
   * of the matching quads. `graph` as in `count`. Returns undefined if the source would have to
   * scan every quad.
   */
  termCounts?(
    subject: TermId,
    predicate: TermId,
    object: TermId,
    graph: TermId,
    position: number,
  ): TermCounts | undefined;
  /** Returns a new cursor; call its `seek` before `next`. */
  cursor(): QuadCursor;
  /**
   * Optional: writes the terms at one position (0 subject, 1 predicate, 2 object) of matching quads
   * that are spread evenly over all of them, to fill `terms`, and returns their number. Returns 0
   * if the source can only read the first ones. `graph` as in `count`.
   */
  sample?(
    subject: TermId,
    predicate: TermId,
    object: TermId,
    graph: TermId,
    position: number,
    terms: Uint32Array,
  ): number;
  /**
   * Optional: returns the quads of a predicate in one graph in ascending order of their subjects,
   * or undefined if the source can read them in the order of {@link cursor} only. For readers that
   * look further quads of each subject up.
   */
  bySubject?(predicate: TermId, graph: TermId): QuadReader | undefined;
  /** Optional bulk lookup; without it, rows are looked up one by one with a cursor. */
  probe?(): QuadProbe;
  /**
   * Returns the dataset of FROM and FROM NAMED (SPARQL 1.1 section 13.2): its default graph is the
   * merge of the given graphs, which need not exist.
   */
  dataset(defaultGraphs: readonly TermId[], namedGraphs: readonly TermId[] | Uint32Array): QuadSource;
  /** Returns the dataset without named graphs whose default graph is the merge of all graphs. */
  merged(): QuadSource;
}
