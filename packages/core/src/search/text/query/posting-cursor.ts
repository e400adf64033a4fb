import { type Bm25, contribution } from '../postings/bm25.ts';
import { BLOCK, type Segment } from '../postings/segment.ts';
import { readVarint, varintLength } from '../postings/varint.ts';

/** No more postings. */
export const END = 0xffff_ffff;

/**
 * Walks one posting list of a segment, forwards only, block by block: a block is decoded when a
 * document inside is asked for, and before that its bound tells whether that is worth while. One
 * cursor serves a term through all segments: `open` again.
 */
export class PostingCursor {
  /** What the saturation is multiplied with: the weight of the term in the query. */
  factor = 0;
  bm25!: Bm25;
  /** The saturation of terms that occur once. */
  once!: Float64Array;
  /** Of the segment: a length code for each document. */
  lengths: Uint8Array = new Uint8Array(0);

  /** Postings of the list. */
  count = 0;
  /** No document of the list adds more to a score. */
  bound = 0;
  /** The block at hand. */
  block = 0;
  blocks = 0;
  /**
   * The postings of the block at hand once it is decoded: `locals` and `frequencies` from
   * `position` to `length`.
   */
  readonly locals = new Uint32Array(BLOCK);
  readonly frequencies = new Uint8Array(BLOCK);
  position = 0;
  length = 0;
  private decoded = -1;

  private bytes: Uint8Array = new Uint8Array(0);
  /** The columns of the block table and the place in them; a list of one block has its own. */
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

  /** Makes it ready for a term. */
  prepare(factor: number, bm25: Bm25): void {
    this.factor = factor;
    this.bm25 = bm25;
    this.once = bm25.saturation(1);
  }

  /** Goes to the list of a term in a segment; false when it has none. */
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

  /** How a frequency in a document counts, before the factor. */
  saturationOf(local: number, frequency: number): number {
    const saturation = frequency === 1 ? this.once : this.bm25.saturation(frequency);
    return saturation[this.lengths[local]];
  }

  /** No document of the block at hand adds more to a score. */
  blockBound(): number {
    return this.boundAt(this.firstBlock + this.block);
  }

  /** No document of the block at hand is before this one. */
  blockFirst(): number {
    return this.block === 0 ? 0 : this.last[this.firstBlock + this.block - 1] + 1;
  }

  /** The last document of the block at hand. */
  blockLast(): number {
    return this.last[this.firstBlock + this.block];
  }

  /**
   * No document in [start, end) adds more to a score. Goes to the block of the first of them;
   * `start` never descends.
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
   * At most the first document from `start` on, exact where its block is decoded; END when there is
   * none.
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

  /** Goes to the block that holds the first document from `start` on; false when there is none. */
  skipTo(start: number): boolean {
    const { last, firstBlock, blocks } = this;
    let { block } = this;
    if (block >= blocks) return false;
    if (last[firstBlock + block] >= start) return true;
    // Gallop, then halve.
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

  /** Decodes the block at hand. */
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

  /** The frequency in a document, 0 when it is not in the list; documents never descend. */
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

  /** A list of one block has no bounds: it is decoded, and they are exact. */
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
