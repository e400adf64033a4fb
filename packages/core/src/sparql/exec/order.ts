import { Buffer } from '#platform';
import { newColumn } from '../../contracts/new-column.ts';
import { NO_TERM } from '../../contracts/term-source.ts';
import { COMPARABLE, VALUE } from '../../contracts/value-column.ts';
import type { OrderCondition } from '../algebra/algebra.ts';
import { orderText } from '../explain/algebra-text.ts';
import { compareForOrder } from '../expressions/ordering.ts';
import { type Value, valueBytes } from '../expressions/value.ts';
import { KIND } from '../expressions/value-kind.ts';
import type { NumberVector } from '../vectors/number-vector.ts';
import { numberKindOf } from '../vectors/parse-value.ts';
import { SlotNumbers } from '../vectors/slot-numbers.ts';
import { Batch, NO_ROWS, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { MemoryClaims } from './memory-claims.ts';
import { ComparisonCost, sortSliced } from './merge-sort.ts';
import { type Operator, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { type SlotKey, sortByRanks } from './rank-sort.ts';
import { resumed } from './resumed.ts';
import { MAY_SUSPEND, neededWith, type RowValue } from './row-function.ts';
import { RowStore } from './row-store.ts';
import type { SlotSet } from './slot-set.ts';
import { StoredTexts, TEXT } from './stored-texts.ts';

/**
 * Below this `keep`, holding a value for each kept row costs less than keeping all rows and ranking
 * their terms.
 */
const MANY_ROWS = 1 << 14;
/** Up to this `keep`, the best rows of a batch are selected by their numbers. */
const FEW_ROWS = 256;
/**
 * Above FEW_ROWS, ranking all rows also costs less if there are at most this many for each that is
 * kept.
 */
const RANKED_ROWS = 3;

/** One condition of ORDER BY. */
export interface OrderKey extends OrderCondition {
  readonly value: RowValue;
}

/**
 * Sorts all rows (SPARQL 1.1 section 15.1). The sort is stable. With `keep` (from LIMIT and
 * OFFSET), it holds at most max(64, 2 * keep) rows, except with plain variables as keys: 3 * keep
 * rows above FEW_ROWS, and all rows for a `keep` from MANY_ROWS on.
 */
export class Order implements Operator {
  readonly name: string;
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly keys: readonly OrderKey[];
  private readonly keep: number;

  constructor(input: Operator, keys: readonly OrderKey[], keep = Number.POSITIVE_INFINITY) {
    this.name = Number.isFinite(keep) ? 'top-k' : 'order';
    this.inputs = [input];
    this.keys = keys;
    this.keep = keep;
    this.slots = input.slots;
    this.certain = input.certain;
    this.estimate = Math.min(input.estimate, keep);
  }

  detail(): string {
    const keys = this.keys.map(orderText).join(', ');
    return Number.isFinite(this.keep) ? `${keys}; keep ${this.keep}` : keys;
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const below = neededWith(
      needed,
      this.keys.map(({ value }) => value),
    );
    return below && new Order(pruned(this.inputs[0], below), this.keys, this.keep);
  }

  *run(execution: Execution): Stream {
    const { keep } = this;
    const slotKeys = keep > FEW_ROWS ? this.slotKeys() : undefined;
    const rows = execution.run(this.inputs[0]);
    try {
      yield* slotKeys ? this.sortAll(slotKeys, rows, execution) : this.sortValues(rows, execution);
    } finally {
      rows.return();
    }
  }

  /** Returns the key slots if all keys are plain variables, otherwise undefined. */
  private slotKeys(): readonly SlotKey[] | undefined {
    const keys: SlotKey[] = [];
    for (const { value, descending } of this.keys) {
      if (value.expression.type !== 'variable' || value.reads?.length !== 1) return undefined;
      keys.push({ slot: value.reads[0], descending });
    }
    return keys.every(({ slot }) => this.slots.includes(slot)) ? keys : undefined;
  }

  private *sortAll(keys: readonly SlotKey[], input: Stream, execution: Execution): Stream {
    const { keep } = this;
    const mostRows = keep < MANY_ROWS ? RANKED_ROWS * keep : Number.POSITIVE_INFINITY;
    const memory = new MemoryClaims(execution);
    const store = new RowStore(this.slots, memory);
    while (store.length <= mostRows) {
      const { done, value: rows } = input.next();
      if (done) {
        yield* giveSorted(store, yield* sortByRanks(store, keys, execution, memory), keep, execution);
        return;
      }
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      yield* store.reserve(rows.length, execution);
      store.append(rows);
      if (execution.pauseDue) yield PAUSE;
    }
    yield* this.sortValues(rowsOf(store, memory, input, execution), execution);
  }

  private *sortValues(input: Stream, execution: Execution): Stream {
    const valuesAt = this.keys.map(({ value }) => value.start(execution, MAY_SUSPEND));
    const texts = StoredTexts.of(execution.source.terms);
    let memory = new MemoryClaims(execution);
    let store = new RowStore(this.slots, memory);
    const values: (Value | undefined)[][] = this.keys.map(() => []);
    const compare = (one: number, other: number): number => {
      for (let i = 0; i < this.keys.length; i++) {
        const order = compareForOrder(values[i][one], values[i][other]);
        if (order !== 0) return this.keys[i].descending ? -order : order;
      }
      return one - other;
    };
    // Top-k only: once enough rows are kept, the last of them, which a new row must precede.
    let threshold = -1;
    let isBehind: ((rows: Batch, row: number) => boolean) | undefined;
    let bound: NumberBound | undefined;
    let within = NO_ROWS;
    const mostRows = Number.isFinite(this.keep) ? Math.max(64, this.keep * 2) : Number.POSITIVE_INFINITY;
    const { keep, keys, slots } = this;
    const cost = new ComparisonCost(keys.length);
    /**
     * Writes the keys of a row behind those of the kept ones. Returns true if the row sorts after
     * the last of these, so that it cannot be part of the result: its later keys, which may be
     * texts to decode, are not read then.
     */
    const isAfterKept = (rows: Batch, row: number): boolean => {
      let isBefore = threshold < 0;
      for (let i = 0; i < valuesAt.length; i++) {
        const value = valuesAt[i](rows, row);
        values[i][store.length] = value;
        if (isBefore) continue;
        const order = compareForOrder(value, values[i][threshold]);
        if (order === 0) continue;
        if (order > 0 !== keys[i].descending) return true;
        isBefore = true;
      }
      // Of equal rows, the one that came first is first.
      return !isBefore;
    };
    const shrink = function* (): Generator<Pause, void, void> {
      const best = (yield* sortSliced(store.length, compare, cost, execution)).subarray(0, keep);
      const claims = new MemoryClaims(execution);
      const kept = new RowStore(slots, claims);
      for (let i = 0; i < best.length; i++) {
        kept.appendRow(store, best[i]);
        if ((i & 1023) === 1023 && execution.pauseDue) yield PAUSE;
      }
      for (let i = 0; i < keys.length; i++) {
        values[i] = Array.from(best, (row) => values[i][row]);
        for (const value of values[i]) claims.claimMemory(valueBytes(value));
        if (execution.pauseDue) yield PAUSE;
      }
      memory.release();
      memory = claims;
      store = kept;
      threshold = store.length - 1;
      isBehind = texts && behindText(keys[0], texts, values[0][threshold]);
      bound = numberBound(values[0][threshold]);
    };
    if (this.keep === 0) return;
    const numbers = new SlotNumbers(execution);
    const firstNumbers = Number.isFinite(keep) ? keys[0].value.startNumbers?.(numbers) : undefined;
    const best = firstNumbers && keep <= FEW_ROWS ? new BestNumbers(keep, keys[0].descending) : undefined;

    const pace = new Pace(execution);
    for (const rows of input) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      numbers.advance();
      const isMany = best !== undefined && rows.length > 2 * keep;
      const vector = bound || isMany ? firstNumbers?.(rows) : undefined;
      if (rows.length > within.length) within = newColumn(rows.capacity);
      let count = rows.length;
      if (vector) {
        count = rowsWithin(vector, rows.length, bound, keys[0].descending, within);
        // Where rows come in the opposite order, each precedes all before it.
        if (best && count > 2 * keep) count = best.among(vector, within, count, bound?.comparable);
      }
      for (let i = 0; i < count; i++) {
        const row = vector ? within[i] : i;
        if (pace.isDue) yield PAUSE;
        if (isBehind?.(rows, row)) continue;
        try {
          if (isAfterKept(rows, row)) continue;
        } catch (cause) {
          if (yield* resumed(cause, isAfterKept, rows, row)) continue;
        }
        for (let i = 0; i < keys.length; i++) {
          const value = values[i][store.length];
          memory.claimMemory(valueBytes(value));
          cost.add(value?.textLength ?? 0);
        }
        store.appendRow(rows, row);
        if (store.length >= mostRows) yield* shrink();
      }
      if (execution.pauseDue) yield PAUSE;
    }

    yield* giveSorted(store, yield* sortSliced(store.length, compare, cost, execution), keep, execution);
  }
}

/**
 * Returns a test whether the first key of a row is a string that sorts after the bound. It compares
 * stored bytes, so most rows need no decoded value; false means "unknown". Returns undefined if the
 * test is not possible.
 */
function behindText(
  { value, descending }: OrderKey,
  texts: StoredTexts,
  bound: Value | undefined,
): ((rows: Batch, row: number) => boolean) | undefined {
  if (value.expression.type !== 'variable' || value.reads?.length !== 1 || bound?.kind !== KIND.string)
    return undefined;
  const [slot] = value.reads;
  const bytes = Buffer.from(bound.lexical);
  return (rows, row) => {
    const id = rows.columns[slot]?.[row] ?? NO_TERM;
    if (id === NO_TERM || texts.locate(id) !== TEXT.string) return false;
    const order = texts.compare(bytes);
    return descending ? order < 0 : order > 0;
  };
}

/**
 * The number of a value that rows are compared with, and the class of values that compare with it.
 */
interface NumberBound {
  readonly comparable: number;
  readonly number: number;
}

function numberBound(value: Value | undefined): NumberBound | undefined {
  const kind = value ? numberKindOf(value) : VALUE.opaque;
  return kind === VALUE.opaque ? undefined : { comparable: COMPARABLE[kind], number: value!.number };
}

/**
 * Writes the rows whose first key may sort before the bound, and returns how many there are. Of all
 * others the number alone says that they sort after it. Without a bound, these are all rows.
 */
function rowsWithin(
  { kinds, numbers }: NumberVector,
  length: number,
  bound: NumberBound | undefined,
  descending: boolean,
  rows: Uint32Array,
): number {
  if (!bound) {
    for (let row = 0; row < length; row++) rows[row] = row;
    return length;
  }
  const { comparable, number } = bound;
  let count = 0;
  for (let row = 0; row < length; row++) {
    const isBeyond = descending ? numbers[row] < number : numbers[row] > number;
    if (!isBeyond || COMPARABLE[kinds[row]] !== comparable) rows[count++] = row;
  }
  return count;
}

/**
 * Selects the rows of a batch that may be among its first `keep`, by the numbers of their first
 * key.
 */
class BestNumbers {
  /** A binary heap of the best numbers so far, the worst of them first; negated if descending. */
  private readonly heap: Float64Array;
  private readonly sign: number;

  constructor(keep: number, descending: boolean) {
    this.heap = new Float64Array(keep);
    this.sign = descending ? -1 : 1;
  }

  /**
   * Keeps those of the first `count` rows that are not certain to sort after `keep` others of them,
   * in their order. Returns how many there are. Only rows of one comparable class are compared; by
   * default, that of the first row.
   */
  among(
    { kinds, numbers }: NumberVector,
    rows: Uint32Array,
    count: number,
    comparable: number = COMPARABLE[kinds[rows[0]]],
  ): number {
    if (comparable === COMPARABLE[VALUE.opaque]) return count;
    const { heap, sign } = this;
    let size = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      if (COMPARABLE[kinds[row]] !== comparable) continue;
      const number = sign * numbers[row];
      if (size < heap.length) this.rise(size++, number);
      else if (number < heap[0]) this.sink(number);
    }
    if (size < heap.length) return count;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      const isAfter = COMPARABLE[kinds[row]] === comparable && sign * numbers[row] > heap[0];
      if (!isAfter) rows[kept++] = row;
    }
    return kept;
  }

  private rise(at: number, number: number): void {
    const { heap } = this;
    for (let up = (at - 1) >> 1; at > 0 && heap[up] < number; up = (at - 1) >> 1) {
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = number;
  }

  /** Replaces the worst number. */
  private sink(number: number): void {
    const { heap } = this;
    let at = 0;
    for (let down = 1; down < heap.length; down = 2 * at + 1) {
      if (down + 1 < heap.length && heap[down + 1] > heap[down]) down++;
      if (heap[down] <= number) break;
      heap[at] = heap[down];
      at = down;
    }
    heap[at] = number;
  }
}

/** Gives the rows of a store, which is not needed afterwards, and then those of a stream. */
function* rowsOf(store: RowStore, memory: MemoryClaims, rest: Stream, execution: Execution): Stream {
  const inOrder = Uint32Array.from({ length: store.length }, (_, row) => row);
  yield* giveSorted(store, inOrder, store.length, execution);
  memory.release();
  yield* rest;
}

function* giveSorted(store: RowStore, sorted: Uint32Array, keep: number, execution: Execution): Stream {
  const end = Math.min(sorted.length, keep);
  const output = Batch.withSlots(store.slots, Math.min(execution.batchRows, end));
  for (let start = 0; start < end; start += output.capacity) {
    output.length = Math.min(output.capacity, end - start);
    for (const slot of store.slots) {
      const from = store.columns[slot]!;
      const to = output.columns[slot]!;
      for (let row = 0; row < output.length; row++) to[row] = from[sorted[start + row]];
    }
    yield output;
    if (execution.pauseDue) yield PAUSE;
  }
}
