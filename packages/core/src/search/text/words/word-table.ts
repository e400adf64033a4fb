import { readUtf8 } from '../analysis/utf8.ts';
import { hashBytes } from '../analysis/word-hash.ts';
import { grown, grownBytes } from '../grown.ts';
import { type HashedWords, HashShards } from './hash-shards.ts';

const INITIAL_WORDS = 16;
const INITIAL_BYTES = 256;
/** Space and length before the text of each word. */
const HEADER = 2;

/** In place of a stem: the word is left out of documents and queries. */
export const STOP_WORD = 0xffff_ffff;
/** In place of a stem: nobody has seen this as a word; it is only the stem of others. */
export const ONLY_STEM = 0xffff_fffe;
/** In place of a stem: the number waits for its next use. */
const GONE = 0xffff_fffd;

/**
 * Words with accents have spaces of their own, so that both forms of a word can be looked up: add
 * this to the number of the language.
 */
export const ACCENTED = 0x80;

/**
 * The words of an index and their stems: text, and what the index counts, as columns by number. A
 * word belongs to a space: its language, and whether it still has its accents. A *term*, what
 * documents are found by, is a word too: the stem. So `happy` has the stem `happi`, which has not
 * been seen as a word; `lantern` is its own stem.
 *
 * A word whose counts are all 0 is not there for a search. It stays known for a while, since
 * changed documents tend to bring their words again, and goes when `purge` is run; then its number
 * is used again. Some 35 bytes a word.
 */
export class WordTable implements HashedWords {
  /** The stem of each word as its number, or one of the values above. */
  stemOf = new Uint32Array(INITIAL_WORDS);
  /** How often each word occurs in the documents. */
  uses = new Uint32Array(INITIAL_WORDS);
  /** As a term: how many documents hold it. */
  documents = new Uint32Array(INITIAL_WORDS);
  /** How many words are left out of documents. */
  stopWords = 0;
  private textAt = new Uint32Array(INITIAL_WORDS);
  private arena = new Uint8Array(INITIAL_BYTES);
  private arenaEnd = 0;
  private end = 0;
  private free: number[] = [];
  private readonly shards = new HashShards(this);

  /** All numbers are below this. */
  get size(): number {
    return this.end;
  }

  /** Words and stems, with the unused ones. */
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

  /** The number of a word, given as UTF-8 with its hash, or -1. */
  find(space: number, bytes: Uint8Array, length: number, hash: number): number {
    return this.shards.find(mix(hash, space), space, bytes, length);
  }

  /** Adds a word that is not there, as one that is only a stem. */
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

  /** Where the text of a word stands in `bytes`; good until the next `add`. */
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

  /** By space, then by the bytes of the text, which is the order of code points. */
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
   * Whether people have written this word, without accents, and it is not left out: what they may
   * complete or misspell.
   */
  isSpelling(word: number): boolean {
    return this.stemOf[word] < GONE && this.spaceOf(word) < ACCENTED;
  }

  /** Whether no document knows the word any more. */
  isUnused(word: number): boolean {
    const stem = this.stemOf[word];
    return this.uses[word] === 0 && this.documents[word] === 0 && stem !== STOP_WORD && stem !== GONE;
  }

  /**
   * Forgets the unused words, in steps; gives how many words it looked at after each. `beforeReuse`
   * is run at the end, before their numbers may be given to other words: whoever keeps numbers lets
   * go of those that are gone.
   */
  *purge(beforeReuse: () => Generator<number, void>): Generator<number, void> {
    const gone: number[] = [];
    // In one step: a word must not come back to a stem that goes.
    for (let word = 0; word < this.end; word++) {
      if (!this.isUnused(word)) continue;
      gone.push(word);
      this.stemOf[word] = GONE;
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

/** Spreads the bits of a word's hash (the finalizer of MurmurHash3), and sets the spaces apart. */
function mix(hash: number, space: number): number {
  hash ^= Math.imul(space + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
