import type { WordWeight } from '../../../contracts/text-index.ts';
import type { Language } from '../analysis/languages.ts';
import { writeUtf8 } from '../analysis/utf8.ts';
import { hashBytes } from '../analysis/word-hash.ts';
import type { Bm25 } from '../postings/bm25.ts';
import { completionsOf } from '../words/completions.ts';
import { allowedMistakes, correctionsOf, type Spellings } from '../words/corrections.ts';
import type { NearbyTerm } from '../words/nearby-terms.ts';
import { ACCENTED, ONLY_STEM, STOP_WORD, type WordTable } from '../words/word-table.ts';
import { accentedStemIn, type QueryToken, stemIn } from './query-tokens.ts';
import type { QueryTerm, QueryWord } from './query-word.ts';

/** Maximum weight of a word that completes the last query word. */
const COMPLETION_WEIGHT = 0.75;

/** Index data of a query word. */
interface Meaning {
  /** Terms of the word in all languages. */
  readonly terms: readonly number[];
  /**
   * Number of documents that contain it. A document has one language, so the counts of the
   * languages add up. In a language where it is a stop word, all documents count; otherwise `the`
   * would favour documents that happen to quote it in another language.
   */
  readonly documents: number;
  /** Whether it is a stop word in some language, so that having no terms is not a misspelling. */
  readonly isStopWord: boolean;
}

/**
 * Maps the words of a query to terms of an index.
 *
 * A query has no language, so each word is analysed once per language of the documents and matches
 * the documents of that language by its stem. Terms are separate per language: `gift` finds the
 * German `Gift` by German rules, and never an English word by a German stem. This costs one lookup
 * per language and no memory; storing unstemmed words in the postings as well would double their
 * size.
 */
export class QueryWords {
  private readonly table: WordTable;
  /** Languages of the documents, with their numbers of documents. */
  private readonly languages: ReadonlyMap<Language, number>;
  private readonly documentsOf: (term: number) => number;
  private readonly corrects: boolean;
  private readonly meanings = new Map<QueryToken, Meaning>();

  /**
   * @param documentsOf returns the number of documents, among those that count, that contain a term
   */
  constructor(
    table: WordTable,
    languages: ReadonlyMap<Language, number>,
    documentsOf: (term: number) => number,
    corrects = true,
  ) {
    this.table = table;
    this.languages = languages;
    this.documentsOf = documentsOf;
    this.corrects = corrects;
  }

  /** Looks up the document count of a word, so that the owner can cache it. */
  count(token: QueryToken): void {
    this.meaningOf(token);
  }

  /** Returns whether a word is a stop word in every language of the documents. */
  isLeftOut(token: QueryToken): boolean {
    const { terms, isStopWord } = this.meaningOf(token);
    return isStopWord && terms.length === 0;
  }

  /** Returns whether a query requires the sorted list of spellings. */
  needsSpellings(tokens: readonly QueryToken[], prefix: boolean): boolean {
    return tokens.some(
      (token) =>
        (prefix && token.isLast) ||
        (this.corrects && allowedMistakes(token.folded) > 0 && this.isUnknown(this.meaningOf(token))),
    );
  }

  /**
   * Returns the words that can score; words with the same terms are merged. `spellings` are
   * required if `needsSpellings` returned true.
   */
  words(tokens: readonly QueryToken[], prefix: boolean, spellings: Spellings, bm25: Bm25): QueryWord[] {
    const known = new Map<string, { text: string; terms: readonly number[]; factor: number }>();
    const guesses: QueryWord[] = [];
    for (const token of tokens) {
      const meaning = this.meaningOf(token);
      const { terms, documents } = meaning;
      if (terms.length > 0) {
        const factor = token.count * bm25.idf(documents);
        const key = terms.join();
        const before = known.get(key);
        if (before) before.factor += factor;
        else known.set(key, { text: token.folded, terms, factor });
      }
      const guess = this.guess(token, meaning, prefix && token.isLast, spellings, bm25);
      if (guess) guesses.push(guess);
    }
    return [
      ...Array.from(known.values(), ({ text, terms, factor }) => ({
        text,
        terms: terms.map((term): QueryTerm => ({ term, factor })),
      })),
      ...guesses,
    ];
  }

