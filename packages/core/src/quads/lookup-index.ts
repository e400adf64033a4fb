import type { TermId } from '../contracts/term-source.ts';
import { lowerBound, upperBound } from './bounds.ts';
import { type DirectIndex, directIndex } from './direct-index.ts';
import type { LookupColumns } from './lookup-columns.ts';
import { sortByColumn } from './radix-sort.ts';

/** An index is built once there has been one lookup per this many of its rows. */
const ROWS_PER_LOOKUP = 8;
/** Smaller ranges are searched without an index. */
const MIN_ROWS = 256;
/**
 * A large index is built incrementally, this many steps per call, so that no query waits for it.
 */
const STEPS_PER_CALL = 2;
const STEP_ROWS = 1 << 16;

/**
 * Pairs of two columns sorted by the first, with a directory of its keys:
 * `offsets[(key - first) >> shift]` is the first row of the block that holds a key. Finds a key in
 * one or two memory accesses, where a binary search takes twenty in cold memory.
 */
export class LookupIndex {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  /** The context of each row, if the range spans all contexts. */
  readonly contexts: Uint32Array | undefined;
  private readonly first: number;
  private readonly shift: number;
  private readonly offsets: Uint32Array;

  constructor({ keys, values, contexts }: LookupColumns, first: number, shift: number, offsets: Uint32Array) {
    this.keys = keys;
    this.values = values;
    this.contexts = contexts;
    this.first = first;
    this.shift = shift;
    this.offsets = offsets;
  }

  /** Returns the first row whose key is at least `key`. */
  start(key: number): number {
    const { keys, first, shift, offsets } = this;
    if (key < first) return 0;
    const block = (key - first) >>> shift;
    if (block >= offsets.length - 1) return keys.length;
    const start = offsets[block];
    return shift === 0 ? start : lowerBound(keys, start, offsets[block + 1], key);
  }

  /** Returns the row after the last one of a key, given its first row from {@link start}. */
  end(key: number, start: number): number {
    const { keys, first, shift, offsets } = this;
    const block = (key - first) >>> shift;
    return shift === 0 ? offsets[block + 1] : upperBound(keys, start, offsets[block + 1], key);
  }

  /** The smallest key, and the largest. */
  get lowest(): number {
    return this.keys[0];
  }

  get highest(): number {
    return this.keys[this.keys.length - 1];
  }

  /** Returns the keys in a range, as often as they occur, ascending. */
  keysBetween(low: number, high: number): Uint32Array {
    return this.keys.subarray(this.start(low), this.start(high + 1));
  }

  get byteLength(): number {
    const { keys, values, contexts, offsets } = this;
    return keys.byteLength + values.byteLength + offsets.byteLength + (contexts?.byteLength ?? 0);
  }
}

interface Entry {
  lookups: number;
  making: Generator<void, AnyIndex, void> | undefined;
  index: AnyIndex | undefined;
}

/** A {@link DirectIndex} where one is possible. */
export type AnyIndex = LookupIndex | DirectIndex;

/**
 * The lookup indexes of one run, built for ranges of it once the number of lookups justifies them.
 */
export class LookupIndexes {
  private readonly entries = new Map<string, Entry>();

  /**
   * Returns the index of a range, or undefined if it does not pay yet or is not complete. Each call
   * does a bounded part of the construction.
   * @param name identifies the range and its columns within the run
   * @param lookups number of lookups since the last call
   */
  get(name: string, { columns, start, end, isSorted }: LookupRange, lookups: number): AnyIndex | undefined {
    let entry = this.entries.get(name);
    if (entry?.index || end - start < MIN_ROWS) return entry?.index;
    if (!entry) {
      entry = { lookups: 0, making: undefined, index: undefined };
      this.entries.set(name, entry);
    }
    entry.lookups += lookups;
    if (entry.lookups * ROWS_PER_LOOKUP < end - start) return undefined;
    entry.making ??= (isSorted ? indexOfSorted : indexOfUnsorted)({
      keys: columns.keys.subarray(start, end),
      values: columns.values.subarray(start, end),
      contexts: columns.contexts?.subarray(start, end),
    });
    for (let step = 0; step < STEPS_PER_CALL && entry.making; step++) {
      const { done, value } = entry.making.next();
      if (!done) continue;
      entry.index = value;
      entry.making = undefined;
    }
    return entry.index;
  }

  get byteLength(): number {
    let total = 0;
    for (const { index } of this.entries.values()) total += index?.byteLength ?? 0;
    return total;
  }
}

/**
 * Names the index by subject of a predicate's rows.
 *
 * @param scope whether the rows are of one context or of all
 * @param start first row of that scope in the run
 */
export function subjectIndexName(scope: 'one' | 'all', start: number, predicate: TermId): string {
  return `${scope} subject ${start} ${predicate}`;
}

/** Rows `start .. end - 1` of the columns whose keys are looked up. */
export interface LookupRange {
  readonly columns: LookupColumns;
  readonly start: number;
  readonly end: number;
  /** Whether the keys ascend; if so they are not copied. */
  readonly isSorted: boolean;
}

/** Returns the smallest shift for which there are at most twice as many blocks as rows. */
function shiftFor(span: number, rows: number): number {
  let shift = 0;
  while (span / 2 ** shift > rows * 2) shift++;
  return shift;
}

function* indexOfSorted(columns: LookupColumns): Generator<void, LookupIndex, void> {
  const { keys } = columns;
  const first = keys[0];
  const span = keys[keys.length - 1] - first + 1;
  const shift = shiftFor(span, keys.length);
  const offsets = new Uint32Array(((span - 1) >>> shift) + 2);
  let next = 0;
  for (let row = 0; row < keys.length; row++) {
    const block = (keys[row] - first) >>> shift;
    while (next <= block) offsets[next++] = row;
    if (row % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  offsets.fill(keys.length, next);
  return new LookupIndex(columns, first, shift, offsets);
}

function* indexOfUnsorted(columns: LookupColumns): Generator<void, AnyIndex, void> {
  // The same triple may be in several contexts.
  const direct = columns.contexts ? undefined : yield* directIndex(columns);
  return direct ?? (yield* indexOfPairs(columns));
}

/** Sorts the rows by key; the sort is stable. */
function* indexOfPairs({ keys, values, contexts }: LookupColumns): Generator<void, LookupIndex, void> {
  const rows = new Uint32Array(keys.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  const sorted = yield* sortByColumn(rows, new Uint32Array(keys.length), keys);
  return yield* indexOfSorted({
    keys: yield* gathered(sorted, keys),
    values: yield* gathered(sorted, values),
    contexts: contexts && (yield* gathered(sorted, contexts)),
  });
}

function* gathered(rows: Uint32Array, column: Uint32Array): Generator<void, Uint32Array, void> {
  const target = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    target[i] = column[rows[i]];
    if (i % STEP_ROWS === STEP_ROWS - 1) yield;
  }
  return target;
}
