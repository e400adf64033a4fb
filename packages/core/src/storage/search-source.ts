import type { TermId } from './term-source.ts';

/** What SPARQL asks of the search of its worlds. Ids are those of the query. */
export interface TripleSearch {
  readonly text: string;
  /** At most so many hits, >= 1. */
  readonly limit: number;
  /** Hits have one of these subjects; undefined: any. The same for the other two. */
  readonly subjects?: ReadonlySet<TermId> | undefined;
  readonly predicates?: ReadonlySet<TermId> | undefined;
  readonly objects?: ReadonlySet<TermId> | undefined;
  /**
   * Asked of what would be a hit: false, and it takes no place among the ranks. The dataset of the
   * query may hold less than its worlds.
   */
  readonly accepts: (subject: TermId, predicate: TermId, object: TermId) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** One triple that was found. A triple that several worlds hold comes out once. */
export interface FoundTriple {
  readonly subject: TermId;
  readonly predicate: TermId;
  readonly object: TermId;
  /** Higher is better, above 0; comparable only within one answer. */
  readonly score: number;
}

/**
 * The search of the worlds of one request: what an engine gives to SPARQL for
 * `SERVICE <urn:rdf-worlds:search>`.
 */
export interface SearchSource {
  /** The best triples with literal objects, best first. A text without words gives none. */
  search(request: TripleSearch): Promise<readonly FoundTriple[]>;
}
