import { readUtf8 } from '../analysis/utf8.ts';
import { hashBytes } from '../analysis/word-hash.ts';
import { grown, grownBytes } from '../grown.ts';
import { type HashedWords, HashShards } from './hash-shards.ts';

const INITIAL_WORDS = 16;
const INITIAL_BYTES = 256;
/** Words between two yields of `adopt`. */
const ADOPT_STEP = 8192;
/** Space and length, stored before the text of each word. */
const HEADER = 2;

/** Value of `stemOf`: a stop word, omitted from documents and queries. */
export const STOP_WORD = 0xffff_ffff;
/** Value of `stemOf`: never seen as a word, only as the stem of others. */
export const ONLY_STEM = 0xffff_fffe;
/** The columns of a {@link WordTable}, without its hash table. */
export interface WordColumns {
  readonly stemOf: Uint32Array;
  readonly uses: Uint32Array;
  readonly documents: Uint32Array;
  readonly textAt: Uint32Array;
  readonly arena: Uint8Array;
}

/** Value of `stemOf`: the number is free or about to be freed. */
const GONE = 0xffff_fffd;

/**
 * Added to the language number for the spaces of words with accents, so that both forms of a word
 * can be looked up.
 */
export const ACCENTED = 0x80;

/**
 * Words of an index and their stems: text and counts, as columns by word number. A word belongs to
 * a space: its language, and whether it still has accents. A *term*, by which documents are found,
 * is a word too: the stem. So `happy` has the stem `happi`, which was never seen as a word;
 * `lantern` is its own stem.
 *
 * A word whose counts are all 0 does not exist for searches. It stays in the table for a while,
 * because changed documents tend to reuse their words, until `purge` frees its number for reuse.
 * About 35 bytes per word.
 */
export class WordTable implements HashedWords {
  /** Stem of each word, as a word number or one of the values above. */
  stemOf = new Uint32Array(INITIAL_WORDS);
  /** Occurrences of each word in the documents. */
  uses = new Uint32Array(INITIAL_WORDS);
  /** As a term: number of documents that contain it. */
  documents = new Uint32Array(INITIAL_WORDS);
  /** Number of stop words. */
  stopWords = 0;
  private textAt = new Uint32Array(INITIAL_WORDS);
  private arena = new Uint8Array(INITIAL_BYTES);
  private arenaEnd = 0;
  private end = 0;
  private free: number[] = [];
  private shards = new HashShards(this);

  /** Returns the numbers of the languages that have words, used or not. */
  languages(): Set<number> {
    const found = new Set<number>();
    for (let word = 0; word < this.end; word++) if (!this.isGone(word)) found.add(this.spaceOf(word) % ACCENTED);
    return found;
  }

  /** Copies the columns, except the arena, whose used part is never modified. */
  columns(): WordColumns {
    const { end } = this;
    return {
      stemOf: this.stemOf.slice(0, end),
      uses: this.uses.slice(0, end),
      documents: this.documents.slice(0, end),
      textAt: this.textAt.slice(0, end),
      arena: this.arena.subarray(0, this.arenaEnd),
    };
  }

  /**
   * Fills an empty table with the columns of another, which it copies, and with its hash table. A
   * kernel. Throws a RangeError if a number in the columns points nowhere.
   */
  *adopt({ stemOf, uses, documents, textAt, arena }: WordColumns): Generator<void, void> {
    const end = stemOf.length;
    this.stemOf = stemOf.slice();
    this.uses = uses.slice();
    this.documents = documents.slice();
    this.textAt = textAt.slice();
    this.arena = arena.slice();
    this.arenaEnd = arena.length;
    this.end = end;
    this.shards = new HashShards(this, end);
    for (let word = 0; word < end; word++) {
      if (word % ADOPT_STEP === ADOPT_STEP - 1) yield;
      const stem = stemOf[word];
      // A purge that was in progress is complete now: the new hash table has none of these words.
      if (stem === GONE) {
        this.free.push(word);
        continue;
      }
      const start = textAt[word] + HEADER;
      const isSound =
        start + arena[start - 1] <= arena.length && (stem > GONE || (stem < end && stemOf[stem] !== GONE));
      if (!isSound) throw new RangeError('A stored word has no text or no stem.');
      if (stem === STOP_WORD) this.stopWords++;
      this.shards.add(this.hashOf(word), word);
    }
  }

  /** All numbers are below this. */
  get size(): number {
    return this.end;
  }

  /** Number of words and stems, including unused ones. */
  get count(): number {
    return this.end - this.free.length;
  }

  get byteLength(): number {
    return (
      this.stemOf.byteLength +
      this.uses.byteLength +
      this.documents.byteLength +
      this.textAt.byteLength +
      this.arena.byteLength +
      this.shards.byteLength
    );
  }

  /** Returns the number of a word, given as UTF-8 with its hash, or -1. */
  find(space: number, bytes: Uint8Array, length: number, hash: number): number {
    return this.shards.find(mix(hash, space), space, bytes, length);
  }

