import type { DocId } from '../../contracts/doc-set.ts';
import { Slicer } from '../../contracts/slicer.ts';
import type {
  StoredTextIndexPart,
  TermScore,
  TextExplainOptions,
  TextFeedback,
  TextHit,
  TextIndex,
  TextIndexDocument,
  TextIndexFactory,
  TextIndexPart,
  TextRange,
  TextSearchOptions,
  WordHits,
  WordWeight,
} from '../../contracts/text-index.ts';
import { requireKnownFields } from '../../model/known-fields.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { analyzerFingerprint, languageFingerprint } from './analysis/analyzer-fingerprint.ts';
import { highlight } from './analysis/highlight.ts';
import { LANGUAGE_TABLE } from './analysis/language-table.ts';
import { languageNumber, loadedLanguage, loadLanguage } from './analysis/languages.ts';
import { DocumentPostings, type PostingsReading, type PostingsStatistics } from './document-postings.ts';
import { decodePostings, encodePostings, type StoredAnalysis } from './stored/stored-postings.ts';

/** Fewer documents are indexed again as fast as their index is read. */
const MIN_STORED = 1024;

/** Options of {@link bm25TextIndex}. */
export interface Bm25TextIndexOptions {
  /**
   * Language of texts without a tag, as a tag (BCP 47). With '', they are neither stemmed nor
   * checked for stop words. Default: `en`.
   */
  readonly defaultLanguage?: string | undefined;
  /**
   * Number of UTF-16 units indexed per document; the rest is not found. Default: 262,144, about
   * 40,000 words.
   */
  readonly maxTextLength?: number | undefined;
}

/**
 * The default text index: BM25 over typed arrays in memory, exact, about 30 bytes per short text.
 * Stemming and stop words follow the language tags of documents. README.md in this folder describes
 * the design. Throws INVALID_ARGUMENT for options out of range.
 */
export function bm25TextIndex(options: Bm25TextIndexOptions = {}): TextIndexFactory {
  requireKnownFields(options, ['defaultLanguage', 'maxTextLength'], 'bm25TextIndex');
  const { defaultLanguage = 'en', maxTextLength = 262_144 } = options;
  if (!Number.isInteger(maxTextLength) || maxTextLength < 1)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `bm25TextIndex: maxTextLength is ${maxTextLength}; pass an integer of at least 1.`,
    );
  return async () => {
    await loadLanguage(languageNumber(defaultLanguage));
    return new Bm25TextIndex(defaultLanguage, maxTextLength);
  };
}

interface WaitingDocument {
  readonly text: string;
  readonly language: number;
  readonly group: number;
}

/**
 * TextIndex over {@link DocumentPostings}: validates arguments, and holds back documents whose
 * language is still loading.
 */
export class Bm25TextIndex implements TextIndex {
  readonly supportsAccepts = true;
  private readonly defaultLanguage: string;
  private readonly maxTextLength: number;
  private readonly postings: DocumentPostings;
  private readonly corrections: boolean;
  /** Documents whose language is loading; a search waits for it. */
  private readonly waiting = new Map<DocId, WaitingDocument>();

  private readonly minStored: number;

  /**
   * @param corrections whether unknown words are treated as misspellings
   * @param minStored number of documents from which the index is worth storing
   */
  constructor(defaultLanguage: string, maxTextLength: number, corrections = true, minStored = MIN_STORED) {
    this.minStored = minStored;
    this.defaultLanguage = defaultLanguage;
    this.corrections = corrections;
    this.maxTextLength = maxTextLength;
    this.postings = new DocumentPostings(maxTextLength);
  }

  get size(): number {
    return this.postings.size + this.waiting.size;
  }

  get memoryBytes(): number {
    let bytes = this.postings.memoryBytes;
    for (const { text } of this.waiting.values()) bytes += text.length * 2;
    return bytes;
  }

  get statistics(): PostingsStatistics {
    return this.postings.statistics;
  }

  prepare(text: string): Generator<void, void> {
    return this.postings.prepare(text);
  }

