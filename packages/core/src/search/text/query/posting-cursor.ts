import { type Bm25, contribution } from '../postings/bm25.ts';
import { BLOCK, type Segment } from '../postings/segment.ts';
import { readVarint, varintLength } from '../postings/varint.ts';

/** No more postings. */
export const END = 0xffff_ffff;

/**
 * Forward cursor over one posting list of a segment, block by block. A block is decoded only when a
 * document inside it is requested; its bound tells beforehand whether that is worthwhile. One
 * cursor serves a term in all segments: call `open` for each.
 */
export class PostingCursor {
  /** Multiplier of the saturation: the weight of the term in the query. */
  factor = 0;
  bm25!: Bm25;
  /** Saturation for frequency 1. */
  once!: Float64Array;
  /** Length code of each document of the segment. */
  lengths: Uint8Array = new Uint8Array(0);

  /** Number of postings in the list. */
  count = 0;
  /** Upper bound of the contribution of any posting of the list. */
  bound = 0;
  /** Current block. */
  block = 0;
  blocks = 0;
  /**
   * Postings of the current block once decoded: `locals` and `frequencies` from `position` to
   * `length`.
   */
  readonly locals = new Uint32Array(BLOCK);
  readonly frequencies = new Uint8Array(BLOCK);
  position = 0;
  length = 0;
  private decoded = -1;

  private bytes: Uint8Array = new Uint8Array(0);
  /** Columns of the block table and the list's offset in them; a list of one block uses `only`. */
  private last: Uint32Array = new Uint32Array(1);
  private start: Uint32Array = new Uint32Array(1);
  private shortest: Uint8Array = new Uint8Array(1);
  private frequent: Uint8Array = new Uint8Array(1);
  private frequentShortest: Uint8Array = new Uint8Array(1);
  private firstBlock = 0;
  private readonly only = {
    last: new Uint32Array(1),
    start: new Uint32Array(1),
    shortest: new Uint8Array(1),
    frequent: new Uint8Array(1),
    frequentShortest: new Uint8Array(1),
  };

  /** Sets the term's weight and statistics. */
  prepare(factor: number, bm25: Bm25): void {
    this.factor = factor;
    this.bm25 = bm25;
    this.once = bm25.saturation(1);
  }

  /** Opens the list of a term in a segment; returns false if it has none. */
  open(segment: Segment, term: number): boolean {
    let at = segment.listOf(term);
    if (at < 0) return false;
    const { bytes } = segment;
    this.bytes = bytes;
    this.lengths = segment.lengths;
    this.block = 0;
    this.decoded = -1;
    this.count = readVarint(bytes, at);
    at += varintLength(this.count);
    this.blocks = Math.ceil(this.count / BLOCK);
    const several = this.blocks > 1;
    const table = several ? segment.blocks : this.only;
    this.last = table.last;
    this.start = table.start;
    this.shortest = table.shortest;
    this.frequent = table.frequent;
    this.frequentShortest = table.frequentShortest;
    this.firstBlock = 0;
    if (several) {
      this.firstBlock = readVarint(bytes, at);
      at += varintLength(this.firstBlock);
      this.bound = this.boundOf(bytes[at], bytes[at + 1], bytes[at + 2]);
    } else this.openOnly(at);
    return true;
  }

  /** Returns the saturation of a frequency in a document, before the factor. */
  saturationOf(local: number, frequency: number): number {
    const saturation = frequency === 1 ? this.once : this.bm25.saturation(frequency);
    return saturation[this.lengths[local]];
  }

  /** Returns an upper bound of the contributions in the current block. */
  blockBound(): number {
    return this.boundAt(this.firstBlock + this.block);
  }

  /** Returns a lower bound of the local numbers in the current block. */
  blockFirst(): number {
    return this.block === 0 ? 0 : this.last[this.firstBlock + this.block - 1] + 1;
  }

  /** Returns the last local number of the current block. */
  blockLast(): number {
    return this.last[this.firstBlock + this.block];
  }

  /**
   * Returns an upper bound of the contributions in [start, end). Advances to the block of its first
   * document; `start` must not descend.
   */
  boundWithin(start: number, end: number): number {
    if (this.atLeast(start) >= end) return 0;
    let bound = 0;
    for (let at = this.firstBlock + this.block, stop = this.firstBlock + this.blocks; at < stop; at++) {
      const here = this.boundAt(at);
      if (here > bound) bound = here;
      if (this.last[at] >= end - 1) break;
    }
    return bound;
  }

