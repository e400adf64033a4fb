import type { TermId } from './term-source.ts';

/** A search requested by SPARQL. Ids are those of the query. */
export interface TripleSearch {
  /** The query text. */
  readonly text: string;
  /** Maximum number of hits, >= 1. */
  readonly limit: number;
  /** Restricts hits to these subjects; undefined: any. Likewise the next two. */
  readonly subjects?: ReadonlySet<TermId> | undefined;
  readonly predicates?: ReadonlySet<TermId> | undefined;
  readonly objects?: ReadonlySet<TermId> | undefined;
  /**
   * Filter applied only to candidate hits; a rejected candidate takes no rank. Needed because the
   * dataset of the query may be smaller than its worlds.
   */
  readonly accepts: (subject: TermId, predicate: TermId, object: TermId) => boolean;
  /** Aborts the search with ABORTED. */
  readonly signal?: AbortSignal | undefined;
}

/** A triple found by a search. A triple held by several worlds is returned once. */
export interface FoundTriple {
  readonly subject: TermId;
  readonly predicate: TermId;
  readonly object: TermId;
  /** Above 0, higher is better; comparable only within one result. */
  readonly score: number;
}

/**
 * Search over the worlds of one request, which the engine passes to SPARQL for
 * `SERVICE <urn:rdf-worlds:search>`.
 */
export interface SearchSource {
  /** Returns the best triples with literal objects, best first; empty for a text without words. */
  search(request: TripleSearch): Promise<readonly FoundTriple[]>;
}
