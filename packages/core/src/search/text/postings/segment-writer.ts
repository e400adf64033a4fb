import { grown, grownBytes } from '../grown.ts';
import { BLOCK, Segment } from './segment.ts';
import { writeVarint } from './varint.ts';

/** Maximum header of a list with several blocks: two varints and three bounds. */
const MAX_HEADER = 5 + 5 + 3;
/** Maximum bytes of a posting: a varint and a frequency. */
const MAX_POSTING = 6;

/**
 * Builds a segment list by list: `begin`, one `append` per posting by ascending local number,
 * `end`; finally `finish`.
 */
export class SegmentWriter {
  private readonly docs: Uint32Array;
  private readonly lengths: Uint8Array;
  private bytes: Uint8Array;
  private bytesEnd = 0;
  private terms: Uint32Array;
  private starts: Uint32Array;
  private termCount = 0;
  private postings = 0;

  private last = new Uint32Array(16);
  private start = new Uint32Array(16);
  private shortest = new Uint8Array(16);
  private frequent = new Uint8Array(16);
  private frequentShortest = new Uint8Array(16);
  private blockCount = 0;

  /** Postings of the current list still to be appended. */
  private remaining = 0;
  private inBlock = 0;
  private previous = -1;
  private shortestHere = 255;
  private frequentHere = 0;
  private frequentShortestHere = 255;
  /**
   * For a list with several blocks: its first block, and the byte offset of its bounds; else -1.
   */
  private firstBlock = -1;
  private boundsAt = -1;

  /**
   * `docs` are ascending document numbers and `lengths` their length codes; both arrays are
   * retained. The sizes are estimates.
   */
  constructor(docs: Uint32Array, lengths: Uint8Array, sizes: { terms: number; bytes: number }) {
    this.docs = docs;
    this.lengths = lengths;
    this.terms = new Uint32Array(Math.max(16, sizes.terms));
    this.starts = new Uint32Array(Math.max(16, sizes.terms));
    this.bytes = new Uint8Array(Math.max(64, sizes.bytes));
  }

  /**
   * Starts the list of a term, which must be above its predecessors, with `count` postings (at
   * least one).
   */
  begin(term: number, count: number): void {
    if (this.termCount === this.terms.length) {
      this.terms = grown(this.terms, this.termCount + 1);
      this.starts = grown(this.starts, this.termCount + 1);
    }
    this.terms[this.termCount] = term;
    this.starts[this.termCount++] = this.bytesEnd;
    this.reserve(MAX_HEADER);
    this.bytesEnd = writeVarint(this.bytes, this.bytesEnd, count);
    this.remaining = count;
    this.previous = -1;
    this.firstBlock = -1;
    if (count > BLOCK) {
      this.firstBlock = this.blockCount;
      this.bytesEnd = writeVarint(this.bytes, this.bytesEnd, this.blockCount);
      this.boundsAt = this.bytesEnd;
      this.bytesEnd += 3;
    }
    this.beginBlock();
  }

  append(local: number, frequency: number): void {
    this.reserve(MAX_POSTING);
    const gap = local - this.previous - 1;
    this.previous = local;
    const code = this.lengths[local];
    if (frequency === 1) {
      this.bytesEnd = writeVarint(this.bytes, this.bytesEnd, gap * 2);
      if (code < this.shortestHere) this.shortestHere = code;
    } else {
      this.bytesEnd = writeVarint(this.bytes, this.bytesEnd, gap * 2 + 1);
      this.bytes[this.bytesEnd++] = frequency;
      if (frequency > this.frequentHere) this.frequentHere = frequency;
      if (code < this.frequentShortestHere) this.frequentShortestHere = code;
    }
    this.postings++;
    this.remaining--;
    if (++this.inBlock === BLOCK || this.remaining === 0) {
      if (this.firstBlock >= 0) this.endBlock();
      if (this.remaining > 0) this.beginBlock();
    }
  }

  end(): void {
    if (this.remaining !== 0) throw new Error(`${this.remaining} postings of a list are missing.`);
    if (this.firstBlock < 0) return;
    let shortest = 255;
    let frequent = 0;
    let frequentShortest = 255;
    for (let block = this.firstBlock; block < this.blockCount; block++) {
      shortest = Math.min(shortest, this.shortest[block]);
      frequent = Math.max(frequent, this.frequent[block]);
      frequentShortest = Math.min(frequentShortest, this.frequentShortest[block]);
    }
    this.bytes[this.boundsAt] = shortest;
    this.bytes[this.boundsAt + 1] = frequent;
    this.bytes[this.boundsAt + 2] = frequentShortest;
  }

  finish(): Segment {
    const { docs, termCount, blockCount } = this;
    const consecutive = docs.length > 0 && docs[docs.length - 1] - docs[0] === docs.length - 1;
    return new Segment({
      docs: consecutive ? null : docs,
      firstDoc: docs[0],
      lengths: this.lengths,
      // Copies trimmed to their used length.
      terms: this.terms.slice(0, termCount),
      starts: this.starts.slice(0, termCount),
      bytes: this.bytes.slice(0, this.bytesEnd),
      blocks: {
        last: this.last.slice(0, blockCount),
        start: this.start.slice(0, blockCount),
        shortest: this.shortest.slice(0, blockCount),
        frequent: this.frequent.slice(0, blockCount),
        frequentShortest: this.frequentShortest.slice(0, blockCount),
      },
      postings: this.postings,
    });
  }

  private beginBlock(): void {
    this.inBlock = 0;
    this.shortestHere = 255;
    this.frequentHere = 0;
    this.frequentShortestHere = 255;
    if (this.firstBlock < 0) return;
    if (this.blockCount === this.last.length) {
      const needed = this.blockCount + 1;
      this.last = grown(this.last, needed);
      this.start = grown(this.start, needed);
      this.shortest = grownBytes(this.shortest, needed);
      this.frequent = grownBytes(this.frequent, needed);
      this.frequentShortest = grownBytes(this.frequentShortest, needed);
    }
    this.start[this.blockCount] = this.bytesEnd;
  }

  private endBlock(): void {
    const block = this.blockCount++;
    this.last[block] = this.previous;
    this.shortest[block] = this.shortestHere;
    this.frequent[block] = this.frequentHere;
    this.frequentShortest[block] = this.frequentShortestHere;
  }

  private reserve(count: number): void {
    if (this.bytesEnd + count > this.bytes.length) this.bytes = grownBytes(this.bytes, this.bytesEnd + count);
  }
}
