import type { DocId, DocSet } from './doc-set.ts';

export interface TextHit {
  readonly doc: DocId;
  /** Higher is better, above 0; comparable only within one answer. */
  readonly score: number;
}

/**
 * The part of an index whose statistics count: what is in no document of it leaves no trace in
 * scores.
 */
export interface TextScope {
  /** The groups, as given to `add`; a group belongs to a scope as a whole. */
  readonly groups: ArrayLike<number>;
  /** Their documents. */
  readonly documents: DocSet;
}

/**
 * Texts that are taken for what a query means: the search looks for their characteristic words too
 * (RM3, Abdul-Jaleel et al., TREC 2004).
 */
export interface TextFeedback {
  /** `weight` is above 0, in any unit. */
  readonly documents: readonly { readonly text: string; readonly language: string; readonly weight: number }[];
  /** How many words are taken from them, >= 1. */
  readonly terms: number;
  /** The part of the new query that they are, from 0 to 1. */
  readonly weight: number;
}

export interface TextSearchOptions {
  /** At most so many hits, >= 1. */
  readonly limit: number;
  /** Only these documents; undefined: all. */
  readonly filter?: DocSet | undefined;
  /**
   * Whether the last word of the query may be unfinished: it then also finds words that begin with
   * it, which rank below the word itself. Undefined: as the index is set up.
   */
  readonly prefix?: boolean | undefined;
  /**
   * How rare words are, and how long texts: counted within these documents, so that scores do not
   * tell of others. It holds what the filter allows. Undefined: within all. An index that cannot do
   * it ranks by the statistics of all.
   */
  readonly scope?: TextScope | undefined;
  /** An index that cannot do it searches for the query alone. */
  readonly feedback?: TextFeedback | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What one word of a query adds to the score of a document. */
export interface TermScore {
  /** The word as the query has it, folded. */
  readonly word: string;
  /** The term of the index that it found: a stem, a completion, a correction. */
  readonly term: string;
  /** How often the document holds the term; an index may stop counting at some number. */
  readonly frequency: number;
  readonly score: number;
}

export interface TextExplainOptions {
  /** As in the search. */
  readonly prefix?: boolean | undefined;
  /** As in the search. */
  readonly scope?: TextScope | undefined;
  /** As in the search. */
  readonly feedback?: TextFeedback | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A part of a text in UTF-16 units, as strings count: `text.slice(start, end)`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Ranked full text over documents that the engine numbers. Its contract is a test suite in
 * `@rdf-worlds/testkit`.
 *
 * Searches run side by side. Documents are neither added nor removed between the call of a search
 * and its answer.
 */
export interface TextIndex {
  /** How many documents it holds. */
  readonly size: number;
  /** Its own memory, in bytes, for an index that knows it. */
  readonly memoryBytes?: number | undefined;
  /**
   * A part of the work for a long text that can be done before it is added or removed, in steps of
   * at most some milliseconds; between them others go on. What was prepared last counts, and an
   * index works without it.
   */
  prepare?(text: string, language: string): Iterator<void, void>;
  /**
   * Adds a document under a number that is not in use. `language` is its tag, '' when it has none;
   * `group` tells apart what may have statistics of its own.
   */
  add(doc: DocId, text: string, language: string, group?: number): void;
  /** Removes a document, given with the text, the language and the group that it was added with. */
  remove(doc: DocId, text: string, language: string, group?: number): void;
  /**
   * The best documents, best first, ties by ascending document number. A query without words gives
   * none.
   */
  search(query: string, options: TextSearchOptions): Promise<TextHit[]>;
  /**
   * Why a document is a hit, for an index that can tell: the words of the query that it holds, in
   * the order of the query. The scores add up to the score of the hit. Empty for a document that is
   * none.
   */
  explain?(query: string, doc: DocId, options?: TextExplainOptions): Promise<readonly TermScore[]>;
  /** As `explain`, for many documents of one query: good until a document is added or removed. */
  explainer?(query: string, options?: TextExplainOptions): Promise<(doc: DocId) => readonly TermScore[]>;
  /** Where the words of a text stand that have one of these terms, as `explain` names them. */
  highlight?(text: string, language: string, terms: ReadonlySet<string>): readonly TextRange[];
  /** Whether a query has a word that is looked for: false for one of stop words alone. */
  hasWords?(query: string): boolean;
  /**
   * Puts its memory in order now, in slices: what it otherwise does bit by bit as documents come
   * and go. Searches may run meanwhile.
   */
  compact?(signal?: AbortSignal): Promise<void>;
}

/** Makes the index of one namespace. Called at the first search; may load its library then. */
export type TextIndexFactory = () => Promise<TextIndex>;
