import type { DocSet } from '../../../contracts/doc-set.ts';

/** Greater than all document numbers. */
export const NO_MORE = 2 ** 32;

/** Forward iterator over the documents that a filter allows; `rewind` restarts it. */
export class FilterCursor {
  private readonly set: DocSet;
  /** Index of the current range, or of the current id. */
  private at = 0;

  constructor(set: DocSet) {
    this.set = set;
  }

  rewind(): void {
    this.at = 0;
  }

  /** Returns the first allowed document not below `doc`, or NO_MORE; `doc` must not descend. */
  next(doc: number): number {
    const { set } = this;
    if (set.kind === 'sorted') {
      this.at = firstNotBelow(set.ids, doc, this.at, 1);
      return this.at < set.ids.length ? set.ids[this.at] : NO_MORE;
    }
    if (set.kind === 'ranges') {
      const { ranges } = set;
      // Range ends are exclusive.
      this.at = firstNotBelow(ranges, doc + 1, this.at, 2);
      return this.at * 2 < ranges.length ? Math.max(doc, ranges[this.at * 2]) : NO_MORE;
    }
    const { words } = set;
    let index = Math.floor(doc / 32);
    if (index >= words.length) return NO_MORE;
    let word = words[index] & (-1 << (doc & 31));
    while (word === 0) {
      if (++index === words.length) return NO_MORE;
      word = words[index];
    }
    return index * 32 + 31 - Math.clz32(word & -word);
  }

  /**
   * Returns the exclusive end of a run of allowed documents that starts at `doc`, the last result
   * of `next`.
   */
  runEnd(doc: number): number {
    const { set } = this;
    return set.kind === 'ranges' ? set.ranges[this.at * 2 + 1] : doc + 1;
  }

  /** Returns whether a document is allowed; documents must not descend across `has` and `next`. */
  has(doc: number): boolean {
    return this.next(doc) === doc;
  }

  /** Returns an exclusive upper bound, at most `end`, of the allowed documents below `end`. */
  endBelow(end: number): number {
    const { set } = this;
    if (set.kind === 'ranges') {
      const { ranges } = set;
      // The last range that starts below `end`.
      let low = this.at;
      let high = ranges.length / 2;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (ranges[middle * 2] < end) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? 0 : Math.min(end, ranges[low * 2 - 1]);
    }
    if (set.kind === 'sorted') {
      const place = firstNotBelow(set.ids, end, this.at, 1);
      return place === 0 ? 0 : set.ids[place - 1] + 1;
    }
    return Math.min(end, set.words.length * 32);
  }

  /**
   * Estimates how many documents from `first` to `last` are allowed, and in how many contiguous
   * pieces; pieces are exact for ranges.
   */
  estimate(first: number, last: number): { documents: number; pieces: number } {
    const { set } = this;
    if (set.kind === 'bitset') {
      const span = Math.min(last + 1, set.words.length * 32) - first;
      const documents = span <= 0 ? 0 : (set.size * span) / (set.words.length * 32);
      return { documents, pieces: documents };
    }
    if (set.kind === 'sorted') {
      const documents = firstNotBelow(set.ids, last + 1, 0, 1) - firstNotBelow(set.ids, first, 0, 1);
      return { documents, pieces: documents };
    }
    const { ranges } = set;
    const from = firstNotBelow(ranges, first + 1, 0, 2);
    let to = firstNotBelow(ranges, last + 1, from, 2);
    // The range that ends beyond `last` may start before it.
    if (to * 2 < ranges.length && ranges[to * 2] <= last) to++;
    let documents = 0;
    // With many ranges, extrapolate from the first ones.
    const looked = Math.min(to, from + 64);
    for (let at = from; at < looked; at++)
      documents += Math.min(ranges[at * 2 + 1], last + 1) - Math.max(ranges[at * 2], first);
    return { documents: to === looked ? documents : (documents * (to - from)) / 64, pieces: to - from };
  }
}

/**
 * Returns the first position from `from` on whose last element is not below `value`, in an
 * ascending list of groups of `stride`.
 */
function firstNotBelow(list: Uint32Array, value: number, from: number, stride: number): number {
  const count = list.length / stride;
  if (from >= count || list[(from + 1) * stride - 1] >= value) return from;
  let step = 1;
  while (from + step < count && list[(from + step + 1) * stride - 1] < value) {
    from += step;
    step *= 2;
  }
  let low = from + 1;
  let high = Math.min(from + step, count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[(middle + 1) * stride - 1] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
