import { grown } from '../grown.ts';
import { MAX_FREQUENCY } from '../postings/bm25.ts';
import { ACCENTED, ONLY_STEM, STOP_WORD, type WordTable } from '../words/word-table.ts';
import { fold, MAX_WORD_LENGTH } from './fold.ts';
import type { Language } from './languages.ts';
import { Tokenizer } from './tokenizer.ts';
import { maxUtf8Length, readUtf8, writeUtf8 } from './utf8.ts';
import { hashBytes } from './word-hash.ts';

/**
 * Texts as terms. A word of a text stands for the stem of its folded form; written with accents,
 * also for the folded stem of that form where the two differ (`educación`: `educacion` and `educ`),
 * since the endings that a stemmer knows have accents: so a word is found with and without them.
 * Stop words are left out; `été` is one only if its list has it with these accents.
 *
 * The word table is what remembers stems: a stemmer sees a word once.
 */
export class TextAnalyzer {
  /**
   * The words of the last text that count, with repetitions: numbers of the table, each form of a
   * word by itself.
   */
  words = new Uint32Array(64);
  wordCount = 0;
  /** Its terms, distinct and ascending, and how often each occurs, up to MAX_FREQUENCY. */
  terms = new Uint32Array(64);
  frequencies = new Uint8Array(64);
  termCount = 0;
  /** How many words it has, without stop words. */
  length = 0;

  private readonly table: WordTable;
  private readonly tokens = new Tokenizer();
  private readonly scratch = new Uint8Array(maxUtf8Length(MAX_WORD_LENGTH));
  private readonly onSpelling: (word: number) => void;

  /** `onSpelling` is told of each word that is new to the table. */
  constructor(table: WordTable, onSpelling: (word: number) => void) {
    this.table = table;
    this.onSpelling = onSpelling;
  }

  /**
   * The part of the work for a long text that can be done in steps before `analyze`; what comes
   * between may not use the analyzer.
   */
  prepare(text: string, maxLength: number): Generator<void, void> {
    return this.tokens.splitAhead(text, maxLength);
  }

  /**
   * Reads at most `maxLength` UTF-16 units of a text. With `learn`, words that the table does not
   * have are added; else they end the work, and it gives false.
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

  /** False when the table lacks a word, and may not learn it. */
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

  /** The folded word that the tokenizer is at. */
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

/** The term of a folded word. */
export function stemOf(folded: string, language: Language): string {
  return shortened(fold(language.stem(folded))) || folded;
}

/** The term of a word in lower case with its accents. */
export function accentedStemOf(lower: string, language: Language): string {
  return stemOf(language.ignoresAccents ? fold(lower) : lower, language);
}

/** A stemmer that writes in another script may make a word longer. */
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
