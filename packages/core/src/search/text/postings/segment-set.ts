import { Head, MAX_HEAD_DOCUMENTS } from './head.ts';
import { mergeSegments } from './merge-segments.ts';
import type { Segment } from './segment.ts';

/**
 * Thresholds for sealing heads and merging segments; the defaults keep each step at a few
 * milliseconds.
 */
export interface SegmentLimits {
  /** A head with this many documents is sealed; at most MAX_HEAD_DOCUMENTS. */
  readonly headDocuments: number;
  /** A head with this many postings is sealed. */
  readonly headPostings: number;
  /**
   * Number of segments of one tier that are merged into one of the next; also the size ratio of
   * adjacent tiers.
   */
  readonly fan: number;
}

export const SEGMENT_LIMITS: SegmentLimits = { headDocuments: MAX_HEAD_DOCUMENTS, headPostings: 65_536, fan: 4 };

/** Segments with fewer documents and postings belong to the lowest tier: about one head. */
const LOWEST_TIER = 16_384;
/** A segment with a larger share of dead documents is rewritten. */
const MAX_DEAD = 1 / 4;

interface Merge {
  readonly inputs: readonly Segment[];
  /** Documents and postings of the inputs. */
  readonly work: number;
  readonly kernel: Generator<number, Segment | undefined>;
  /** Documents of the inputs that died since the merge started. */
  readonly killed: number[];
}

/**
 * Log-structured postings of changing documents: a head that takes new ones, sealed segments, and
 * merges that keep segments few. Everything is searchable at any time. Merges run in steps, driven
 * by the caller of `step`; their inputs stay until the merge is finished.
 */
export class SegmentSet {
  head = new Head();
  /** Ordered by first document; replaced by a new array on each change. */
  segments: readonly Segment[] = [];
  /**
   * Merges of disjoint segments, largest first. The smallest one advances, so that small segments
   * do not pile up behind a large merge.
   */
  private readonly merges: Merge[] = [];
  /** Whether segments changed since the last check for due merges. */
  private changed = false;
  private readonly limits: SegmentLimits;

  constructor(limits: SegmentLimits) {
    this.limits = limits;
  }

  /** Takes over the segments of another set. The set must be empty. */
  adopt(segments: readonly Segment[]): void {
    this.replaceSegments([...segments]);
  }

  get byteLength(): number {
    return this.segments.reduce((sum, { byteLength }) => sum + byteLength, this.head.byteLength);
  }

  has(doc: number): boolean {
    return this.head.find(doc) >= 0 || this.segments.some((segment) => segment.find(doc) >= 0);
  }

  /** Returns the length code of a document, or -1 if it is absent. */
  lengthOf(doc: number): number {
    const local = this.head.find(doc);
    if (local >= 0) return this.head.lengths[local];
    for (const segment of this.segments) {
      const found = segment.find(doc);
      if (found >= 0) return segment.lengths[found];
    }
    return -1;
  }

  /**
   * Adds an absent document with the first `count` of distinct ascending terms and their
   * frequencies.
   */
  add(doc: number, length: number, terms: Uint32Array, frequencies: Uint8Array, count: number): void {
    this.head.add(doc, length, terms, frequencies, count);
    if (this.head.size >= this.limits.headDocuments || this.head.postings >= this.limits.headPostings) this.seal();
  }

  /** Removes a document, which must be present. */
  kill(doc: number): void {
    const local = this.head.find(doc);
    if (local >= 0) {
      this.head.kill(local);
      if (this.head.deadCount === this.head.size) this.head = new Head();
      return;
    }
    for (const segment of this.segments) {
      const found = segment.find(doc);
      if (found < 0) continue;
      segment.kill(found);
      const merge = this.merges.find(({ inputs }) => inputs.includes(segment));
      if (merge) merge.killed.push(doc);
      else if (segment.deadCount === segment.size)
        this.replaceSegments(this.segments.filter((each) => each !== segment));
      else if (hasManyDead(segment)) this.changed = true;
      return;
    }
  }

  /** Seals the head into a segment. */
  seal(): void {
    const segment = this.head.seal();
    this.head = new Head();
    if (segment) this.replaceSegments([...this.segments, segment]);
  }

  /**
   * Advances the due merges by one step. Returns the number of documents and postings processed; 0
   * if nothing is due.
   */
  step(): number {
    if (this.changed) {
      const inputs = dueMerge(
        this.segments.filter((segment) => !this.isMerging(segment)),
        this.limits.fan,
      );
      if (inputs) this.begin(inputs);
      else this.changed = false;
    }
    return this.advance();
  }

  /** Like `step`, towards a single segment without dead documents. */
  stepToOne(): number {
    const hasWork = this.segments.length > 1 || this.segments.some(({ deadCount }) => deadCount > 0);
    if (this.merges.length === 0 && hasWork) this.begin(this.segments);
    return this.advance();
  }

  private isMerging(segment: Segment): boolean {
    return this.merges.some(({ inputs }) => inputs.includes(segment));
  }

  private begin(inputs: readonly Segment[]): void {
    const work = inputs.reduce((sum, { size, postings }) => sum + size + postings, 0);
    this.merges.push({ inputs, work, kernel: mergeSegments(inputs), killed: [] });
    this.merges.sort((a, b) => b.work - a.work);
  }

  private advance(): number {
    const merge = this.merges.at(-1);
    if (!merge) return 0;
    const step = merge.kernel.next();
    if (!step.done) return Math.max(1, step.value);
    this.merges.pop();
    const others = this.segments.filter((segment) => !merge.inputs.includes(segment));
    const merged = step.value;
    for (const doc of merge.killed) {
      const local = merged ? merged.find(doc) : -1;
      if (local >= 0) merged!.kill(local);
    }
    this.replaceSegments(merged && merged.deadCount < merged.size ? [...others, merged] : others);
    return 1;
  }

  private replaceSegments(segments: Segment[]): void {
    this.segments = segments.sort((a, b) => a.firstDoc - b.firstDoc);
    this.changed = true;
  }
}

function hasManyDead({ deadCount, size }: Segment): boolean {
  return deadCount > size * MAX_DEAD;
}

function dueMerge(segments: readonly Segment[], fan: number): readonly Segment[] | undefined {
  const tiers = new Map<number, Segment[]>();
  for (const segment of segments) {
    if (hasManyDead(segment)) return [segment];
    const tier = Math.floor(Math.log(Math.max(1, (segment.size + segment.postings) / LOWEST_TIER)) / Math.log(fan));
    const equals = tiers.get(tier) ?? [];
    equals.push(segment);
    if (equals.length === fan) return equals;
    tiers.set(tier, equals);
  }
  return undefined;
}
