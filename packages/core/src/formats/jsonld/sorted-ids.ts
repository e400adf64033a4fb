import type { TermId } from '../../contracts/term-source.ts';

/** Number of ids sorted or merged between two yields. */
const RUN = 1 << 13;

/** Returns ids in ascending order: sorts runs, then merges them pairwise. A kernel. */
export function* sortedIds(ids: ReadonlySet<TermId>): Generator<undefined, Uint32Array> {
  let from = new Uint32Array(ids.size);
  let length = 0;
  for (const id of ids) {
    from[length++] = id;
    if (length % RUN === 0) yield;
  }
  for (let start = 0; start < length; start += RUN) {
    from.subarray(start, start + RUN).sort();
    yield;
  }
  let to = new Uint32Array(length);
  for (let width = RUN; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) yield* merge(from, to, start, start + width, 2 * width);
    [from, to] = [to, from];
  }
  return from;
}

/** Merges the runs at `left` and `right` into `to`. */
function* merge(
  from: Uint32Array,
  to: Uint32Array,
  left: number,
  right: number,
  size: number,
): Generator<undefined, void> {
  const middle = Math.min(right, from.length);
  const end = Math.min(left + size, from.length);
  let i = left;
  let k = middle;
  for (let at = left; at < end; at++) {
    to[at] = i < middle && (k >= end || from[i] <= from[k]) ? from[i++] : from[k++];
    if (at % RUN === 0) yield;
  }
}
