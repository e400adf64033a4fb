// The open-addressing hash of a term table: slots hold (hash, number) pairs; number 0 means empty.

/**
 * Initial number of slots of the first shard: a power of two, small enough for V8 to keep the array
 * on the JavaScript heap.
 */
export const FIRST_SLOTS = 8;

/**
 * Mixes the identity into a hash of the bytes, so that "1"^^xsd:integer and "1"^^xsd:decimal get
 * different buckets.
 */
export function mix(hash: number, identity: number): number {
  const mixed = Math.imul(hash ^ Math.imul(identity, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Returns the number of slots, a power of two, for a shard of this many terms. */
export function slotsFor(terms: number): number {
  let slots = FIRST_SLOTS;
  while ((terms + 1) * 8 > slots * 5) slots *= 2;
  return slots;
}

/** Returns the pairs in twice as many slots. */
export function rehash(slots: Int32Array): Int32Array {
  const grown = new Int32Array(slots.length * 2);
  for (let at = 0; at < slots.length; at += 2) if (slots[at + 1]) insert(grown, slots[at], slots[at + 1]);
  return grown;
}

/** Returns the slots without the numbers above `size`. */
export function slotsUpTo(slots: Int32Array, size: number): Int32Array {
  const kept = new Int32Array(slots.length);
  for (let at = 0; at < slots.length; at += 2)
    if (slots[at + 1] !== 0 && slots[at + 1] <= size) insert(kept, slots[at], slots[at + 1]);
  return kept;
}

/** Inserts a pair into the first free slot. Returns the number of slots probed. */
export function insert(slots: Int32Array, mixed: number, number: number): number {
  const mask = slots.length - 1;
  let probes = 1;
  let at = (mixed << 1) & mask;
  for (; slots[at + 1] !== 0; at = (at + 2) & mask) probes++;
  slots[at] = mixed;
  slots[at + 1] = number;
  return probes;
}
