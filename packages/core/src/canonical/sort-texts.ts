import { compareCodePoints, compareUnits } from '../model/code-point-order.ts';

/** Items sorted in one piece before merging: about a millisecond. */
const CHUNK = 1 << 12;
const STRIDE = 1 << 10;

/** Sorts texts by Unicode code points; may sort the given array in place. A kernel. */
export function* sortTexts(texts: string[]): Generator<void, string[]> {
  // Without surrogates, code unit order, which is compared natively, equals code point order.
  let isPlain = true;
  for (let i = 0; i < texts.length && isPlain; i++) {
    isPlain = !/[\ud800-\udfff]/.test(texts[i]);
    if (i % STRIDE === STRIDE - 1) yield;
  }
  return yield* sortBy(texts, isPlain ? compareUnits : compareCodePoints);
}

/** Sorts items stably; may sort the given array in place. A kernel. */
export function* sortBy<Item>(items: Item[], compare: (one: Item, other: Item) => number): Generator<void, Item[]> {
  if (items.length <= CHUNK) return items.sort(compare);
  let from: Item[] = [];
  for (let start = 0; start < items.length; start += CHUNK) {
    for (const item of items.slice(start, start + CHUNK).sort(compare)) from.push(item);
    yield;
  }
  let to: Item[] = new Array(items.length);
  for (let width = CHUNK; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += width * 2) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + width * 2, from.length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takesLeft = right === end || (left < middle && compare(from[left], from[right]) <= 0);
        to[at] = takesLeft ? from[left++] : from[right++];
        if (at % STRIDE === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}
