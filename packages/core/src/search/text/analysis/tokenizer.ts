import {
  APOSTROPHE,
  ASCII_WORD,
  characterClass,
  JOINER,
  LETTER,
  MARK,
  SEPARATOR,
  UNSPACED,
  UNSPACED_SCRIPT,
} from './character-class.ts';
import { type FoldedWord, fold, foldWord, MAX_WORD_LENGTH } from './fold.ts';
import { maxUtf8Length, writeUtf8 } from './utf8.ts';
import { EMPTY_HASH, hashBytes } from './word-hash.ts';
import { segmentWords } from './word-segmenter.ts';

/**
 * A non-ASCII run is truncated before folding: room for a word of maximum length with a mark on
 * every letter.
 */
const MAX_FOLDED_RUN = 2 * MAX_WORD_LENGTH;
/** Maximum length of a run passed to the segmenter, which blocks the event loop while it works. */
const MAX_SEGMENTED_RUN = 1024;
/**
 * Capacity of the cache of folded non-ASCII words, shared by all indexes of the process: about 2
 * MB.
 */
const MAX_CACHED_RUNS = 16_384;

/** Texts up to this many UTF-16 units are split in one go: some milliseconds. */
const MAX_SPLIT_AT_ONCE = 2 * MAX_SEGMENTED_RUN;

const foldedRuns = new Map<string, readonly FoldedWord[]>();

/**
 * Iterates over the words of a text in order, with repetitions: `start`, then `next` until it
 * returns false. A word is a run of letters and digits. A run of a script without spaces is split
 * by the dictionary of Intl.Segmenter, which is slow and therefore not used for anything else. The
 * script decides that, not the language, because a query has none.
 *
 * Every other character is a separator, so no character is an operator. Parts attached by an
 * apostrophe are not words: `king's`, `don't`, `l'homme`.
 *
 * ASCII is folded, hashed and collected in one pass over the code units, without creating a string.
 */
export class Tokenizer {
  /** The folded word as UTF-8: the first `length` bytes. */
  readonly bytes = new Uint8Array(maxUtf8Length(MAX_WORD_LENGTH));
  length = 0;
  /** Hash of those bytes. */
  hash = 0;
  /** The word in lower case if folding removed accents; otherwise undefined. */
  lower: string | undefined;
  /**
   * Range of the run that contains the word, in UTF-16 units. In scripts without spaces, one run
   * contains several words.
   */
  runStart = 0;
  runEnd = 0;

  private text = '';
  private end = 0;
  private at = 0;
  /** End of the previous word; an apostrophe directly there attaches the next word to it. */
  private lastEnd = -1;
  private queue: readonly FoldedWord[] = [];
  private queued = 0;
  /** Words of unspaced runs that were split in advance. */
  private ahead: Map<string, readonly FoldedWord[]> | undefined;

  /** Starts a text, of which at most `maxLength` UTF-16 units are read. */
  start(text: string, maxLength: number): void {
    this.text = text;
    this.end = Math.min(text.length, maxLength);
    this.at = 0;
    this.lastEnd = -1;
    this.queued = this.queue.length;
  }

  /**
   * Splits the unspaced runs of a long text in advance, one per step, for the next iteration over
   * the same text: the dictionary takes a second for a quarter of a million characters. Call
   * `forget` after the iteration.
   */
  *splitAhead(text: string, maxLength: number): Generator<void, void> {
    this.ahead = undefined;
    if (text.length <= MAX_SPLIT_AT_ONCE || !UNSPACED_SCRIPT.test(text)) return;
    this.ahead = new Map();
    const walk = new Tokenizer();
    walk.ahead = this.ahead;
    walk.start(text, maxLength);
    while (walk.skipSeparators()) {
      const start = walk.at;
      if (walk.readAscii()) continue;
      walk.readRun(start);
      const isUnspaced = characterClass(text.codePointAt(start)!) === UNSPACED;
      if (isUnspaced) this.ahead.set(text.slice(start, walk.at), walk.queue);
      yield;
    }
  }

  /** Drops the runs that were split in advance. */
  forget(): void {
    this.ahead = undefined;
  }

  /** Advances to the next word; returns false after the last. */
  next(): boolean {
    for (;;) {
      if (this.queued < this.queue.length) {
        this.take(this.queue[this.queued++]);
        return true;
      }
      if (!this.skipSeparators()) {
        // Release the text, which may be large.
        this.text = '';
        this.end = 0;
        return false;
      }
      const start = this.at;
      const bound = this.isBoundTo(start);
      if (!this.readAscii()) this.readRun(start);
      this.runStart = start;
      this.runEnd = this.at;
      this.lastEnd = this.at;
      const waiting = this.queue.length - this.queued;
      if (waiting === 0 ? this.isEnding(bound) : waiting === 1 && this.isShortEnding(bound)) {
        this.queued = this.queue.length;
        continue;
      }
      if (waiting === 0 && this.length > 0) return true;
    }
  }

