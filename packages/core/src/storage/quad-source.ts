import type { QuadBatch } from './quad-batch.ts';
import type { QuadProbe } from './quad-probe.ts';
import type { TermId, TermSource } from './term-source.ts';

/**
 * Reads the quads of one pattern in batches. Reusable: `seek` again for the next pattern, so that a
 * join makes one cursor and no garbage.
 */
export interface QuadCursor {
  /**
   * Positions before the first quad that matches; NO_TERM is a wildcard; `graph` as in
   * {@link QuadSource.count}.
   */
  seek(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void;
  /** Fills `batch` from row 0 with the next quads and returns how many; 0 at the end. */
  next(batch: QuadBatch): number;
}

/** Different terms, ascending by id, each with the number of quads that have it. */
export interface TermCounts {
  /**
   * Writes the next ones to both arrays, from 0 on, and returns how many: as many as `terms` has
   * room for, fewer at the end, then 0.
   */
  next(terms: Uint32Array, counts: Uint32Array): number;
}

/**
 * An RDF dataset as ids: an immutable view of one or many worlds at one moment. This is all that a
 * SPARQL engine sees of the store.
 *
 * The default graph is the merge of the default graphs of its worlds, the named graphs are their
 * union by name: a triple that several worlds hold in the same graph comes out once.
 *
 * Order: within one graph, quads come sorted ascending by the unbound positions in the order
 * (subject, predicate, object) rotated to begin behind the bound ones: `s??` by p, o; `?p?` by o,
 * s; `??o` by s, p; `???` by s, p, o; two bound: by the third.
 */
export interface QuadSource {
  readonly terms: TermSource;
  /** The named graphs of the dataset, empty ones too, ascending by id. */
  readonly graphs: Uint32Array;
  /**
   * The exact number of quads that match. O(log n) within one graph of one world; over several it
   * may scan the range to drop duplicates: use `estimate` for planning. `graph`: NO_TERM for every
   * graph, DEFAULT_GRAPH, a graph's id, or ANY_NAMED_GRAPH.
   */
  count(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number;
  /** An upper bound of `count`, always O(log n). Exact within one graph of one world. */
  estimate(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number;
  /**
   * Where a planner may keep what it measured, by texts of its own, for the next query over the
   * same quads; a source may have no such place.
   */
  readonly measured?: Map<string, number> | undefined;
  /**
   * The different terms at one position (0 subject, 1 predicate, 2 object, 3 graph; not bound) of
   * the quads that match. `graph` as in `count`. Undefined where the source would have to look at
   * every quad for that.
   */
  termCounts?(
    subject: TermId,
    predicate: TermId,
    object: TermId,
    graph: TermId,
    position: number,
  ): TermCounts | undefined;
  cursor(): QuadCursor;
  /**
   * A source may have its own way to look many rows up; without it they are sought one by one with
   * a cursor.
   */
  probe?(): QuadProbe;
  /**
   * The dataset of FROM and FROM NAMED (SPARQL 1.1 section 13.2): its default graph is the merge of
   * the given graphs, which need not exist.
   */
  dataset(defaultGraphs: readonly TermId[], namedGraphs: readonly TermId[] | Uint32Array): QuadSource;
}
