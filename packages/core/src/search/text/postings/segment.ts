/** Postings in a block: what is decoded, or skipped, as a whole. */
export const BLOCK = 128;

/** Blocks of the lists that have more than one, as columns. */
export interface BlockTable {
  /** Local number of the last document. */
  readonly last: Uint32Array;
  /** Where the block begins in the bytes. */
  readonly start: Uint32Array;
  /** Smallest length code among the documents that hold the term once; 255 when there are none. */
  readonly shortest: Uint8Array;
  /** Greatest frequency of the others; 0 when there are none. */
  readonly frequent: Uint8Array;
  /** Smallest length code among the others. */
  readonly frequentShortest: Uint8Array;
}

export interface SegmentData {
  /** Document numbers ascending by local number; null when they are consecutive. */
  readonly docs: Uint32Array | null;
  readonly firstDoc: number;
  /** A length code for each document. */
  readonly lengths: Uint8Array;
  /** Terms that have postings, ascending, and where the list of each begins. */
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  readonly bytes: Uint8Array;
  readonly blocks: BlockTable;
  readonly postings: number;
}

/**
 * Immutable postings of some documents, which it numbers from 0 in the order of their document
 * numbers; only which of them are dead changes.
 *
 * A list is: the number of postings; for more than one block the number of the first in the block
 * table, and the bounds of the whole list (as in the table, one byte each); then the postings by
 * local number, each the gap to the one before times 2, plus 1 when a byte with the frequency
 * follows. Numbers are varints.
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
  /** A bit for each dead document; null while there are none. */
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
   * The first local number whose document is not below `doc`; `size` when all are. Not below
   * `from`, where the search begins.
   */
  localFrom(doc: number, from = 0): number {
    const { docs, size } = this;
    if (!docs) return Math.min(size, Math.max(from, doc - this.firstDoc));
    if (from >= size || docs[from] >= doc) return from;
    // Gallop: neighbours are asked for one after the other.
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

  /** The local number of a document that is alive here, or -1. */
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

  /** Where the list of a term begins in the bytes, or -1. */
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
