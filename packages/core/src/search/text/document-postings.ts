import type { DocId, DocSet } from '../../contracts/doc-set.ts';
import { Slicer } from '../../contracts/slicer.ts';
import type { TermScore, TextHit, TextScope, WordHits, WordWeight } from '../../contracts/text-index.ts';
import { throwIfAborted } from '../../model/worlds-error.ts';
import { LANGUAGE_TABLE } from './analysis/language-table.ts';
import { type Language, loadedLanguage } from './analysis/languages.ts';
import { TextAnalyzer } from './analysis/text-analyzer.ts';
import { comparePostings } from './compare-postings.ts';
import { type GroupCount, GroupCounts } from './group-counts.ts';
import { Bm25 } from './postings/bm25.ts';
import { lengthCode } from './postings/length-code.ts';
import type { Segment } from './postings/segment.ts';
import { SEGMENT_LIMITS, type SegmentLimits, SegmentSet } from './postings/segment-set.ts';
import { countInScope } from './query/count-in-scope.ts';
import { DocumentExplainer } from './query/document-explainer.ts';
import { type Feedback, feedbackWords } from './query/feedback-words.ts';
import { FilterCursor } from './query/filter-cursor.ts';
import { NARROW_DOCUMENTS, NarrowScope } from './query/narrow-scope.ts';
import { type QueryToken, queryTokens } from './query/query-tokens.ts';
import type { QueryWord } from './query/query-word.ts';
import { QueryWords } from './query/query-words.ts';
import { scanHead } from './query/scan-head.ts';
import { scanSegment } from './query/scan-segment.ts';
import { scoreWindow } from './query/score-window.ts';
import { TopHits } from './query/top-hits.ts';
import { WordScan } from './query/word-scan.ts';
import type { Spellings } from './words/corrections.ts';
import { KeptSpellings } from './words/kept-spellings.ts';
import { SpellingList } from './words/spelling-list.ts';
import { type WordColumns, WordTable } from './words/word-table.ts';

/**
 * Units of maintenance per added or removed posting: more than a posting needs on its way through
 * the merges.
 */
const UPKEEP = 8;
/** Unused words are purged once there are this many, and more than used ones. */
const MIN_PURGED_WORDS = 4096;

/** Maximum number of cached statistics of scopes: about 5 KB each. */
const MAX_SCOPED = 32;

/** Longer queries are not remembered, in UTF-16 units. */
const MAX_KEPT_QUERY = 1024;

const NO_DEAD = new Uint32Array(0);

/** Size statistics of an index. */
export interface PostingsStatistics {
  readonly documents: number;
  /** Removed documents whose postings still exist. */
  readonly deadDocuments: number;
  readonly postings: number;
  /** Including the head. */
  readonly segments: number;
  /** Words and stems, including unused ones. */
  readonly words: number;
  readonly wordBytes: number;
  readonly postingBytes: number;
}

export interface PostingsReading {
  readonly prefix: boolean;
  /** If false, a word that is not in the index has no hits. */
  readonly corrections?: boolean;
  readonly scope?: TextScope | undefined;
  readonly feedback?: Feedback | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Documents that are searched. */
export interface PostingsScan extends PostingsReading {
  readonly filter: DocSet | undefined;
  /** Tested on candidates that the filter allows. */
  readonly accepts?: ((doc: DocId) => boolean) | undefined;
}

export interface PostingsQuery extends PostingsScan {
  readonly limit: number;
}

/** Everything in an index, as it is stored. Immutable. */
export interface PostingsContents {
  readonly words: WordColumns;
  /** The languages of the words, by number. */
  readonly languages: ReadonlySet<number>;
  readonly groups: Iterable<GroupCount>;
  /** The segments, and a bitmap of the dead documents of each; empty if there are none. */
  readonly segments: readonly { readonly segment: Segment; readonly dead: Uint32Array }[];
}

/** A query resolved against an index. */
interface ReadQuery {
  readonly words: readonly QueryWord[];
  readonly bm25: Bm25;
  /** Postings of a small scope that were read along the way. */
  readonly narrow?: NarrowScope | undefined;
  /** How much the words of the query tell, without those of feedback. */
  readonly weights: () => readonly WordWeight[];
}

/**
 * Documents by their words: the word table, the postings and the BM25 statistics, kept consistent.
 */
export class DocumentPostings {
  private readonly maxTextLength: number;
  private readonly limits: SegmentLimits;
  private readonly narrowDocuments: number;
  private words!: WordTable;
  private beginnings!: SpellingList;
  private endings!: SpellingList;
  private analyzer!: TextAnalyzer;
  private set!: SegmentSet;
  private count = 0;
  /** Number of words in all documents, with repetitions, without stop words. */
  private length = 0;
  /** Number of documents by language number. */
  private byLanguage!: Uint32Array;
  /** Number of words and terms used by some document. */
  private usedWords = 0;
  private purge: Generator<number, void> | undefined;
  /** Maintenance still due; negative if done in advance. */
  private owed = 0;
  private bm25: Bm25 | undefined;
  /** The last query of all documents: a search reads it more than once. */
  private lastRead: { readonly key: string; readonly read: ReadQuery } | undefined;
  private readonly groups = new GroupCounts();
  private readonly scopedBm25 = new Map<string, Bm25>();
  private kept!: KeptSpellings;
  private sorting: Promise<void> | undefined;

