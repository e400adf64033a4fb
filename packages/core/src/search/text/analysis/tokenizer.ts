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
 * A run outside of ASCII is folded up to here: room for a word of the greatest length with a mark
 * on every letter.
 */
const MAX_FOLDED_RUN = 2 * MAX_WORD_LENGTH;
/** A run handed to the segmenter is at most so long: it holds the event loop while it works. */
const MAX_SEGMENTED_RUN = 1024;
/** Folded words outside of ASCII that are kept, for all indexes of the process: about 2 MB. */
const MAX_CACHED_RUNS = 16_384;

/** Texts up to here are split at once: some milliseconds. In UTF-16 units. */
const MAX_SPLIT_AT_ONCE = 2 * MAX_SEGMENTED_RUN;

const foldedRuns = new Map<string, readonly FoldedWord[]>();

/**
 * Walks the words of a text in order, with repetitions: `start`, then `next` until it is false. A
 * word is a run of letters and digits; a run of an unspaced script is split by the dictionary of
 * Intl.Segmenter, which is slow, so nothing else goes through it. The script decides that, not the
 * language: a query has none.
 *
 * Everything else separates, so no character is an operator. What hangs on a word by an apostrophe
 * is no word: `king's`, `don't`, `l'homme`.
 *
 * ASCII is folded, hashed and collected in one pass over the code units, without making a string.
 */
export class Tokenizer {
  /** The folded word as UTF-8: the first `length` bytes. */
  readonly bytes = new Uint8Array(maxUtf8Length(MAX_WORD_LENGTH));
  length = 0;
  /** The hash of those bytes. */
  hash = 0;
  /** The word in lower case when it has accents, so that folding changed it; else undefined. */
  lower: string | undefined;
  /**
   * Where the run of characters stands that the word is from, in UTF-16 units; of several words in
   * scripts without spaces.
   */
  runStart = 0;
  runEnd = 0;

  private text = '';
  private end = 0;
  private at = 0;
  /** Where the word before ended: an apostrophe right there binds the next one to it. */
  private lastEnd = -1;
  private queue: readonly FoldedWord[] = [];
  private queued = 0;
  /** The words of unspaced runs that were split ahead. */
  private ahead: Map<string, readonly FoldedWord[]> | undefined;

  /** Reads at most `maxLength` UTF-16 units of the text. */
  start(text: string, maxLength: number): void {
    this.text = text;
    this.end = Math.min(text.length, maxLength);
    this.at = 0;
    this.lastEnd = -1;
    this.queued = this.queue.length;
  }

  /**
   * Splits the unspaced runs of a long text, one in each step, so that the next walk through it
   * finds them split: the dictionary takes a second for a quarter of a million characters. `forget`
   * them after the walk.
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

  /** Drops what was split ahead. */
  forget(): void {
    this.ahead = undefined;
  }

  /** Goes to the next word; false after the last. */
  next(): boolean {
    for (;;) {
      if (this.queued < this.queue.length) {
        this.take(this.queue[this.queued++]);
        return true;
      }
      if (!this.skipSeparators()) {
        // Do not keep a large text alive.
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
   * Reads a word of ASCII alone; false, and nothing has happened, when the word at hand is none.
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
        // An unspaced run that follows is a word of its own.
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

  /** Whether nothing but an apostrophe stands between this word and the one before. */
  private isBoundTo(start: number): boolean {
    return start > 1 && this.lastEnd === start - 1 && characterClass(this.text.charCodeAt(start - 1)) === APOSTROPHE;
  }

  /**
   * Whether the word at hand hangs on another: one letter on either side of an apostrophe, or `ll`,
   * `re`, `ve`, `qu`.
   */
  private isEnding(bound: boolean): boolean {
    const { bytes, length } = this;
    if (length > 2 || length === 0 || bytes[0] < 0x61) return false;
    if (length === 1) return bound || this.bindsNext();
    const pair = bytes[0] * 256 + bytes[1];
    return bound ? pair === 0x6c6c || pair === 0x7265 || pair === 0x7665 : pair === 0x7175 && this.bindsNext();
  }

  /** The same for `é`. Not in Cyrillic, where the apostrophe stands inside of words (п'ять). */
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
  // A slice keeps the whole text alive that it was cut from.
  const copy = [...run].join('');
  const words = foldWord(copy);
  if (foldedRuns.size >= MAX_CACHED_RUNS) foldedRuns.clear();
  foldedRuns.set(copy, words);
  return words;
}
