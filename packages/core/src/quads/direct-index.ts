import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import type { LookupColumns } from './lookup-columns.ts';

/** Above this many ids from the first to the last key per row, pairs take less memory. */
const MAX_SPAN = 3.5;
const STEP_ROWS = 1 << 16;

/**
 * The values of keys that have one each, such as the object by subject of a functional predicate:
 * `values[key - first]`, or NO_TERM for other ids. Finds a value in one memory access.
 */
export class DirectIndex {
  readonly first: TermId;
  readonly values: Uint32Array;

  constructor(first: TermId, values: Uint32Array) {
    this.first = first;
    this.values = values;
  }

  /** The smallest key, and the largest. */
  get lowest(): TermId {
    return this.first;
  }

  get highest(): TermId {
    return this.first + this.values.length - 1;
  }

  get byteLength(): number {
    return this.values.byteLength;
  }

  /** Returns the values of the keys in a range. */
  between(low: TermId, high: TermId): DirectIndex {
    const first = Math.max(low, this.first);
    const end = Math.max(first, Math.min(high, this.highest) + 1);
    return new DirectIndex(first, this.values.subarray(first - this.first, end - this.first));
  }

  /** Returns the keys in a range that have a value, ascending. */
  keysBetween(low: TermId, high: TermId): Uint32Array {
    const { first, values } = this.between(low, high);
    const keys: number[] = [];
    for (let at = 0; at < values.length; at++) if (values[at] !== NO_TERM) keys.push(first + at);
    return Uint32Array.from(keys);
  }
}

/**
 * Builds an index of at least one row, with pauses. Returns undefined if a key has several values,
 * or if the keys are too far apart.
 */
export function* directIndex({ keys, values }: LookupColumns): Generator<void, DirectIndex | undefined, void> {
  let first = keys[0];
  let last = first;
  for (let row = 0; row < keys.length; row++) {
    const key = keys[row];
    if (key < first) first = key;
    if (key > last) last = key;
    if (row % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  const span = last - first + 1;
  if (span > keys.length * MAX_SPAN) return undefined;
  const direct = new Uint32Array(span);
  for (let row = 0; row < keys.length; row++) {
    const at = keys[row] - first;
    if (direct[at] !== NO_TERM) return undefined;
    direct[at] = values[row];
    if (row % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  return new DirectIndex(first, direct);
}