  /**
   * Reads at most `maxTextLength` UTF-16 units of a text.
   *
   * @param narrowDocuments maximum size of a scope whose postings are read completely
   */
  constructor(maxTextLength: number, limits = SEGMENT_LIMITS, narrowDocuments = NARROW_DOCUMENTS) {
    this.maxTextLength = maxTextLength;
    this.limits = limits;
    this.narrowDocuments = narrowDocuments;
    this.clear();
  }

  get size(): number {
    return this.count;
  }

  get memoryBytes(): number {
    return this.wordBytes + this.set.byteLength;
  }

  get statistics(): PostingsStatistics {
    const { head, segments } = this.set;
    return {
      documents: this.count,
      deadDocuments: segments.reduce((sum, { deadCount }) => sum + deadCount, head.deadCount),
      postings: segments.reduce((sum, { postings }) => sum + postings, head.postings),
      segments: segments.length + 1,
      words: this.words.count,
      wordBytes: this.wordBytes,
      postingBytes: this.set.byteLength,
    };
  }

  private get wordBytes(): number {
    return this.words.byteLength + this.beginnings.byteLength + this.endings.byteLength + this.kept.byteLength;
  }

  has(doc: DocId): boolean {
    return this.set.has(doc);
  }

  /** Optional preparation of a long text before `add` or `remove`, in steps. */
  prepare(text: string): Generator<void, void> {
    return this.analyzer.prepare(text, this.maxTextLength);
  }

  /** Adds a document under an unused number. */
  add(doc: DocId, text: string, language: Language, group = 0): void {
    const { analyzer, words } = this;
    analyzer.analyze(text, language, this.maxTextLength, true);
    for (let at = 0; at < analyzer.wordCount; at++) {
      const word = analyzer.words[at];
      if (words.uses[word]++ === 0 && words.documents[word] === 0) this.usedWords++;
    }
    for (let at = 0; at < analyzer.termCount; at++) {
      const term = analyzer.terms[at];
      if (words.documents[term]++ === 0 && words.uses[term] === 0) this.usedWords++;
    }
    this.set.add(doc, lengthCode(analyzer.length), analyzer.terms, analyzer.frequencies, analyzer.termCount);
    this.count++;
    this.length += analyzer.length;
    this.byLanguage[language.number]++;
    this.groups.add(group, language.number, analyzer.length);
    this.bm25 = undefined;
    this.upkeep(analyzer.termCount);
  }

  /**
   * Removes a document. Returns false and changes nothing if it is absent or cannot have had this
   * text.
   */
  remove(doc: DocId, text: string, language: Language, group = 0): boolean {
    const { analyzer, words } = this;
    if (this.groups.documents(group, language.number) === 0) return false;
    if (!analyzer.analyze(text, language, this.maxTextLength, false)) return false;
    if (this.set.lengthOf(doc) !== lengthCode(analyzer.length)) return false;
    for (let at = 0; at < analyzer.termCount; at++) if (words.documents[analyzer.terms[at]] === 0) return false;
    for (let at = 0; at < analyzer.wordCount; at++) if (words.uses[analyzer.words[at]] === 0) return false;
    this.set.kill(doc);
    for (let at = 0; at < analyzer.wordCount; at++) {
      const word = analyzer.words[at];
      if (--words.uses[word] === 0 && words.documents[word] === 0) this.usedWords--;
    }
    for (let at = 0; at < analyzer.termCount; at++) {
      const term = analyzer.terms[at];
      if (--words.documents[term] === 0 && words.uses[term] === 0) this.usedWords--;
    }
    this.count--;
    this.length -= analyzer.length;
    this.byLanguage[language.number]--;
    this.groups.remove(group, language.number, analyzer.length);
    this.bm25 = undefined;
    // Free all memory as soon as no document is left.
    if (this.count === 0) this.clear();
    else this.upkeep(analyzer.termCount);
    return true;
  }