  /** Throws INVALID_ARGUMENT if the number is in use. */
  add(doc: DocId, text: string, language: string, group = 0): void {
    if (this.waiting.has(doc) || this.postings.has(doc))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `Document ${doc} is already in the index; remove it before you add it again.`,
      );
    const number = this.numberOf(language);
    const rules = loadedLanguage(number);
    if (rules) {
      this.postings.add(doc, text, rules, group);
      return;
    }
    this.waiting.set(doc, { text: text.slice(0, this.maxTextLength), language: number, group });
    // Starts loading early. A search that needs the language loads it again and reports the
    // failure.
    loadLanguage(number).catch(() => undefined);
  }

  /** Throws INVALID_ARGUMENT if the document is absent or was added with another text. */
  remove(doc: DocId, text: string, language: string, group = 0): void {
    if (this.waiting.delete(doc)) return;
    const rules = loadedLanguage(this.numberOf(language));
    if (rules && this.postings.remove(doc, text, rules, group)) return;
    throw new WorldsError(
      'INVALID_ARGUMENT',
      this.postings.has(doc)
        ? `Document ${doc} was added with a different text or language; pass those that it was added with.`
        : `Document ${doc} is not in the index, so it cannot be removed.`,
    );
  }

  /** Throws INVALID_ARGUMENT for a limit below 1; ABORTED or TIMEOUT when the signal fires. */
  async search(query: string, options: TextSearchOptions): Promise<TextHit[]> {
    const { limit, filter, accepts, signal } = options;
    throwIfAborted(signal);
    if (!Number.isInteger(limit) || limit < 1)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The limit of a text search is ${limit}; pass an integer of at least 1.`,
      );
    if (this.waiting.size > 0) await this.catchUp(signal);
    const { prefix, corrections, scope, feedback } = this.reading(options);
    return this.postings.search(query, { prefix, corrections, scope, feedback, signal, limit, filter, accepts });
  }

  async wordHits(query: string, options: Omit<TextSearchOptions, 'limit'>): Promise<WordHits[]> {
    const { filter, accepts, signal } = options;
    throwIfAborted(signal);
    if (this.waiting.size > 0) await this.catchUp(signal);
    return this.postings.wordHits(query, { ...this.reading(options), filter, accepts });
  }

  async explain(query: string, doc: DocId, options: TextExplainOptions = {}): Promise<readonly TermScore[]> {
    return (await this.explainer(query, options))(doc);
  }

  async explainer(query: string, options: TextExplainOptions = {}): Promise<(doc: DocId) => readonly TermScore[]> {
    throwIfAborted(options.signal);
    if (this.waiting.size > 0) await this.catchUp(options.signal);
    return this.postings.explainer(query, this.reading(options));
  }

  async wordWeights(query: string, options: TextExplainOptions = {}): Promise<readonly WordWeight[]> {
    throwIfAborted(options.signal);
    if (this.waiting.size > 0) await this.catchUp(options.signal);
    return this.postings.wordWeights(query, this.reading(options));
  }

  highlight(text: string, language: string, terms: ReadonlySet<string>): readonly TextRange[] {
    const rules = loadedLanguage(this.numberOf(language));
    return rules ? highlight(text, rules, terms, this.maxTextLength) : [];
  }

  hasWords(query: string): boolean {
    return this.waiting.size > 0 || this.postings.hasWords(query);
  }

  async compact(signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    if (this.waiting.size > 0) await this.catchUp(signal);
    await this.postings.compact(new Slicer(signal));
  }

  get canStore(): boolean {
    return this.size >= this.minStored;
  }

  async settle(): Promise<void> {
    if (this.waiting.size > 0) await this.catchUp(undefined);
  }

  store(newName: (kind: string) => string): TextIndexPart[] | undefined {
    if (this.waiting.size > 0) return undefined;
    const contents = this.postings.contents();
    const languages = Array.from(
      contents.languages,
      (number) => [number, languageFingerprint(loadedLanguage(number)!)] as const,
    );
    return encodePostings(contents, { analyzer: this.analyzer, languages }, newName);
  }

  async restore(parts: readonly StoredTextIndexPart[], signal?: AbortSignal): Promise<boolean> {
    const contents = await decodePostings(parts, (analysis) => this.isSameAnalysis(analysis));
    if (!contents) return false;
    await new Slicer(signal).run(this.postings.adopt(contents));
    return true;
  }

  async check(documents: Iterable<TextIndexDocument>, signal?: AbortSignal): Promise<readonly string[]> {
    await this.settle();
    const slicer = new Slicer(signal);
    const built = new Bm25TextIndex(this.defaultLanguage, this.maxTextLength);
    for (const { doc, text, language, group } of documents) {
      built.add(doc, text, language, group);
      if (slicer.due) await slicer.pause();
    }
    await built.settle();
    return slicer.run(this.postings.differences(built.postings));
  }

  private get analyzer(): string {
    return analyzerFingerprint(this.defaultLanguage, this.maxTextLength);
  }

  /** Loads the languages of a stored index if its analyser is this one, and compares them. */
  private async isSameAnalysis({ analyzer, languages }: StoredAnalysis): Promise<boolean> {
    if (analyzer !== this.analyzer) return false;
    for (const [number, fingerprint] of languages) {
      if (LANGUAGE_TABLE[number] === undefined) return false;
      if (languageFingerprint(await loadLanguage(number)) !== fingerprint) return false;
    }
    return true;
  }

  private reading({ prefix = false, scope, feedback, signal }: TextExplainOptions): PostingsReading {
    return { prefix, corrections: this.corrections, scope, feedback: feedback && this.feedbackOf(feedback), signal };
  }

  private feedbackOf({ documents, ...rest }: TextFeedback): PostingsReading['feedback'] {
    const known = documents.flatMap(({ text, language, weight }) => {
      const rules = loadedLanguage(this.numberOf(language));
      return rules ? [{ text, language: rules, weight }] : [];
    });
    return { ...rest, documents: known };
  }

  private numberOf(language: string): number {
    return languageNumber(language === '' ? this.defaultLanguage : language);
  }

  /** Indexes the documents that wait for their language. */
  private async catchUp(signal: AbortSignal | undefined): Promise<void> {
    const numbers = new Set(Array.from(this.waiting.values(), ({ language }) => language));
    await Promise.all(Array.from(numbers, (number) => loadLanguage(number)));
    const slicer = new Slicer(signal);
    for (const [doc, { text, language, group }] of this.waiting) {
      const rules = loadedLanguage(language);
      // Added during a pause; its language is not loaded yet.
      if (!rules) continue;
      this.postings.add(doc, text, rules, group);
      this.waiting.delete(doc);
      if (slicer.due) await slicer.pause();
    }
    throwIfAborted(signal);
  }
}
