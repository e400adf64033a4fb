import { compareCodePoints, compareUnits } from '../model/code-point-order.ts';

/** Items sorted in one piece before merging: about a millisecond. */
const CHUNK = 1 << 12;
/** Comparisons between two opportunities to pause. */
const STRIDE = 1 << 10;
/** UTF-16 units that are sorted in one piece, or read or compared without a pause, about. */
const PIECE_UNITS = 1 << 18;

/** Sorts texts by Unicode code points; may sort the given array in place. A kernel. */
export function* sortTexts(texts: string[]): Generator<void, string[]> {
  // Without surrogates, code unit order, which is compared natively, equals code point order.
  let isPlain = true;
  let units = 0;
  for (let i = 0; i < texts.length && isPlain; i++) {
    isPlain = !/[\ud800-\udfff]/.test(texts[i]);
    units += texts[i].length;
    if (i % STRIDE !== STRIDE - 1 && units < PIECE_UNITS) continue;
    units = 0;
    yield;
  }
  return yield* sortBy(texts, isPlain ? compareUnits : compareCodePoints, (text) => text.length);
}

/**
 * Sorts items stably; may sort the given array in place. A kernel.
 *
 * @param unitsOf length in UTF-16 units of what is compared, if it may be long
 */
export function* sortBy<Item>(
  items: Item[],
  compare: (one: Item, other: Item) => number,
  unitsOf: (item: Item) => number = () => 0,
): Generator<void, Item[]> {
  const ends: number[] = [];
  for (let end = 0; end < items.length; ends.push(end)) {
    const start = end;
    for (let units = 0; end < items.length && end - start < CHUNK && units < PIECE_UNITS; end++)
      units += unitsOf(items[end]);
  }
  if (ends.length <= 1) return items.sort(compare);
  let from: Item[] = [];
  for (const end of ends) {
    for (const item of items.slice(from.length, end).sort(compare)) from.push(item);
    yield;
  }
  let to: Item[] = new Array(items.length);
  for (let runs = ends; runs.length > 1; ) {
    const merged: number[] = [];
    let units = 0;
    for (let run = 0; run < runs.length; run += 2) {
      const middle = runs[run];
      const end = runs[run + 1] ?? middle;
      let left = run === 0 ? 0 : runs[run - 1];
      let right = middle;
      for (let at = left; at < end; at++) {
        const takesLeft = right === end || (left < middle && compare(from[left], from[right]) <= 0);
        to[at] = takesLeft ? from[left++] : from[right++];
        units += unitsOf(to[at]);
        if (at % STRIDE !== 0 && units < PIECE_UNITS) continue;
        units = 0;
        yield;
      }
      merged.push(end);
    }
    runs = merged;
    [from, to] = [to, from];
  }
  return from;
}
