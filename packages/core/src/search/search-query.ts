import type { MemoryBudget } from '../model/memory-budget.ts';
import type { DocSet } from '../storage/doc-set.ts';
import type { TermId, TermSource } from '../storage/term-source.ts';
import type { DocumentFilter } from './document-filter.ts';
import type { FieldOptions, FieldWeights } from './fields/field-weights.ts';
import type { HitExplanation } from './hit-explanation.ts';
import type { VectorStatus } from './literal-vectors.ts';
import type { FeedbackOptions, Fusion, ResolvedFeedback, ResolvedFusion } from './ranking-options.ts';

/** The ids of one document. */
export interface DocumentIds {
  readonly world: number;
  readonly subject: TermId;
  readonly predicate: TermId;
  readonly object: TermId;
}

export interface NamespaceSearchQuery extends DocumentFilter {
  readonly query: string;
  /** At most so many hits; an integer of at least 1. */
  readonly limit: number;
  /**
   * Asked of what would be a hit, for what is dear to ask of every document: what it refuses takes
   * no place among the ranks. Must answer the same as long as the search runs.
   */
  readonly accepts?: (document: DocumentIds) => boolean;
  /** As the engine is set up, where not given. */
  readonly fusion?: Fusion;
  /** As the engine is set up, where not given; UNSUPPORTED where it has no fields. */
  readonly fields?: FieldOptions;
  /** As the engine is set up, where not given. */
  readonly feedback?: boolean | FeedbackOptions;
  /** Whether the last word may be unfinished; as the text index is set up, where not given. */
  readonly prefix?: boolean;
  /** Whether each hit says why it is one. */
  readonly explainHits?: boolean;
  /**
   * True: hits, ranks and scores depend on the documents of `worlds` alone. Ties are ordered by
   * terms; vectors wait for all that are pending, and are left out if the embedder learns, because
   * its model is that of the whole namespace.
   */
  readonly canonicalOrder?: boolean;
  readonly signal?: AbortSignal;
  /** What the search gathers besides its hits is claimed of it. */
  readonly memory?: MemoryBudget;
  /** Called, before anything is asked of `accepts`, with the terms that decode the hits. */
  readonly tellTerms?: (terms: TermSource) => void;
  /** Called with what was done, after the search. */
  readonly explain?: (explanation: SearchExplanation) => void;
}

/** How one search came to its hits. */
export interface SearchExplanation {
  /** Documents of the namespace. */
  readonly documents: number;
  /** The filter's form and size; null when every document was allowed. */
  readonly filter: { readonly kind: DocSet['kind']; readonly size: number } | null;
  /** How deep each list was asked for. */
  readonly depth: number;
  /** Hits of each index, in documents; null when there is no such index. */
  readonly textHits: number | null;
  readonly vectorHits: number | null;
  /** How things stand with the vectors; null without an embedder. */
  readonly vectors: VectorStatus | null;
  /** The filter, both indexes and the fusion, in milliseconds; without waiting for the embedder. */
  readonly rankingMs: number;
}

export interface DocumentHit extends DocumentIds {
  /** 1-based rank among the vector hits; null when it is none of them. */
  readonly vecRank: number | null;
  /** 1-based rank among the text hits; null when it is none of them. */
  readonly ftsRank: number | null;
  readonly score: number;
  /** With `explainHits`. */
  readonly explanation?: HitExplanation;
}

/** The settings of a query, or of the engine where it has none. */
export interface RankingSettings {
  readonly fusion: ResolvedFusion;
  readonly fields: FieldWeights | undefined;
  readonly feedback: ResolvedFeedback | undefined;
}
