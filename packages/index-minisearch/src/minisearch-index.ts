import { WorldsError } from '@rdf-worlds/core';
import {
  type DocId,
  requireKnownFields,
  type TextHit,
  type TextIndex,
  type TextIndexFactory,
  type TextSearchOptions,
} from '@rdf-worlds/core/plugin';
import type MiniSearch from 'minisearch';
import { docSetMembership } from './doc-set-membership.ts';
import { isUnspaced, wordsOf } from './tokenizer.ts';

/** Options of {@link minisearchIndex}. */
export interface MinisearchIndexOptions {
  /**
   * Whether the last word of a query, from three letters on, also finds words that start with it,
   * at a lower score. A search can override this. Default: true.
   */
  readonly prefix?: boolean | undefined;
  /**
   * Also finds words within this edit distance: below 1 a fraction of the word's length, otherwise
   * a number of edits up to 6. Default: false, because it lowers relevance.
   */
  readonly fuzzy?: number | false | undefined;
  /** Words that are neither indexed nor searched. Default: none. */
  readonly stopWords?: Iterable<string> | undefined;
  /** Maximum number of distinct words of a query; the rest is ignored. Default: 32. */
  readonly maxQueryWords?: number | undefined;
  /**
   * Maximum number of UTF-16 units of a document that are indexed; the rest cannot be found.
   * Default: 262,144, about 40,000 words.
   */
  readonly maxTextLength?: number | undefined;
}

type Settings = Required<Omit<MinisearchIndexOptions, 'stopWords'>> & { readonly stopWords: ReadonlySet<string> };

interface TextDocument {
  readonly id: DocId;
  readonly text: string;
}

/** Shorter words would have too many completions. */
const MIN_PREFIX_LENGTH = 3;
/**
 * A query is truncated to this length before it is split: enough for `maxQueryWords` in any
 * language.
 */
const MAX_QUERY_LENGTH = 8192;
const MAX_FUZZY = 6;

/**
 * A TextIndex on MiniSearch: BM25 over words in memory, about 700 bytes per document; suitable for
 * up to some tens of thousands of documents. The library is loaded when the first index is created.
 * Throws INVALID_ARGUMENT for options out of range.
 */
export function minisearchIndex(options: MinisearchIndexOptions = {}): TextIndexFactory {
  requireKnownFields(options, ['prefix', 'fuzzy', 'stopWords', 'maxQueryWords', 'maxTextLength'], 'minisearchIndex');
  const { prefix = true, fuzzy = false, stopWords = [], maxQueryWords = 32, maxTextLength = 262_144 } = options;
  if (fuzzy !== false && !(fuzzy >= 0 && fuzzy <= MAX_FUZZY))
    throw outOfRange('fuzzy', fuzzy, `false or a number from 0 to ${MAX_FUZZY}`);
  for (const [name, value] of Object.entries({ maxQueryWords, maxTextLength }))
    if (!Number.isInteger(value) || value < 1) throw outOfRange(name, value, 'an integer of at least 1');
  const settings: Settings = {
    prefix,
    fuzzy,
    maxQueryWords,
    maxTextLength,
    stopWords: new Set([...stopWords].flatMap((word) => wordsOf(word))),
  };
  return async () => {
    const { default: Library } = await import('minisearch');
    return new MinisearchIndex(Library, settings);
  };
}

function outOfRange(name: string, value: unknown, allowed: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', `minisearchIndex: ${name} is ${value}; pass ${allowed}.`);
}

class MinisearchIndex implements TextIndex {
  private readonly settings: Settings;
  private readonly index: MiniSearch<TextDocument>;
  /** The problem that MiniSearch reported for a removal. */
  private complaint: string | undefined;

  constructor(Library: typeof MiniSearch, settings: Settings) {
    this.settings = settings;
    this.index = new Library<TextDocument>({
      fields: ['text'],
      tokenize: (text) => this.indexedWordsOf(text),
      // The words are already normalised.
      processTerm: (word) => word,
      // Documents are removed with their text, which leaves nothing to vacuum: no timers, and
      // scores do not depend on history.
      autoVacuum: false,
      logger: (_level, message) => {
        this.complaint ??= message;
      },
    });
  }

  get size(): number {
    return this.index.documentCount;
  }