  private skipSeparators(): boolean {
    const { text, end } = this;
    let { at } = this;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 128) {
        if (ASCII_WORD[unit] !== 0) break;
        continue;
      }
      const codePoint = text.codePointAt(at)!;
      const kind = characterClass(codePoint);
      if (kind === LETTER || kind === UNSPACED) break;
      if (codePoint > 0xffff) at++;
    }
    this.at = at;
    return at < end;
  }

  /**
   * Reads an ASCII word. Returns false and leaves the state unchanged if the current word is not
   * ASCII.
   */
  private readAscii(): boolean {
    const { text, end, bytes } = this;
    let { at } = this;
    let length = 0;
    let hash = EMPTY_HASH;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 128) {
        const kind = characterClass(text.codePointAt(at)!);
        // A following unspaced run is a separate word.
        if (kind === LETTER || kind === MARK || kind === JOINER) return false;
        break;
      }
      const byte = ASCII_WORD[unit];
      if (byte === 0) break;
      if (length === MAX_WORD_LENGTH) continue;
      bytes[length++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    if (length === 0) return false;
    this.at = at;
    this.length = length;
    this.hash = hash;
    this.lower = undefined;
    return true;
  }

  /** Reads a run with other characters into the queue. */
  private readRun(start: number): void {
    const { text, end } = this;
    const unspaced = characterClass(text.codePointAt(start)!) === UNSPACED;
    const limit = unspaced ? Math.min(end, start + MAX_SEGMENTED_RUN) : end;
    let at = start;
    while (at < limit) {
      const codePoint = text.codePointAt(at)!;
      const kind = characterClass(codePoint);
      if (kind !== (unspaced ? UNSPACED : LETTER) && kind !== MARK && kind !== JOINER) break;
      at += codePoint > 0xffff ? 2 : 1;
    }
    this.at = Math.min(at, end);
    this.length = 0;
    this.queued = 0;
    const run = text.slice(start, unspaced ? this.at : Math.min(this.at, start + MAX_FOLDED_RUN));
    this.queue = unspaced
      ? (this.ahead?.get(run) ?? segmentWords(fold(run)).flatMap((segment) => foldWord(segment)))
      : (foldedRuns.get(run) ?? remember(run));
  }

  private take({ lower, folded }: FoldedWord): void {
    this.length = writeUtf8(folded, this.bytes);
    this.hash = hashBytes(this.bytes, 0, this.length);
    this.lower = lower === folded ? undefined : lower;
  }

  /** Returns whether only an apostrophe separates this word from the previous one. */
  private isBoundTo(start: number): boolean {
    return start > 1 && this.lastEnd === start - 1 && characterClass(this.text.charCodeAt(start - 1)) === APOSTROPHE;
  }

  /**
   * Returns whether the current word is attached to another: a single letter on either side of an
   * apostrophe, or `ll`, `re`, `ve`, `qu`.
   */
  private isEnding(bound: boolean): boolean {
    const { bytes, length } = this;
    if (length > 2 || length === 0 || bytes[0] < 0x61) return false;
    if (length === 1) return bound || this.bindsNext();
    const pair = bytes[0] * 256 + bytes[1];
    return bound ? pair === 0x6c6c || pair === 0x7265 || pair === 0x7665 : pair === 0x7175 && this.bindsNext();
  }

  /**
   * Like `isEnding`, for single non-ASCII letters such as `é`. Latin only: in Cyrillic the
   * apostrophe occurs inside words (п'ять).
   */
  private isShortEnding(bound: boolean): boolean {
    const { folded } = this.queue[this.queued];
    return folded.length === 1 && /\p{Script=Latin}/u.test(folded) && (bound || this.bindsNext());
  }

  private bindsNext(): boolean {
    const { text, at, end } = this;
    if (at + 1 >= end || characterClass(text.charCodeAt(at)) !== APOSTROPHE) return false;
    const kind = characterClass(text.codePointAt(at + 1)!);
    return kind !== SEPARATOR && kind !== APOSTROPHE;
  }
}

function remember(run: string): readonly FoldedWord[] {
  // Copy the run: a slice would keep the whole text alive.
  const copy = [...run].join('');
  const words = foldWord(copy);
  if (foldedRuns.size >= MAX_CACHED_RUNS) foldedRuns.clear();
  foldedRuns.set(copy, words);
  return words;
}