  async search(query: string, reading: PostingsQuery): Promise<TextHit[]> {
    const top = new TopHits(Math.min(reading.limit, this.count));
    const read = await this.readFor(query, reading);
    if (read) await this.scan(read, reading, top);
    return top.drain();
  }

  /** Returns the documents of each word of a query, unordered. */
  async wordHits(query: string, reading: PostingsScan): Promise<WordHits[]> {
    const read = await this.readFor(query, reading);
    const found: WordHits[] = [];
    const slicer = new Slicer(reading.signal);
    for (const word of read?.words ?? []) {
      const top = new TopHits(undefined);
      await this.scan({ ...read!, words: [word] }, reading, top, slicer);
      found.push({ word: word.text, ...top.all });
    }
    return found;
  }

  /** Returns the query; undefined if it cannot have hits. */
  private async readFor(query: string, reading: PostingsScan): Promise<ReadQuery | undefined> {
    if (this.count === 0 || reading.filter?.size === 0) return undefined;
    const read = await this.read(query, reading);
    return read.words.length === 0 ? undefined : read;
  }

  private async scan(
    { words, bm25, narrow }: ReadQuery,
    { filter, accepts, signal }: PostingsScan,
    top: TopHits,
    slicer = new Slicer(signal),
  ): Promise<void> {
    const { head, segments } = this.set;
    try {
      // The filter is within the scope.
      if (narrow && filter) {
        narrow.score(words, bm25, top, filter, accepts);
        return;
      }
      scanHead(head, words, bm25, top, filter, accepts);
    } catch (cause) {
      scoreWindow.clear();
      throw cause;
    }
    const scans = words.map((word) => new WordScan(word, bm25));
    const cursor = filter && new FilterCursor(filter);
    try {
      for (const segment of segments) {
        const kernel = scanSegment(segment, scans, top, cursor, accepts);
        while (!kernel.next().done) if (slicer.due) await slicer.pause();
      }
    } catch (cause) {
      // `accepts` may throw while the shared window holds scores.
      scoreWindow.clear();
      throw cause;
    } finally {
      for (const scan of scans) scan.release();
    }
  }

  /** Returns the contribution of each query word to a document's score. */
  async explain(query: string, doc: DocId, reading: PostingsReading): Promise<readonly TermScore[]> {
    return (await this.explainer(query, reading))(doc);
  }

  /** Like `explain`, for many documents; valid until a document is added or removed. */
  async explainer(query: string, reading: PostingsReading): Promise<(doc: DocId) => readonly TermScore[]> {
    if (this.count === 0) return () => [];
    const { words, bm25 } = await this.read(query, reading);
    const explainer = new DocumentExplainer(this.set, this.words, words, bm25);
    return (doc) => explainer.scoresOf(doc);
  }

  /** Returns how much each word of a query tells, unknown words included. */
  async wordWeights(query: string, reading: PostingsReading): Promise<readonly WordWeight[]> {
    return (await this.read(query, reading)).weights();
  }

  /**
   * Returns whether a query has a word that is not a stop word in some language of the documents.
   */
  hasWords(query: string): boolean {
    const { languages } = this.statisticsOf(undefined);
    const words = new QueryWords(this.words, languages, (term) => this.words.documents[term]);
    return queryTokens(query).some((token) => !words.isLeftOut(token));
  }

  /** Returns a copy of what may change, and seals the head. */
  contents(): PostingsContents {
    this.set.seal();
    return {
      words: this.words.columns(),
      languages: this.words.languages(),
      groups: [...this.groups],
      segments: this.set.segments.map((segment) => ({ segment, dead: segment.dead?.slice() ?? NO_DEAD })),
    };
  }

