/** Postings per block, the unit of decoding and skipping. */
export const BLOCK = 128;

/** Blocks of all lists with more than one block, as columns. */
export interface BlockTable {
  /** Local number of the last document. */
  readonly last: Uint32Array;
  /** Byte offset of the block. */
  readonly start: Uint32Array;
  /** Smallest length code among documents with frequency 1; 255 if there are none. */
  readonly shortest: Uint8Array;
  /** Greatest frequency above 1; 0 if there is none. */
  readonly frequent: Uint8Array;
  /** Smallest length code among documents with a frequency above 1. */
  readonly frequentShortest: Uint8Array;
}

export interface SegmentData {
  /** Ascending document numbers by local number; null if they are consecutive. */
  readonly docs: Uint32Array | null;
  readonly firstDoc: number;
  /** Length code of each document. */
  readonly lengths: Uint8Array;
  /** Terms with postings, ascending, and the byte offset of each list. */
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly blocks: BlockTable;
  readonly postings: number;
}

/**
 * Immutable postings of a set of documents, which have local numbers from 0 in document order. Only
 * the set of dead documents changes.
 *
 * Format of a posting list: the number of postings; for more than one block, the number of its
 * first block in the block table and the bounds of the whole list (as in the table, one byte each);
 * then the postings by local number, each as the gap to its predecessor times 2, plus 1 if a
 * frequency byte follows. Numbers are varints.
 */
export class Segment {
  readonly docs: Uint32Array | null;
  readonly firstDoc: number;
  readonly lastDoc: number;
  readonly size: number;
  readonly lengths: Uint8Array;
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly blocks: BlockTable;
  readonly postings: number;
  /** Name of the stored part with these postings; undefined until they are stored. */
  storedName: string | undefined;
  /** Bitmap of dead documents; null if there are none. */
  dead: Uint32Array | null = null;
  deadCount = 0;

  constructor({ docs, firstDoc, lengths, terms, starts, bytes, blocks, postings }: SegmentData) {
    this.docs = docs;
    this.firstDoc = firstDoc;
    this.size = lengths.length;
    this.lastDoc = docs ? docs[docs.length - 1] : firstDoc + lengths.length - 1;
    this.lengths = lengths;
    this.terms = terms;
    this.starts = starts;
    this.bytes = bytes;
    this.blocks = blocks;
    this.postings = postings;
  }

  get byteLength(): number {
    const { docs, lengths, terms, starts, bytes, blocks, dead } = this;
    const { last, start, shortest, frequent, frequentShortest } = blocks;
    const columns = [lengths, terms, starts, bytes, last, start, shortest, frequent, frequentShortest];
    return (
      columns.reduce((sum, { byteLength }) => sum + byteLength, 0) + (docs?.byteLength ?? 0) + (dead?.byteLength ?? 0)
    );
  }

  docAt(local: number): number {
    return this.docs ? this.docs[local] : this.firstDoc + local;
  }

  /**
   * Returns the first local number whose document is not below `doc`, `size` if there is none. The
   * search starts at `from`, which is also a lower bound of the result.
   */
  localFrom(doc: number, from = 0): number {
    const { docs, size } = this;
    if (!docs) return Math.min(size, Math.max(from, doc - this.firstDoc));
    if (from >= size || docs[from] >= doc) return from;
    // Galloping search: consecutive lookups are usually close together.
    let step = 1;
    while (from + step < size && docs[from + step] < doc) step *= 2;
    let low = from + (step >>> 1) + 1;
    let high = Math.min(from + step, size);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (docs[middle] < doc) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the local number of a live document, or -1. */
  find(doc: number): number {
    if (doc < this.firstDoc || doc > this.lastDoc) return -1;
    const local = this.localFrom(doc);
    return this.docAt(local) === doc && !this.isDead(local) ? local : -1;
  }

  isDead(local: number): boolean {
    return this.dead !== null && (this.dead[local >>> 5] & (1 << (local & 31))) !== 0;
  }

  kill(local: number): void {
    this.dead ??= new Uint32Array((this.size + 31) >>> 5);
    this.dead[local >>> 5] |= 1 << (local & 31);
    this.deadCount++;
  }

  /** Sets the dead documents of a new segment; an empty bitmap for none. Throws a RangeError. */
  bury(dead: Uint32Array): void {
    if (dead.length === 0) return;
    if (dead.length !== (this.size + 31) >>> 5) throw new RangeError('The bitmap of a segment has the wrong length.');
    this.dead = dead.slice();
    this.deadCount = 0;
    for (let local = 0; local < this.size; local++) if (this.isDead(local)) this.deadCount++;
  }

  /** Returns the byte offset of a term's list, or -1. */
  listOf(term: number): number {
    const { terms } = this;
    let low = 0;
    let high = terms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (terms[middle] < term) low = middle + 1;
      else high = middle;
    }
    return low < terms.length && terms[low] === term ? this.starts[low] : -1;
  }
}
