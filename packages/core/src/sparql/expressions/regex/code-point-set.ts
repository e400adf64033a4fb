/**
 * A set of code points as a flat list of sorted, disjoint, non-adjacent ranges: first, last, first,
 * last ...
 */
export type CodePointSet = readonly number[];

export const MAX_CODE_POINT = 0x10ffff;

export const EVERY_CODE_POINT: CodePointSet = [0, MAX_CODE_POINT];

/** Creates a set from ranges, which may overlap and be in any order. */
export function codePointSet(ranges: readonly (readonly [first: number, last: number])[]): CodePointSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [first, last] of sorted) {
    const end = set.length - 1;
    if (end > 0 && first <= set[end] + 1) set[end] = Math.max(set[end], last);
    else set.push(first, last);
  }
  return set;
}

export function rangesOf(set: CodePointSet): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (let i = 0; i < set.length; i += 2) ranges.push([set[i], set[i + 1]]);
  return ranges;
}

export function union(sets: readonly CodePointSet[]): CodePointSet {
  return codePointSet(sets.flatMap(rangesOf));
}

export function complement(set: CodePointSet): CodePointSet {
  const result: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (set[i] > next) result.push(next, set[i] - 1);
    next = set[i + 1] + 1;
  }
  if (next <= MAX_CODE_POINT) result.push(next, MAX_CODE_POINT);
  return result;
}

export function subtract(set: CodePointSet, minus: CodePointSet): CodePointSet {
  return complement(union([complement(set), minus]));
}

export function contains(set: CodePointSet, codePoint: number): boolean {
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[2 * middle + 1] < codePoint) low = middle + 1;
    else high = middle;
  }
  return 2 * low < set.length && set[2 * low] <= codePoint;
}

export function areDisjoint(one: CodePointSet, other: CodePointSet): boolean {
  let at = 0;
  for (let i = 0; i < one.length; i += 2) {
    while (at < other.length && other[at + 1] < one[i]) at += 2;
    if (at < other.length && other[at] <= one[i + 1]) return false;
  }
  return true;
}

/** Returns the only member of a set, or undefined. */
export function singleMember(set: CodePointSet): number | undefined {
  return set.length === 2 && set[0] === set[1] ? set[0] : undefined;
}