  /**
   * Fills an empty index with the contents of another, whose segments it takes over. A kernel.
   * Throws a RangeError if the contents are inconsistent. The languages of the documents must be
   * loaded.
   */
  *adopt({ words, groups, segments }: Omit<PostingsContents, 'languages'>): Generator<void, void> {
    yield* this.words.adopt(words);
    const { documents, uses, size } = this.words;
    for (let word = 0; word < size; word++) if (documents[word] > 0 || uses[word] > 0) this.usedWords++;
    let living = 0;
    for (const { segment, dead } of segments) {
      segment.bury(dead);
      living += segment.size - segment.deadCount;
    }
    this.set.adopt(segments.map(({ segment }) => segment));
    for (const each of groups) {
      if (!loadedLanguage(each.language)) throw new RangeError(`Language ${each.language} is not loaded.`);
      this.groups.set(each);
      this.byLanguage[each.language] += each.documents;
      this.count += each.documents;
      this.length += each.length;
    }
    if (living !== this.count) throw new RangeError(`The segments have ${living} documents, not ${this.count}.`);
  }

  /**
   * Compares the index with one of the same documents that was built from their texts. A kernel.
   */
  *differences(built: DocumentPostings): Generator<void, string[]> {
    const sides = [this, built].map(({ words, set, groups }) => {
      set.seal();
      return { words, segments: set.segments, groups: [...groups] };
    });
    return yield* comparePostings(sides[0], sides[1]);
  }

  /** Merges everything into one segment and purges unused words, in slices. */
  async compact(slicer: Slicer): Promise<void> {
    this.set.seal();
    while (this.set.stepToOne() > 0) if (slicer.due) await slicer.pause();
    // A purge in progress misses words that became unused after it started.
    while (this.purgeStep() > 0) if (slicer.due) await slicer.pause();
    this.purge ??= this.forgetWords();
    while (this.purgeStep() > 0) if (slicer.due) await slicer.pause();
  }

  /**
   * Resolves the terms of a query and their weights, by the statistics of a scope or of all
   * documents.
   */
  private async read(query: string, reading: PostingsReading): Promise<ReadQuery> {
    const { prefix, corrections = true, scope, feedback } = reading;
    if (scope || feedback || query.length > MAX_KEPT_QUERY) return this.readTokens(queryTokens(query), reading);
    const known = this.lastRead;
    // Each change of the documents makes a new `bm25`.
    if (known?.read.bm25 === this.bm25 && known?.key === `${prefix} ${corrections} ${query}`) return known.read;
    const read = await this.readTokens(queryTokens(query), reading);
    this.lastRead = { key: `${prefix} ${corrections} ${query}`, read };
    return read;
  }

  private async readTokens(
    tokens: readonly QueryToken[],
    { prefix, corrections = true, scope, feedback, signal }: PostingsReading,
  ): Promise<ReadQuery> {
    const { documents, length, languages } = this.statisticsOf(scope);
    if (documents === 0) return { words: [], bm25: new Bm25(0, 0), weights: () => [] };
    const narrow = scope && NarrowScope.open(this.set, scope.documents, this.narrowDocuments);
    const documentsOf = this.counter(scope, narrow);
    const words = new QueryWords(this.words, languages, documentsOf, corrections);
    if (scope) {
      // A posting list may be long, so check for a pause after each word.
      const slicer = new Slicer(signal);
      for (const token of tokens) {
        words.count(token);
        if (slicer.due) await slicer.pause();
      }
    }
    if (words.needsSpellings(tokens, prefix)) await this.sortSpellings();
    throwIfAborted(signal);
    // A small scope needs few values, so precomputed tables do not pay.
    const bm25 = narrow
      ? new Bm25(documents, length)
      : scope
        ? this.bm25Of(documents, length)
        : (this.bm25 ??= new Bm25(documents, length));
    const read = words.words(tokens, prefix, this.spellings, bm25);
    const weights = () => words.weights(tokens, read, bm25);
    if (!feedback || read.length === 0) return { words: read, bm25, narrow, weights };
    const { analyzer, words: table, maxTextLength } = this;
    return {
      words: feedbackWords(read, feedback, { analyzer, table, maxTextLength, bm25, documentsOf }),
      bm25,
      narrow,
      weights,
    };
  }

