import type { DocSet } from '../contracts/doc-set.ts';

export const EMPTY_DOC_SET: DocSet = { kind: 'sorted', ids: new Uint32Array(0), size: 0 };

/** Returns whether a set contains a document: in O(1) for a bitset, else in O(log n). */
export function docSetHas(set: DocSet, id: number): boolean {
  switch (set.kind) {
    case 'bitset':
      return (set.words[id >>> 5] & (1 << (id & 31))) !== 0;
    case 'sorted': {
      const at = upperBound(set.ids, id, 1);
      return at > 0 && set.ids[at - 1] === id;
    }
    case 'ranges': {
      const at = upperBound(set.ranges, id, 2);
      return at > 0 && id < set.ranges[at * 2 - 1];
    }
  }
}

/**
 * Returns the members of a set, ascending. For the `sorted` form it is the set's own array: do not
 * modify it.
 */
export function docSetIds(set: DocSet): Uint32Array {
  if (set.kind === 'sorted') return set.ids;
  const ids = new Uint32Array(set.size);
  let length = 0;
  if (set.kind === 'ranges') {
    for (let at = 0; at < set.ranges.length; at += 2)
      for (let id = set.ranges[at]; id < set.ranges[at + 1]; id++) ids[length++] = id;
    return ids;
  }
  for (let at = 0; at < set.words.length; at++) {
    // Each iteration clears the lowest set bit.
    for (let word = set.words[at]; word !== 0; word &= word - 1)
      ids[length++] = at * 32 + 31 - Math.clz32(word & -word);
  }
  return ids;
}

/**
 * Returns a set as a bitmap; undefined if that takes more than `maxWords` words. For the `bitset`
 * form it is the set's own array: do not modify it.
 */
export function docSetWords(set: DocSet, maxWords: number): Uint32Array | undefined {
  if (set.kind === 'bitset') return set.words;
  if (set.size === 0) return new Uint32Array(0);
  const last = set.kind === 'sorted' ? set.ids[set.ids.length - 1] : set.ranges[set.ranges.length - 1] - 1;
  const wordCount = (last >>> 5) + 1;
  if (wordCount > maxWords) return undefined;
  const words = new Uint32Array(wordCount);
  if (set.kind === 'sorted') {
    const { ids } = set;
    for (let at = 0; at < ids.length; at++) words[ids[at] >>> 5] |= 1 << (ids[at] & 31);
    return words;
  }
  const { ranges } = set;
  for (let at = 0; at < ranges.length; at += 2) fillBits(words, ranges[at], ranges[at + 1]);
  return words;
}

function fillBits(words: Uint32Array, start: number, end: number): void {
  const first = start >>> 5;
  const last = (end - 1) >>> 5;
  const head = -1 << (start & 31);
  const tail = -1 >>> (31 - ((end - 1) & 31));
  if (first === last) {
    words[first] |= head & tail;
    return;
  }
  words[first] |= head;
  words.fill(0xffff_ffff, first + 1, last);
  words[last] |= tail;
}

/** Calls `visit` with each member, ascending, without allocating an array. */
export function forEachInDocSet(set: DocSet, visit: (id: number) => void): void {
  switch (set.kind) {
    case 'sorted':
      for (let at = 0; at < set.ids.length; at++) visit(set.ids[at]);
      return;
    case 'ranges':
      for (let at = 0; at < set.ranges.length; at += 2)
        for (let id = set.ranges[at]; id < set.ranges[at + 1]; id++) visit(id);
      return;
    case 'bitset':
      for (let at = 0; at < set.words.length; at++)
        for (let word = set.words[at]; word !== 0; word &= word - 1) visit(at * 32 + 31 - Math.clz32(word & -word));
  }
}

/** Returns the set of ids below `end` that a predicate accepts. */
export function docSetWhere(end: number, accepts: (id: number) => boolean): DocSet {
  const ids = new Uint32Array(end);
  let length = 0;
  for (let id = 0; id < end; id++) if (accepts(id)) ids[length++] = id;
  return docSetOf(ids, length);
}

/**
 * Returns the set of the first `length` of `ids`, unordered and possibly with duplicates, in the
 * form that takes the least memory: 8 bytes per run, 4 bytes per id, or one bit per number up to
 * the largest. Reorders `ids`.
 */
export function docSetOf(ids: Uint32Array, length = ids.length): DocSet {
  if (length === 0) return EMPTY_DOC_SET;
  let largest = ids[0];
  let ascending = true;
  for (let at = 1; at < length; at++) {
    if (ids[at] <= ids[at - 1]) ascending = false;
    if (ids[at] > largest) largest = ids[at];
  }
  const wordCount = (largest >>> 5) + 1;
  // Unsorted and dense: setting bits costs O(n), sorting O(n log n).
  if (!ascending && wordCount <= length) return leastForm(docSetIds(bitsetOf(ids, length, wordCount)), wordCount);
  const sorted = ids.subarray(0, length);
  return leastForm(ascending ? sorted : distinct(sorted.sort()), wordCount);
}

/** Chooses the smallest form. `ids` must be ascending and distinct. */
function leastForm(ids: Uint32Array, wordCount: number): DocSet {
  let runs = 1;
  for (let at = 1; at < ids.length; at++) if (ids[at] !== ids[at - 1] + 1) runs++;
  if (runs * 2 <= Math.min(ids.length, wordCount)) return rangesOf(ids, runs);
  if (ids.length <= wordCount) {
    // Copy a view, which would keep a longer array alive.
    return { kind: 'sorted', ids: ids.length === ids.buffer.byteLength / 4 ? ids : ids.slice(), size: ids.length };
  }
  return bitsetOf(ids, ids.length, wordCount);
}

function rangesOf(ids: Uint32Array, runs: number): DocSet {
  const ranges = new Uint32Array(runs * 2);
  let at = 0;
  ranges[at++] = ids[0];
  for (let index = 1; index < ids.length; index++) {
    if (ids[index] === ids[index - 1] + 1) continue;
    ranges[at++] = ids[index - 1] + 1;
    ranges[at++] = ids[index];
  }
  ranges[at] = ids[ids.length - 1] + 1;
  return { kind: 'ranges', ranges, size: ids.length };
}

function bitsetOf(ids: Uint32Array, length: number, wordCount: number): DocSet {
  const words = new Uint32Array(wordCount);
  let size = 0;
  for (let at = 0; at < length; at++) {
    const bit = 1 << (ids[at] & 31);
    const word = words[ids[at] >>> 5];
    if ((word & bit) !== 0) continue;
    words[ids[at] >>> 5] = word | bit;
    size++;
  }
  return { kind: 'bitset', words, size };
}

/** Removes duplicates from sorted ids, in place. */
function distinct(sorted: Uint32Array): Uint32Array {
  let length = 1;
  for (let at = 1; at < sorted.length; at++) if (sorted[at] !== sorted[at - 1]) sorted[length++] = sorted[at];
  return sorted.subarray(0, length);
}

/**
 * Returns how many of the elements at 0, stride, 2 * stride ... of an ascending array are <= id.
 */
function upperBound(ascending: Uint32Array, id: number, stride: number): number {
  let low = 0;
  let high = Math.floor(ascending.length / stride);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle * stride] <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