  /**
   * Returns the weight of each word of a query: of those that can score, and of unknown ones.
   *
   * @param words the result of `words` for these tokens
   */
  weights(tokens: readonly QueryToken[], words: readonly QueryWord[], bm25: Bm25): WordWeight[] {
    const weights = new Map<string, number>();
    for (const { text, terms } of words) {
      for (const { factor } of terms) weights.set(text, Math.max(factor, weights.get(text) ?? 0));
    }
    for (const token of tokens) {
      const { folded, count } = token;
      if (this.isUnknown(this.meaningOf(token)) && !weights.has(folded)) weights.set(folded, count * bm25.idf(0));
    }
    return Array.from(weights, ([word, weight]) => ({ word, weight }));
  }

  /** Returns completions of an incomplete word, or else corrections of an unknown word. */
  private guess(
    { folded, bytes, count }: QueryToken,
    meaning: Meaning,
    unfinished: boolean,
    spellings: Spellings,
    bm25: Bm25,
  ): QueryWord | undefined {
    const { table } = this;
    if (meaning.isStopWord && meaning.terms.length === 0) return undefined;
    let nearby: readonly NearbyTerm[] = [];
    let most = COMPLETION_WEIGHT;
    if (unfinished) {
      const languages = Array.from(this.languages.keys(), ({ number }) => number);
      // A word is not a completion of itself.
      nearby = completionsOf(table, spellings.beginnings, languages, bytes, this.documentsOf).filter(
        ({ term }) => !meaning.terms.includes(term),
      );
    }
    if (this.corrects && nearby.length === 0 && this.isUnknown(meaning)) {
      nearby = correctionsOf(table, spellings, folded, this.documentsOf);
      most = 1;
    }
    if (nearby.length === 0) return undefined;
    // All count as common as the most common one, so that a rare misprint does not rank first, and
    // no guess ranks above the word itself.
    const documents = nearby.reduce(
      (greatest, { term }) => Math.max(greatest, this.documentsOf(term)),
      meaning.documents,
    );
    const factor = count * bm25.idf(documents) * most;
    return { text: folded, terms: nearby.map(({ term, weight }) => ({ term, factor: factor * weight })) };
  }

  private isUnknown({ terms, isStopWord }: Meaning): boolean {
    return terms.length === 0 && !isStopWord;
  }

  private meaningOf(token: QueryToken): Meaning {
    let meaning = this.meanings.get(token);
    if (!meaning) this.meanings.set(token, (meaning = this.lookedUp(token)));
    return meaning;
  }

  private lookedUp(token: QueryToken): Meaning {
    const found: number[] = [];
    let documents = 0;
    let isStopWord = false;
    for (const [language, all] of this.languages) {
      const terms = this.termsOf(token, language);
      if (terms === undefined) {
        isStopWord = true;
        documents += all;
        continue;
      }
      let here = 0;
      for (const term of terms) {
        const own = this.documentsOf(term);
        if (own === 0) continue;
        found.push(term);
        here = Math.max(here, own);
      }
      documents += here;
    }
    return { terms: found, documents, isStopWord };
  }

  /** Returns the terms of a word in one language; undefined for a stop word. */
  private termsOf(token: QueryToken, language: Language): readonly number[] | undefined {
    const { folded, lower, bytes, hash } = token;
    const plain = this.lookUp(this.table.find(language.number, bytes, bytes.length, hash), language, folded, () =>
      stemIn(language, token),
    );
    if (lower === undefined) return plain === STOP_WORD ? undefined : plain < 0 ? [] : [plain];
    const accented = this.lookUp(this.find(language.number + ACCENTED, lower), language, lower, () =>
      accentedStemIn(language, lower, token),
    );
    if (accented === STOP_WORD) return undefined;
    return [...new Set([accented, plain])].filter((term) => term >= 0 && term !== STOP_WORD);
  }

  /** Returns the term of a word that may be in the table: its number, -1, or STOP_WORD. */
  private lookUp(word: number, language: Language, text: string, stem: () => string): number {
    const { table } = this;
    if (word >= 0 && table.stemOf[word] !== ONLY_STEM) return table.stemOf[word];
    if (language.isStopWord(text)) return STOP_WORD;
    return this.find(language.number, stem());
  }

  private find(space: number, text: string): number {
    const bytes = new Uint8Array(text.length * 3);
    const length = writeUtf8(text, bytes);
    return this.table.find(space, bytes, length, hashBytes(bytes, 0, length));
  }
}
