import type { DocId, DocSet } from './doc-set.ts';

/** A document that matches a query. */
export interface TextHit {
  /** Number of the document, as passed to `add`. */
  readonly doc: DocId;
  /** Above 0, higher is better; comparable only within one result. */
  readonly score: number;
}

/** Documents whose statistics determine the scores; documents outside leave no trace in them. */
export interface TextScope {
  /** Groups, as passed to `add`; a group is in a scope as a whole. */
  readonly groups: ArrayLike<number>;
  /** The documents of these groups. */
  readonly documents: DocSet;
}

/**
 * Pseudo-relevance feedback: texts assumed to be relevant, whose characteristic words expand the
 * query (RM3, Abdul-Jaleel et al., TREC 2004).
 */
export interface TextFeedback {
  /** `weight` is above 0, in any unit. */
  readonly documents: readonly { readonly text: string; readonly language: string; readonly weight: number }[];
  /** Number of words taken from them, >= 1. */
  readonly terms: number;
  /** Share of these words in the expanded query, 0 to 1. */
  readonly weight: number;
}

/** Options of one search of a text index. */
export interface TextSearchOptions {
  /** Maximum number of hits, >= 1. */
  readonly limit: number;
  /** Only these documents; undefined: all. */
  readonly filter?: DocSet | undefined;
  /**
   * Only documents of `filter` for which this returns true. Tested only on documents that would
   * otherwise be hits, so a search costs nothing for the others. Deterministic during a search.
   * Passed only to an index that {@link TextIndex.supportsAccepts}.
   */
  readonly accepts?: ((doc: DocId) => boolean) | undefined;
  /**
   * Whether the last word of the query may be incomplete: it then also matches words that start
   * with it, which rank below the word itself. Undefined: the default of the index.
   */
  readonly prefix?: boolean | undefined;
  /**
   * Documents over which word rarity and text lengths are counted, so that scores reveal nothing
   * about others. Must contain the filter. Undefined: all documents. An index without scope support
   * ranks by the statistics of all.
   */
  readonly scope?: TextScope | undefined;
  /** Ignored by an index without feedback support. */
  readonly feedback?: TextFeedback | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Contribution of one query word to a document's score. */
export interface TermScore {
  /** The query word, folded. */
  readonly word: string;
  /** The index term that matched: a stem, a completion, a correction. */
  readonly term: string;
  /** Occurrences of the term in the document; an index may cap the count. */
  readonly frequency: number;
  /** Its part of the score of the document. */
  readonly score: number;
}

/** The documents that contain one query word. */
export interface WordHits {
  /** The query word, as in {@link TermScore.word}. */
  readonly word: string;
  /** In any order. */
  readonly docs: ArrayLike<DocId>;
  /** The word's part of the score of each. */
  readonly scores: ArrayLike<number>;
}

/** How selective one query word is. */
export interface WordWeight {
  /** The query word, as in {@link TermScore.word}. */
  readonly word: string;
  /** Above 0; greater for words in fewer documents, greatest for a word in none. */
  readonly weight: number;
}

/** The options of the search that is explained. */
export interface TextExplainOptions {
  /** As in the search. */
  readonly prefix?: boolean | undefined;
  /** As in the search. */
  readonly scope?: TextScope | undefined;
  /** As in the search. */
  readonly feedback?: TextFeedback | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Range of a text in UTF-16 units: `text.slice(start, end)`. */
export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** A part of a text index that is to be stored. */
export interface TextIndexPart {
  /** From `newName` of {@link TextIndex.store}. The same name always means the same bytes. */
  readonly name: string;
  /** The content in pieces. Their bytes are never modified afterwards. */
  readonly chunks: readonly Uint8Array[];
}

/** A stored part of a text index. */
export interface StoredTextIndexPart {
  readonly name: string;
  /**
   * Returns the content, at an offset divisible by 4, in memory that the index may keep. Throws if
   * the content is not what was stored.
   */
  read(): Promise<Uint8Array>;
}

/** A document as passed to {@link TextIndex.add}. */
export interface TextIndexDocument {
  readonly doc: DocId;
  readonly text: string;
  readonly language: string;
  readonly group: number;
}

/**
 * Text index plug-in: ranked full-text search over documents numbered by the engine. The contract
 * is a test suite in `@rdf-worlds/testkit`.
 *
 * Searches run concurrently. No document is added or removed while a search is in flight.
 */
export interface TextIndex {
  /** Number of documents. */
  readonly size: number;
  /** Memory of the index in bytes, if known. */
  readonly memoryBytes?: number | undefined;
  /**
   * Whether `search` applies {@link TextSearchOptions.accepts}. For other indexes the engine lists
   * the accepted documents before each search, which takes time proportional to all documents.
   */
  readonly supportsAccepts?: boolean | undefined;
  /**
   * Optional preparation of a long text before it is added or removed, in steps of at most a few
   * milliseconds; other work may run between steps. Only the last prepared text counts, and the
   * index must work without this call.
   */
  prepare?(text: string, language: string): Iterator<void, void>;
  /**
   * Adds a document under an unused number. `language` is its tag, '' if it has none; `group` is
   * the unit of {@link TextScope}.
   */
  add(doc: DocId, text: string, language: string, group?: number): void;
  /** Removes a document; text, language and group must be those passed to `add`. */
  remove(doc: DocId, text: string, language: string, group?: number): void;
  /**
   * Returns the best documents, best first, ties by ascending document number; empty for a query
   * without words.
   */
  search(query: string, options: TextSearchOptions): Promise<TextHit[]>;
  /**
   * Optional: returns all documents of the filter that contain each word of a query, in the order
   * of the query; the scores of a document add up to that of `search`. A word that is searched in
   * two ways, as itself and as a prefix, may be there twice.
   */
  wordHits?(query: string, options: Omit<TextSearchOptions, 'limit'>): Promise<readonly WordHits[]>;
  /**
   * Optional: explains why a document is a hit. Returns the query words that it contains, in query
   * order; their scores add up to the score of the hit. Empty for a document that does not match.
   */
  explain?(query: string, doc: DocId, options?: TextExplainOptions): Promise<readonly TermScore[]>;
  /**
   * Like `explain`, for many documents of one query; valid until a document is added or removed.
   */
  explainer?(query: string, options?: TextExplainOptions): Promise<(doc: DocId) => readonly TermScore[]>;
  /**
   * Optional: returns the words of a query that are searched, without stop words, and how much each
   * tells. With `explainer`, it shows how much of a query a document contains; without, searches
   * that fuse rankings trust words and vectors alike.
   */
  wordWeights?(query: string, options?: TextExplainOptions): Promise<readonly WordWeight[]>;
  /**
   * Returns the ranges of the words of a text whose terms, as named by `explain`, are in `terms`.
   */
  highlight?(text: string, language: string, terms: ReadonlySet<string>): readonly TextRange[];
  /** Whether a query has at least one searchable word; false if it consists of stop words. */
  hasWords?(query: string): boolean;
  /**
   * Compacts the memory of the index now, in slices; otherwise this happens incrementally as
   * documents are added and removed. Searches may run concurrently.
   */
  compact?(signal?: AbortSignal): Promise<void>;
  /**
   * Whether `store` is implemented and worth its cost: small indexes are built again as fast as
   * they are read.
   */
  readonly canStore?: boolean | undefined;
  /**
   * Optional: completes postponed work, such as documents that wait for language data, so that
   * `store` can return everything.
   */
  settle?(): Promise<void>;
  /**
   * Optional, together with `restore`: returns the whole index as parts that the engine stores with
   * a checkpoint; undefined if that is impossible now. Called only if {@link canStore}.
   * Synchronous. A part that was returned before, or was read by `restore`, keeps its name, and is
   * not written again. Searches may be in flight.
   *
   * @param newName returns a new name; `kind` consists of lower-case letters
   */
  store?(newName: (kind: string) => string): readonly TextIndexPart[] | undefined;
  /**
   * Fills a new, empty index with all parts of an earlier `store`, in their order. Returns false if
   * an index with other settings or another version stored them, so that texts would be analysed
   * differently. Throws if they are malformed. The index must not be used after either.
   */
  restore?(parts: readonly StoredTextIndexPart[], signal?: AbortSignal): Promise<boolean>;
  /**
   * Optional: compares the index with the documents that it should contain, and describes each
   * difference. In slices. Searches may be in flight.
   */
  check?(documents: Iterable<TextIndexDocument>, signal?: AbortSignal): Promise<readonly string[]>;
}

/**
 * Creates the text index of one namespace. Called at the first search; may load its library then.
 */
export type TextIndexFactory = () => Promise<TextIndex>;