  /**
   * Returns a function that counts the documents of the scope that contain a term, cached per term.
   */
  private counter(scope: TextScope | undefined, narrow: NarrowScope | undefined): (term: number) => number {
    const { documents } = this.words;
    if (!scope) return (term) => documents[term];
    if (narrow) return (term) => (documents[term] === 0 ? 0 : narrow.count(term));
    const counts = new Map<number, number>();
    return (term) => {
      let count = counts.get(term);
      if (count === undefined) {
        count = documents[term] === 0 ? 0 : countInScope(this.set, term, scope.documents);
        counts.set(term, count);
      }
      return count;
    };
  }

  /** Cached, because the next search of the same worlds reuses its tables. */
  private bm25Of(documents: number, length: number): Bm25 {
    const key = `${documents} ${length}`;
    let bm25 = this.scopedBm25.get(key);
    if (!bm25) {
      bm25 = new Bm25(documents, length);
      if (this.scopedBm25.size >= MAX_SCOPED) this.scopedBm25.clear();
      this.scopedBm25.set(key, bm25);
    }
    return bm25;
  }

  private get spellings(): Spellings {
    const { beginnings, endings, kept } = this;
    return { beginnings: beginnings.runs, endings: endings.runs, changes: beginnings.changes + endings.changes, kept };
  }

  private statisticsOf(scope: TextScope | undefined) {
    const languages = new Map<Language, number>();
    let all = 0;
    let length = 0;
    const { byLanguage } = this;
    for (let number = 0; number < byLanguage.length; number++) {
      const documents = byLanguage[number];
      if (documents === 0) continue;
      const own = scope ? this.groups.sum(scope.groups, number) : { documents, length: 0 };
      if (own.documents === 0) continue;
      // Documents are only added after their language is loaded.
      languages.set(loadedLanguage(number)!, own.documents);
      all += own.documents;
      length += own.length;
    }
    return { documents: all, length: scope ? length : this.length, languages };
  }

  /**
   * Sorts new spellings in, in slices and to completion; concurrent searches wait for the same run.
   */
  private async sortSpellings(): Promise<void> {
    if (this.beginnings.isCurrent && this.endings.isCurrent && !this.sorting) return;
    this.sorting ??= new Slicer().run(this.sortKernel()).finally(() => {
      this.sorting = undefined;
    });
    await this.sorting;
  }

  private *sortKernel(): Generator<unknown, void> {
    // Purging and sorting must not modify the list at the same time.
    if (this.purge) yield* this.purge;
    this.purge = undefined;
    yield* this.beginnings.catchUp();
    yield* this.endings.catchUp();
  }

  /** Does the maintenance due for a number of postings. */
  private upkeep(postings: number): void {
    this.owed += (postings + 1) * UPKEEP;
    while (this.owed > 0) {
      const unused = this.words.count - this.words.stopWords - this.usedWords;
      if (unused > MIN_PURGED_WORDS && unused > this.usedWords) this.purge ??= this.forgetWords();
      const done = this.purgeStep() || this.set.step();
      if (done === 0) {
        this.owed = 0;
        return;
      }
      this.owed -= done;
    }
  }

  private forgetWords(): Generator<number, void> {
    return this.words.purge(() => this.purgeSpellings());
  }

  private *purgeSpellings(): Generator<number, void> {
    yield* this.beginnings.purge();
    yield* this.endings.purge();
  }

  /** Purges some words, if a purge is due, and returns the work done: 0 for none. */
  private purgeStep(): number {
    // Word numbers must not change while words are being sorted.
    if (!this.purge || this.sorting) return 0;
    const step = this.purge.next();
    if (!step.done) return Math.max(1, step.value);
    this.purge = undefined;
    return 1;
  }

  private clear(): void {
    this.words = new WordTable();
    this.beginnings = new SpellingList(this.words, 'forwards');
    this.endings = new SpellingList(this.words, 'backwards');
    this.kept = new KeptSpellings();
    this.analyzer = new TextAnalyzer(this.words, (word) => {
      this.beginnings.push(word);
      this.endings.push(word);
    });
    this.set = new SegmentSet(this.limits);
    this.byLanguage = new Uint32Array(LANGUAGE_TABLE.length);
    this.count = 0;
    this.length = 0;
    this.usedWords = 0;
    this.purge = undefined;
    this.owed = 0;
    this.bm25 = undefined;
    this.groups.clear();
  }
}
