import { grown } from '../grown.ts';
import { MAX_FREQUENCY } from '../postings/bm25.ts';
import { ACCENTED, ONLY_STEM, STOP_WORD, type WordTable } from '../words/word-table.ts';
import { fold, MAX_WORD_LENGTH } from './fold.ts';
import type { Language } from './languages.ts';
import { Tokenizer } from './tokenizer.ts';
import { maxUtf8Length, readUtf8, writeUtf8 } from './utf8.ts';
import { hashBytes } from './word-hash.ts';

/**
 * Converts texts to terms. The term of a word is the stem of its folded form. A word written with
 * accents also has the folded stem of the accented form if that differs (`educación`: `educacion`
 * and `educ`), because stemmers recognise endings by their accents; so the word is found with and
 * without them. Stop words are omitted; `été` is one only if the list has it with these accents.
 *
 * The word table caches stems, so a stemmer sees each word once.
 */
export class TextAnalyzer {
  /**
   * Word numbers of the last text, without stop words, with repetitions; each form of a word is a
   * separate entry.
   */
  words = new Uint32Array(64);
  wordCount = 0;
  /** Its terms, distinct and ascending, and their frequencies, capped at MAX_FREQUENCY. */
  terms = new Uint32Array(64);
  frequencies = new Uint8Array(64);
  termCount = 0;
  /** Number of its words, without stop words. */
  length = 0;

  private readonly table: WordTable;
  private readonly tokens = new Tokenizer();
  private readonly scratch = new Uint8Array(maxUtf8Length(MAX_WORD_LENGTH));
  private readonly onSpelling: (word: number) => void;

  /** `onSpelling` is called for each word that is new to the table. */
  constructor(table: WordTable, onSpelling: (word: number) => void) {
    this.table = table;
    this.onSpelling = onSpelling;
  }

  /**
   * Optional preparation of a long text before `analyze`, in steps. The analyzer must not be used
   * in between.
   */
  prepare(text: string, maxLength: number): Generator<void, void> {
    return this.tokens.splitAhead(text, maxLength);
  }

  /**
   * Analyses at most `maxLength` UTF-16 units of a text. With `learn`, adds unknown words to the
   * table; without, stops at the first one and returns false.
   */
  analyze(text: string, language: Language, maxLength: number, learn: boolean): boolean {
    const { tokens } = this;
    this.wordCount = 0;
    this.termCount = 0;
    this.length = 0;
    tokens.start(text, maxLength);
    const isWhole = this.readWords(language, learn);
    tokens.forget();
    if (isWhole) this.countTerms();
    return isWhole;
  }

  /** Returns false if a word is not in the table and `learn` is false. */
  private readWords(language: Language, learn: boolean): boolean {
    const { tokens, table } = this;
    while (tokens.next()) {
      const word = this.wordAtHand(language, learn);
      if (word < 0) return false;
      const stem = table.stemOf[word];
      if (tokens.lower === undefined) {
        if (stem === STOP_WORD) continue;
        this.push(word, stem);
      } else {
        const accented = this.accentedWord(tokens.lower, language, learn);
        if (accented < 0) return false;
        const accentedStem = table.stemOf[accented];
        if (accentedStem === STOP_WORD) continue;
        this.push(accented, accentedStem);
        if (stem === accentedStem) this.pushWord(word);
        else if (stem !== STOP_WORD) this.push(word, stem);
      }
      this.length++;
    }
    return true;
  }

  /** Returns the number of the tokenizer's current folded word, or -1. */
  private wordAtHand(language: Language, learn: boolean): number {
    const { table, tokens } = this;
    const { bytes, length, hash } = tokens;
    const word = table.find(language.number, bytes, length, hash);
    if (word >= 0 && table.stemOf[word] !== ONLY_STEM) return word;
    if (!learn) return -1;
    const text = readUtf8(bytes, 0, length);
    const added = word >= 0 ? word : table.add(language.number, bytes, length, hash);
    this.giveStem(added, language.isStopWord(text) ? undefined : stemOf(text, language), language);
    return added;
  }

  private accentedWord(lower: string, language: Language, learn: boolean): number {
    const { table, scratch } = this;
    const space = language.number + ACCENTED;
    const length = writeUtf8(lower, scratch);
    const hash = hashBytes(scratch, 0, length);
    const word = table.find(space, scratch, length, hash);
    if (word >= 0) return word;
    if (!learn) return -1;
    const added = table.add(space, scratch, length, hash);
    this.giveStem(added, language.isStopWord(lower) ? undefined : accentedStemOf(lower, language), language);
    return added;
  }

  private giveStem(word: number, stem: string | undefined, language: Language): void {
    const { table, scratch } = this;
    if (stem === undefined) {
      table.leaveOut(word);
      return;
    }
    const length = writeUtf8(stem, scratch);
    const hash = hashBytes(scratch, 0, length);
    let term = table.find(language.number, scratch, length, hash);
    if (term < 0) term = table.add(language.number, scratch, length, hash);
    table.stemOf[word] = term;
    if (table.isSpelling(word)) this.onSpelling(word);
  }

  private push(word: number, term: number): void {
    this.pushWord(word);
    if (this.termCount === this.terms.length) this.terms = grown(this.terms, this.termCount + 1);
    this.terms[this.termCount++] = term;
  }

  private pushWord(word: number): void {
    if (this.wordCount === this.words.length) this.words = grown(this.words, this.wordCount + 1);
    this.words[this.wordCount++] = word;
  }

  /** Sorts the terms and counts repetitions. */
  private countTerms(): void {
    const { terms, termCount } = this;
    if (this.frequencies.length < terms.length) this.frequencies = new Uint8Array(terms.length);
    const { frequencies } = this;
    if (termCount < 32) insertionSort(terms, termCount);
    else terms.subarray(0, termCount).sort();
    let distinct = 0;
    for (let at = 0; at < termCount; ) {
      const term = terms[at];
      let next = at + 1;
      while (next < termCount && terms[next] === term) next++;
      terms[distinct] = term;
      frequencies[distinct++] = Math.min(MAX_FREQUENCY, next - at);
      at = next;
    }
    this.termCount = distinct;
  }
}

/** Returns the term of a folded word. */
export function stemOf(folded: string, language: Language): string {
  return shortened(fold(language.stem(folded))) || folded;
}

/** Returns the term of a lower-case word with accents. */
export function accentedStemOf(lower: string, language: Language): string {
  return stemOf(language.ignoresAccents ? fold(lower) : lower, language);
}

/** Truncates a stem. A stemmer that writes another script may lengthen a word. */
function shortened(stem: string): string {
  return stem.length <= MAX_WORD_LENGTH ? stem : stem.slice(0, MAX_WORD_LENGTH).toWellFormed();
}

function insertionSort(list: Uint32Array, length: number): void {
  for (let at = 1; at < length; at++) {
    const value = list[at];
    let hole = at;
    for (; hole > 0 && list[hole - 1] > value; hole--) list[hole] = list[hole - 1];
    list[hole] = value;
  }
}
