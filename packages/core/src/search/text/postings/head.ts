import { IdMap } from '../../id-map.ts';
import { grown, grownBytes } from '../grown.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';

/** Maximum documents of a head: a search scores all of them in one window. */
export const MAX_HEAD_DOCUMENTS = 4096;

/** End of a chain. */
const NONE = 0xffff_ffff;

/**
 * Mutable postings of the newest documents, before they are sealed into a segment. Documents have
 * local numbers in order of insertion; the postings of a term form a chain from newest to oldest.
 */
export class Head {
  /** Document number of each local number. */
  docs = new Uint32Array(8);
  lengths = new Uint8Array(8);
  /** Number of documents, including dead ones. */
  size = 0;
  deadCount = 0;
  /** Bounds of the document numbers. */
  lowest = NONE;
  highest = 0;
  /** Document, frequency and next posting of each posting. */
  local = new Uint32Array(16);
  frequency = new Uint8Array(16);
  next = new Uint32Array(16);
  postings = 0;
  private dead = new Uint8Array(8);
  private readonly locals = new IdMap();
  private readonly chains = new IdMap();
  private terms = new Uint32Array(8);

  get byteLength(): number {
    const columns = [this.docs, this.lengths, this.local, this.frequency, this.next, this.dead, this.terms];
    // Hash tables are between 3/8 and 3/4 full, at 8 bytes per slot.
    const hashes = (this.locals.size + this.chains.size) * 16;
    return columns.reduce((sum, { byteLength }) => sum + byteLength, hashes);
  }

  /**
   * Adds a document with the first `count` of `terms`, distinct and ascending, and their
   * frequencies.
   */
  add(doc: number, length: number, terms: Uint32Array, frequencies: Uint8Array, count: number): void {
    if (this.size === this.docs.length) this.growDocuments();
    const local = this.size++;
    this.docs[local] = doc;
    if (doc < this.lowest) this.lowest = doc;
    if (doc > this.highest) this.highest = doc;
    this.lengths[local] = length;
    this.dead[local] = 0;
    this.locals.set(doc, local);
    if (this.postings + count > this.local.length) this.growPostings(this.postings + count);
    for (let at = 0; at < count; at++) {
      const posting = this.postings++;
      const previous = this.chains.get(terms[at]);
      this.local[posting] = local;
      this.frequency[posting] = frequencies[at];
      this.next[posting] = previous < 0 ? NONE : previous;
      if (previous < 0) {
        const termCount = this.chains.size;
        if (termCount === this.terms.length) this.terms = grown(this.terms, termCount + 1);
        this.terms[termCount] = terms[at];
      }
      this.chains.set(terms[at], posting);
    }
  }

  /** Returns the local number of a live document, or -1. */
  find(doc: number): number {
    return this.locals.get(doc);
  }

  kill(local: number): void {
    this.dead[local] = 1;
    this.deadCount++;
    this.locals.delete(this.docs[local]);
  }

  isDead(local: number): boolean {
    return this.dead[local] !== 0;
  }

  /** Returns the newest posting of a term, or -1; `nextPosting` iterates over the others. */
  firstPosting(term: number): number {
    return this.chains.get(term);
  }

  nextPosting(posting: number): number {
    const next = this.next[posting];
    return next === NONE ? -1 : next;
  }

  /** Returns the live documents as a segment; undefined if there are none. */
  seal(): Segment | undefined {
    const count = this.size - this.deadCount;
    if (count === 0) return undefined;
    const { docs, lengths, ranks, ascending } = this.inDocumentOrder(count);
    const termCount = this.chains.size;
    const writer = new SegmentWriter(docs, lengths, { terms: termCount, bytes: this.postings * 2 + termCount });
    // Rank and frequency are packed into one sortable number. Chains start with the newest posting,
    // so they are written from the end.
    const keys = new Float64Array(this.size);
    for (const term of this.terms.subarray(0, termCount).sort()) {
      let start = keys.length;
      for (let posting = this.firstPosting(term); posting >= 0; posting = this.nextPosting(posting)) {
        const rank = ranks[this.local[posting]];
        if (rank !== NONE) keys[--start] = rank * 256 + this.frequency[posting];
      }
      if (start === keys.length) continue;
      if (!ascending) keys.subarray(start).sort();
      writer.begin(term, keys.length - start);
      for (let at = start; at < keys.length; at++) writer.append(Math.floor(keys[at] / 256), keys[at] % 256);
      writer.end();
    }
    return writer.finish();
  }

  /** Returns the live documents in numeric order, and the rank of each local number among them. */
  private inDocumentOrder(count: number) {
    const alive = new Float64Array(count);
    let at = 0;
    for (let local = 0; local < this.size; local++)
      if (this.dead[local] === 0) alive[at++] = this.docs[local] * MAX_HEAD_DOCUMENTS + local;
    const ascending = isAscending(alive);
    if (!ascending) alive.sort();
    const docs = new Uint32Array(count);
    const lengths = new Uint8Array(count);
    const ranks = new Uint32Array(this.size).fill(NONE);
    for (let rank = 0; rank < count; rank++) {
      const local = alive[rank] % MAX_HEAD_DOCUMENTS;
      docs[rank] = this.docs[local];
      lengths[rank] = this.lengths[local];
      ranks[local] = rank;
    }
    return { docs, lengths, ranks, ascending };
  }

  private growDocuments(): void {
    this.docs = grown(this.docs, this.size + 1);
    this.lengths = grownBytes(this.lengths, this.size + 1);
    this.dead = grownBytes(this.dead, this.size + 1);
  }

  private growPostings(needed: number): void {
    this.local = grown(this.local, needed);
    this.frequency = grownBytes(this.frequency, needed);
    this.next = grown(this.next, needed);
  }
}

function isAscending(list: Float64Array): boolean {
  for (let at = 1; at < list.length; at++) if (list[at] <= list[at - 1]) return false;
  return true;
}
