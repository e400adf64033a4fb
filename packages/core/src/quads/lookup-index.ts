import { lowerBound, upperBound } from './bounds.ts';
import { sortByColumn } from './radix-sort.ts';

/** An index pays for its making once there is a lookup for so many of its rows. */
const ROWS_PER_LOOKUP = 8;
/** Smaller ranges are searched as they are. */
const MIN_ROWS = 256;
/** An index of many rows comes into being call by call, so that no query stops for it. */
const STEPS_PER_CALL = 2;
const STEP_ROWS = 1 << 16;

/**
 * The pairs of two columns sorted by the first, with a directory of its keys:
 * `offsets[(key - first) >> shift]` is the first row of the block that holds a key. What a binary
 * search finds in twenty steps over cold memory is here in one or two.
 */
export class LookupIndex {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  /** The context of each row, where the range is one over all contexts. */
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

  /** The first row whose key is at least `key`. */
  start(key: number): number {
    const { keys, first, shift, offsets } = this;
    if (key < first) return 0;
    const block = (key - first) >>> shift;
    if (block >= offsets.length - 1) return keys.length;
    const start = offsets[block];
    return shift === 0 ? start : lowerBound(keys, start, offsets[block + 1], key);
  }

  /** The row behind the last one of a key that {@link start} has found. */
  end(key: number, start: number): number {
    const { keys, first, shift, offsets } = this;
    const block = (key - first) >>> shift;
    return shift === 0 ? offsets[block + 1] : upperBound(keys, start, offsets[block + 1], key);
  }

  get byteLength(): number {
    const { keys, values, contexts, offsets } = this;
    return keys.byteLength + values.byteLength + offsets.byteLength + (contexts?.byteLength ?? 0);
  }
}

interface Entry {
  lookups: number;
  making: Generator<void, LookupIndex, void> | undefined;
  index: LookupIndex | undefined;
}

/**
 * The lookup indexes of one run, made of ranges of it when lookups there have shown that they pay.
 */
export class LookupIndexes {
  private readonly entries = new Map<string, Entry>();

  /**
   * The index of a range; undefined as long as it does not pay, or is not ready. Each call does a
   * bounded part of its making.
   * @param name tells the range and its columns from others of the same run
   * @param lookups how many there are since the last call
   */
  get(name: string, { columns, start, end, isSorted }: LookupRange, lookups: number): LookupIndex | undefined {
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

export interface LookupColumns {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  readonly contexts: Uint32Array | undefined;
}

/** Rows `start .. end - 1` of columns whose keys are looked up. */
export interface LookupRange {
  readonly columns: LookupColumns;
  readonly start: number;
  readonly end: number;
  /** Whether the keys ascend: then they need no copy. */
  readonly isSorted: boolean;
}

/** The shift with which blocks are at most twice as many as rows. */
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

/** Sorts the rows by key first; the rows of one key stay in their order. */
function* indexOfUnsorted({ keys, values, contexts }: LookupColumns): Generator<void, LookupIndex, void> {
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
