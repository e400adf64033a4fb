import { COMPARABLE } from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import { compareForOrder } from '../expressions/ordering.ts';
import { type Value, valueBytes } from '../expressions/value.ts';
import { NumberVector } from '../vectors/number-vector.ts';
import { PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';
import { ComparisonCost, sortSliced } from './merge-sort.ts';
import { RowNumbers } from './row-numbers.ts';
import type { RowStore } from './row-store.ts';

/** Rows between two checks of the clock. */
const STEP = 1 << 15;
/** Granularity of memory claims. */
const CLAIM_BYTES = 1 << 16;
/** Terms read as numbers between two checks of the clock. */
const NUMBERS_AT_ONCE = 1 << 12;
/** Bytes per distinct term while ranking, in addition to its value. */
const TERM_BYTES = 24;

/** A variable to sort by. */
export interface SlotKey {
  readonly slot: number;
  readonly descending: boolean;
}

/**
 * Sorts rows by variables without comparing rows: ranks the distinct terms of each variable, then
 * applies a stable counting sort per key, last key first. Each term is decoded only once, however
 * many rows contain it.
 *
 * @returns row numbers in sorted order
 */
export function* sortByRanks(
  store: RowStore,
  keys: readonly SlotKey[],
  execution: Execution,
  memory: MemoryBudget,
): Generator<Pause, Uint32Array, void> {
  const { length } = store;
  memory.claimMemory(length * 12);
  let rows = new Uint32Array(length);
  let spare = new Uint32Array(length);
  const ranks = new Uint32Array(length);
  for (let row = 0; row < length; row++) rows[row] = row;
  for (const { slot, descending } of keys.toReversed()) {
    const count = yield* rankRows(store.columns[slot]!, length, descending, ranks, execution, memory);
    if (count <= 1) continue;
    yield* countInto(rows, ranks, count, spare, execution);
    [rows, spare] = [spare, rows];
  }
  return rows;
}

/**
 * Writes the rank of each row's term and returns the number of ranks. Terms that compare equal
 * share a rank.
 */
function* rankRows(
  column: Uint32Array,
  length: number,
  descending: boolean,
  ranks: Uint32Array,
  execution: Execution,
  memory: MemoryBudget,
): Generator<Pause, number, void> {
  const terms = new RowNumbers(1, memory);
  for (let start = 0; start < length; start += STEP) {
    const end = Math.min(start + STEP, length);
    yield* terms.reserve(end - start, execution);
    terms.assign([column], start, end, ranks);
    if (execution.pauseDue) yield PAUSE;
  }
  const { size } = terms;
  memory.claimMemory(size * TERM_BYTES);
  const ids = new Uint32Array(size);
  terms.copyColumn(0, 0, size, ids);
  const cost = new ComparisonCost(1);
  const comparison =
    (yield* compareNumbers(ids, execution, memory)) ?? (yield* compareDecoded(ids, cost, execution, memory));
  const sign = descending ? -1 : 1;
  const compare = (one: number, other: number) => sign * comparison(one, other) || one - other;
  const sorted = yield* sortSliced(size, compare, cost, execution);
  const rankOf = new Uint32Array(size);
  let rank = 0;
  const stride = Math.min(cost.chunkRows, 1024);
  for (let at = 1; at < size; at++) {
    if (comparison(sorted[at - 1], sorted[at]) !== 0) rank++;
    rankOf[sorted[at]] = rank;
    if ((at & (stride - 1)) === 0 && execution.pauseDue) yield PAUSE;
  }
  for (let start = 0; start < length; start += STEP) {
    const end = Math.min(start + STEP, length);
    for (let row = start; row < end; row++) ranks[row] = rankOf[ranks[row]];
    if (execution.pauseDue) yield PAUSE;
  }
  return rank + 1;
}

/** Compares two terms by their positions, in the order of ORDER BY. */
type Comparison = (one: number, other: number) => number;

/**
 * Compares terms that are all numbers, or all dates and so on, without decoding them. Returns
 * undefined for any other terms.
 */
function* compareNumbers(
  ids: Uint32Array,
  execution: Execution,
  memory: MemoryBudget,
): Generator<Pause, Comparison | undefined, void> {
  if (!execution.numbers) return undefined;
  const numbers = new Float64Array(ids.length);
  const vector = new NumberVector(memory);
  vector.reserve(NUMBERS_AT_ONCE);
  let comparable = 0;
  for (let start = 0; start < ids.length; start += NUMBERS_AT_ONCE) {
    const end = Math.min(start + NUMBERS_AT_ONCE, ids.length);
    execution.numbers.fill(ids.subarray(start, end), end - start, vector);
    if (start === 0) comparable = COMPARABLE[vector.kinds[0]];
    if (comparable === 0) return undefined;
    for (let i = 0; i < end - start; i++) if (COMPARABLE[vector.kinds[i]] !== comparable) return undefined;
    numbers.set(vector.numbers.subarray(0, end - start), start);
    if (execution.pauseDue) yield PAUSE;
  }
  memory.claimMemory(numbers.byteLength);
  return (one, other) => {
    const a = numbers[one];
    const b = numbers[other];
    if (a < b) return -1;
    if (a > b) return 1;
    // Equal numbers may be different terms, such as 1 and 1.0.
    return compareForOrder(execution.value(ids[one]), execution.value(ids[other]));
  };
}

function* compareDecoded(
  ids: Uint32Array,
  cost: ComparisonCost,
  execution: Execution,
  memory: MemoryBudget,
): Generator<Pause, Comparison, void> {
  const size = ids.length;
  const values: (Value | undefined)[] = new Array(size);
  let bytes = 0;
  for (let number = 0; number < size; number++) {
    const value = execution.value(ids[number]);
    values[number] = value;
    bytes += valueBytes(value);
    cost.add(value?.textLength ?? 0);
    if (bytes < CLAIM_BYTES && number + 1 < size) continue;
    memory.claimMemory(bytes);
    bytes = 0;
    if (execution.pauseDue) yield PAUSE;
  }
  return (one, other) => compareForOrder(values[one], values[other]);
}

/** One pass of a counting sort: writes the rows to `target` in rank order. */
function* countInto(
  rows: Uint32Array,
  ranks: Uint32Array,
  count: number,
  target: Uint32Array,
  execution: Execution,
): Generator<Pause, void, void> {
  const starts = new Uint32Array(count + 1);
  for (let start = 0; start < rows.length; start += STEP) {
    const end = Math.min(start + STEP, rows.length);
    for (let at = start; at < end; at++) starts[ranks[at] + 1]++;
    if (execution.pauseDue) yield PAUSE;
  }
  for (let rank = 1; rank < count; rank++) starts[rank] += starts[rank - 1];
  if (execution.pauseDue) yield PAUSE;
  for (let start = 0; start < rows.length; start += STEP) {
    const end = Math.min(start + STEP, rows.length);
    for (let at = start; at < end; at++) {
      const row = rows[at];
      target[starts[ranks[row]]++] = row;
    }
    if (execution.pauseDue) yield PAUSE;
  }
}
