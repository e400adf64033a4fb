import type { DocSet } from '../contracts/doc-set.ts';
import type { TermId, TermSource } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import type { DocumentFilter } from './document-filter.ts';
import type { FieldOptions, FieldWeights } from './fields/field-weights.ts';
import type { HitExplanation } from './hit-explanation.ts';
import type { VectorStatus } from './literal-vectors.ts';
import type { FeedbackOptions, Fusion, ResolvedFeedback, ResolvedFusion } from './ranking-options.ts';

/** Ids of one document. */
export interface DocumentIds {
  readonly world: number;
  readonly subject: TermId;
  readonly predicate: TermId;
  readonly object: TermId;
}

export interface NamespaceSearchQuery extends DocumentFilter {
  readonly query: string;
  /** Maximum number of hits; an integer of at least 1. */
  readonly limit: number;
  /**
   * Filter applied only to candidate hits, because it is expensive; a rejected candidate takes no
   * rank. Must be deterministic for the duration of the search. `terms` decodes the document.
   */
  readonly accepts?: (document: DocumentIds, terms: TermSource) => boolean;
  /** Defaults to the engine's setting. */
  readonly fusion?: Fusion;
  /** Defaults to the engine's setting; throws UNSUPPORTED if names are not indexed. */
  readonly fields?: FieldOptions;
  /** Defaults to the engine's setting. */
  readonly feedback?: boolean | FeedbackOptions;
  /** Whether the last word may be incomplete; defaults to the text index's setting. */
  readonly prefix?: boolean;
  /** Whether hits carry an explanation. */
  readonly explainHits?: boolean;
  /**
   * If true, hits, ranks and scores depend only on the documents of `worlds`. Ties are ordered by
   * terms. The search waits for all pending vectors, and omits vectors if the embedder is
   * trainable, because its model reflects the whole namespace.
   */
  readonly canonicalOrder?: boolean;
  readonly signal?: AbortSignal;
  /** Budget that memory other than the hits is claimed from. */
  readonly memory?: MemoryBudget;
  /** Called after the search with a report. */
  readonly explain?: (explanation: SearchExplanation) => void;
}

/** Report on how a search was executed. */
export interface SearchExplanation {
  /** Number of documents in the namespace. */
  readonly documents: number;
  /** Form and size of the set of documents of the searched worlds; null for all documents. */
  readonly filter: { readonly kind: DocSet['kind']; readonly size: number } | null;
  /** Whether candidates were tested by further conditions. */
  readonly tested: boolean;
  /** Depth to which each list was ranked. */
  readonly depth: number;
  /** Number of hits of each index, in documents; null if there is no such index. */
  readonly textHits: number | null;
  readonly vectorHits: number | null;
  /**
   * How much the words of the query leave open, 0 to 1: 0 if one of the first hits has all of them.
   * 1 also if nothing depends on it.
   */
  readonly wordDoubt: number;
  /** How much of the query its vector represents, 0 to 1; null without a vector. */
  readonly coverage: number | null;
  /** Status of the vectors; null without an embedder. */
  readonly vectors: VectorStatus | null;
  /** Milliseconds for the filter, both indexes and the fusion, excluding the embedder. */
  readonly rankingMs: number;
}

export interface DocumentHit extends DocumentIds {
  /** 1-based rank among the vector hits; null if it is not one. */
  readonly vecRank: number | null;
  /** 1-based rank among the text hits; null if it is not one. */
  readonly ftsRank: number | null;
  readonly score: number;
  /** Present with `explainHits`. */
  readonly explanation?: HitExplanation;
}

/** Hits, best first, and the terms that decode them. */
export interface NamespaceSearchResult {
  readonly hits: readonly DocumentHit[];
  /** Undefined only if nothing was ever indexed; there are no hits then. */
  readonly terms: TermSource | undefined;
}

/** Settings of a query, completed by those of the engine. */
export interface RankingSettings {
  readonly fusion: ResolvedFusion;
  readonly fields: FieldWeights | undefined;
  readonly feedback: ResolvedFeedback | undefined;
}