  /** Adds an absent word, marked as only a stem. */
  add(space: number, bytes: Uint8Array, length: number, hash: number): number {
    const word = this.free.pop() ?? this.newNumber();
    if (this.arenaEnd + HEADER + length > this.arena.length)
      this.arena = grownBytes(this.arena, this.arenaEnd + HEADER + length);
    const { arena } = this;
    this.textAt[word] = this.arenaEnd;
    arena[this.arenaEnd++] = space;
    arena[this.arenaEnd++] = length;
    for (let at = 0; at < length; at++) arena[this.arenaEnd++] = bytes[at];
    this.stemOf[word] = ONLY_STEM;
    this.uses[word] = 0;
    this.documents[word] = 0;
    this.shards.add(mix(hash, space), word);
    return word;
  }

  leaveOut(word: number): void {
    this.stemOf[word] = STOP_WORD;
    this.stopWords++;
  }

  spaceOf(word: number): number {
    return this.arena[this.textAt[word]];
  }

  text(word: number): string {
    const start = this.textAt[word] + HEADER;
    return readUtf8(this.arena, start, start + this.arena[start - 1]);
  }

  /** Returns the offset of a word's text in `bytes`; valid until the next `add`. */
  textStart(word: number): number {
    return this.textAt[word] + HEADER;
  }

  textLength(word: number): number {
    return this.arena[this.textAt[word] + 1];
  }

  /** The texts of all words. */
  get bytes(): Uint8Array {
    return this.arena;
  }

  /** Compares by space, then by the bytes of the text, which is code point order. */
  compare(one: number, other: number): number {
    const { arena, textAt } = this;
    const start = textAt[one];
    const otherStart = textAt[other];
    const bySpace = arena[start] - arena[otherStart];
    if (bySpace !== 0) return bySpace;
    const length = arena[start + 1];
    const otherLength = arena[otherStart + 1];
    for (let at = 0; at < length && at < otherLength; at++) {
      const difference = arena[start + HEADER + at] - arena[otherStart + HEADER + at];
      if (difference !== 0) return difference;
    }
    return length - otherLength;
  }

  /**
   * Returns whether a word has been written in a document, has no accents and is not a stop word:
   * the candidates for completions and corrections.
   */
  isSpelling(word: number): boolean {
    return this.stemOf[word] < GONE && this.spaceOf(word) < ACCENTED;
  }

  /** Returns whether no document uses the word. */
  isUnused(word: number): boolean {
    const stem = this.stemOf[word];
    return this.uses[word] === 0 && this.documents[word] === 0 && stem !== STOP_WORD && stem !== GONE;
  }

  /**
   * Drops the unused words, in steps; yields the number of words visited after each. Runs
   * `beforeReuse` at the end, before their numbers are reused: holders of word numbers must drop
   * those that are gone.
   */
  *purge(beforeReuse: () => Generator<number, void>): Generator<number, void> {
    const gone: number[] = [];
    // In one step: a word must not be linked again to a stem that is being dropped.
    for (let word = 0; word < this.end; word++) {
      if (!this.isUnused(word)) continue;
      gone.push(word);
      this.stemOf[word] = GONE;
    }
    // A word that is left as a term of others has a stem of its own if it was once seen as a word.
    // If that stem goes, its number may soon be another word's.
    for (let word = 0; word < this.end; word++) {
      const stem = this.stemOf[word];
      if (stem < GONE && this.isGone(stem)) this.stemOf[word] = ONLY_STEM;
    }
    yield this.end >>> 3;
    yield* this.shards.purge();
    yield* beforeReuse();
    this.compactArena();
    for (const word of gone) this.free.push(word);
    yield this.end >>> 1;
  }

  hashOf(word: number): number {
    const start = this.textStart(word);
    return mix(hashBytes(this.arena, start, start + this.arena[start - 1]), this.arena[start - HEADER]);
  }

  isWord(word: number, space: number, bytes: Uint8Array, length: number): boolean {
    const { arena } = this;
    let at = this.textAt[word];
    if (arena[at++] !== space || arena[at++] !== length || this.isGone(word)) return false;
    for (let index = 0; index < length; index++, at++) if (arena[at] !== bytes[index]) return false;
    return true;
  }

  isGone(word: number): boolean {
    return this.stemOf[word] === GONE;
  }

  private newNumber(): number {
    if (this.end === this.stemOf.length) {
      this.stemOf = grown(this.stemOf, this.end + 1);
      this.uses = grown(this.uses, this.end + 1);
      this.documents = grown(this.documents, this.end + 1);
      this.textAt = grown(this.textAt, this.end + 1);
    }
    return this.end++;
  }

  private compactArena(): void {
    const { arena } = this;
    const compact = new Uint8Array(arena.length);
    let end = 0;
    for (let word = 0; word < this.end; word++) {
      if (this.isGone(word)) continue;
      const start = this.textAt[word];
      this.textAt[word] = end;
      const stop = start + HEADER + arena[start + 1];
      for (let at = start; at < stop; at++) compact[end++] = arena[at];
    }
    this.arena = compact;
    this.arenaEnd = end;
  }
}

/** Mixes the bits of a word's hash (the finalizer of MurmurHash3) and separates the spaces. */
function mix(hash: number, space: number): number {
  hash ^= Math.imul(space + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