  add(doc: DocId, text: string, _language: string): void {
    if (this.index.has(doc))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `Document ${doc} is already in the index; remove it before you add it again.`,
      );
    this.index.add({ id: doc, text });
  }

  remove(doc: DocId, text: string, _language: string): void {
    if (!this.index.has(doc))
      throw new WorldsError('INVALID_ARGUMENT', `Document ${doc} is not in the index, so it cannot be removed.`);
    this.complaint = undefined;
    this.index.remove({ id: doc, text });
    if (this.complaint === undefined) return;
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `Document ${doc} was removed with a different text than it was added with: ${this.complaint}`,
    );
  }

  async search(
    query: string,
    { limit, filter, prefix = this.settings.prefix, signal }: TextSearchOptions,
  ): Promise<TextHit[]> {
    // MiniSearch searches synchronously: this is the only point to cancel.
    if (signal?.aborted) throw abortedBy(signal.reason);
    if (!Number.isInteger(limit) || limit < 1)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The limit of a text search is ${limit}; pass an integer of at least 1.`,
      );
    const { counts, lastWord } = this.queryWordsOf(query);
    if (counts.size === 0 || filter?.size === 0) return [];
    const allowed = filter && docSetMembership(filter);
    const { fuzzy } = this.settings;
    const results = this.index.search('query', {
      // The words are already extracted and must not pass through the limits for documents.
      tokenize: () => [...counts.keys()],
      // Weights a repeated word by its number of occurrences: the score is the same, and its
      // posting list is scanned once.
      boostTerm: (word) => counts.get(word)!,
      prefix: prefix ? (word) => word === lastWord && isPrefix(word) : false,
      fuzzy,
      // Filters during the scan: a document boosted by 0 is skipped before it is scored.
      ...(allowed && { boostDocument: (doc: DocId) => (allowed(doc) ? 1 : 0) }),
      // Plain BM25: the lower bound of BM25+ (d = 0.5, MiniSearch's default) hurts relevance on
      // short texts.
      bm25: { k: 1.2, b: 0.75, d: 0 },
    });
    return bestOf(results, limit);
  }

  private indexedWordsOf(text: string): string[] {
    const { maxTextLength, stopWords } = this.settings;
    const words = wordsOf(text.length > maxTextLength ? text.slice(0, maxTextLength) : text);
    return stopWords.size === 0 ? words : words.filter((word) => !stopWords.has(word));
  }

  /**
   * Returns the distinct words of a query with their number of occurrences, and the last word,
   * unless the limit cut it off.
   */
  private queryWordsOf(query: string): { counts: Map<string, number>; lastWord: string | undefined } {
    const { maxQueryWords, stopWords } = this.settings;
    const trimmed = query.trimStart();
    let complete = trimmed.length <= MAX_QUERY_LENGTH;
    const counts = new Map<string, number>();
    let lastWord: string | undefined;
    for (const word of wordsOf(trimmed.slice(0, MAX_QUERY_LENGTH))) {
      if (stopWords.has(word)) continue;
      const count = counts.get(word) ?? 0;
      if (count === 0 && counts.size === maxQueryWords) {
        complete = false;
        continue;
      }
      counts.set(word, count + 1);
      lastWord = word;
    }
    return { counts, lastWord: complete ? lastWord : undefined };
  }
}

function abortedBy(reason: unknown): WorldsError {
  if (reason instanceof WorldsError) return reason;
  const timedOut = (reason as Partial<Error> | undefined)?.name === 'TimeoutError';
  return new WorldsError(timedOut ? 'TIMEOUT' : 'ABORTED', 'The search was aborted by its signal.', { cause: reason });
}

function isPrefix(word: string): boolean {
  return word.length >= MIN_PREFIX_LENGTH || isUnspaced(word);
}

/**
 * Returns the first `limit` results, which come by descending score, by descending score and then
 * ascending document.
 */
function bestOf(results: readonly { id: DocId; score: number }[], limit: number): TextHit[] {
  const hits: TextHit[] = [];
  for (const { id, score } of results) {
    // MiniSearch keeps the average length as a running mean, whose last bits depend on the order of
    // additions and removals. Rounding makes equal scores tie.
    const rounded = Math.fround(score);
    // Beyond the limit, a result that ties with the last hit may have a smaller document number.
    if (hits.length >= limit && rounded !== hits[hits.length - 1].score) break;
    hits.push({ doc: id, score: rounded });
  }
  hits.sort((a, b) => b.score - a.score || a.doc - b.doc);
  hits.length = Math.min(hits.length, limit);
  return hits;
}