  /**
   * Returns a lower bound of the first document from `start` on, exact if its block is decoded; END
   * if there is none.
   */
  atLeast(start: number): number {
    if (!this.skipTo(start)) return END;
    if (this.decoded === this.block) {
      let { position } = this;
      while (this.locals[position] < start) position++;
      this.position = position;
      return this.locals[position];
    }
    return this.block === 0 ? start : Math.max(start, this.last[this.firstBlock + this.block - 1] + 1);
  }

  /**
   * Advances to the block with the first document from `start` on; returns false if there is none.
   */
  skipTo(start: number): boolean {
    const { last, firstBlock, blocks } = this;
    let { block } = this;
    if (block >= blocks) return false;
    if (last[firstBlock + block] >= start) return true;
    // Gallop, then bisect.
    let step = 1;
    while (block + step < blocks && last[firstBlock + block + step] < start) {
      block += step;
      step *= 2;
    }
    let low = block + 1;
    let high = Math.min(block + step, blocks);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (last[firstBlock + middle] < start) low = middle + 1;
      else high = middle;
    }
    this.block = low;
    return low < blocks;
  }

  /** Decodes the current block. */
  decode(): void {
    if (this.decoded === this.block) return;
    const { bytes, locals, frequencies, block } = this;
    const length = Math.min(BLOCK, this.count - block * BLOCK);
    let at = this.start[this.firstBlock + block];
    let local = block === 0 ? -1 : this.last[this.firstBlock + block - 1];
    for (let index = 0; index < length; index++) {
      let value = bytes[at++];
      if (value >= 0x80) {
        let byte = bytes[at++];
        value = (value & 0x7f) | ((byte & 0x7f) << 7);
        for (let shift = 14; byte >= 0x80; shift += 7) {
          byte = bytes[at++];
          value |= (byte & 0x7f) << shift;
        }
      }
      local += (value >>> 1) + 1;
      locals[index] = local;
      frequencies[index] = (value & 1) === 0 ? 1 : bytes[at++];
    }
    this.length = length;
    this.position = 0;
    this.decoded = block;
  }

  /**
   * Returns the frequency in a document, 0 if it is not in the list; documents must not descend.
   */
  frequencyIn(local: number): number {
    if (!this.skipTo(local)) return 0;
    this.decode();
    const { locals, length } = this;
    let { position } = this;
    if (locals[position] < local) {
      let high = length - 1;
      position++;
      while (position < high) {
        const middle = (position + high) >>> 1;
        if (locals[middle] < local) position = middle + 1;
        else high = middle;
      }
      this.position = position;
    }
    return locals[position] === local ? this.frequencies[position] : 0;
  }

  private boundAt(at: number): number {
    return this.boundOf(this.shortest[at], this.frequent[at], this.frequentShortest[at]);
  }

  private boundOf(shortest: number, frequent: number, frequentShortest: number): number {
    const once = contribution(this.factor, this.once[shortest]);
    if (frequent === 0) return once;
    const often = contribution(this.factor, this.bm25.saturation(frequent)[frequentShortest]);
    return Math.max(once, often);
  }

  /**
   * Opens a list of one block. It stores no bounds, so the block is decoded to compute exact ones.
   */
  private openOnly(at: number): void {
    const { only } = this;
    only.start[0] = at;
    this.decode();
    only.last[0] = this.locals[this.length - 1];
    let shortest = 255;
    let frequent = 0;
    let frequentShortest = 255;
    for (let index = 0; index < this.length; index++) {
      const code = this.lengths[this.locals[index]];
      const frequency = this.frequencies[index];
      if (frequency === 1) {
        if (code < shortest) shortest = code;
      } else {
        if (frequency > frequent) frequent = frequency;
        if (code < frequentShortest) frequentShortest = code;
      }
    }
    only.shortest[0] = shortest;
    only.frequent[0] = frequent;
    only.frequentShortest[0] = frequentShortest;
    this.bound = this.boundOf(shortest, frequent, frequentShortest);
  }
}
