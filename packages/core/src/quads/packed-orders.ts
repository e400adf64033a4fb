import { runAtOnce } from '../contracts/slicer.ts';
import { PackedColumn, packColumn } from './packed-column.ts';
import { PERMUTATIONS } from './permutation.ts';
import type { ColumnSource, RowRange, Run, TripleColumns } from './run.ts';

/**
 * Larger runs are unpacked in slices while they are loaded: the first query that reads an order of
 * a smaller one unpacks it in one step, which takes about 7 milliseconds at this size.
 */
export const LATE_UNPACKING = { mostRows: 1 << 20 };

/**
 * Number of searches in the compressed form of a permutation, after which it is unpacked as a
 * whole.
 */
const MAX_SEARCHES = 64;
/** A permutation is unpacked as a whole if more than this fraction of its rows is read. */
const MAX_FRACTION = 8;

/**
 * The permutations of a run in compressed form. A few lookups unpack only the blocks that they
 * need. A permutation is unpacked as a whole when more of it is read, so that opening a namespace
 * costs neither the time nor the memory of permutations that no query uses.
 */
export class PackedOrders implements ColumnSource {
  private readonly words: Int32Array;
  private readonly rows: number;
  private readonly orders: PackedOrder[] = [];
  /** The position after the last column. */
  readonly end: number;

  /** Throws a RangeError unless the words contain all columns from position `at` on. */
  constructor(words: Int32Array, at: number, rows: number) {
    this.words = words;
    this.rows = rows;
    for (const { order } of PERMUTATIONS) {
      const packed: PackedColumn[] = [];
      for (const _ of order) {
        const column = new PackedColumn(words, at, rows);
        packed.push(column);
        at = column.end;
      }
      this.orders.push({ packed, searches: 0, columns: undefined });
    }
    this.end = at;
  }

  columnsOf(permutation: number): TripleColumns {
    return this.orders[permutation].columns ?? runAtOnce(this.unpack(permutation));
  }

  /** Unpacks all permutations. A kernel. */
  *unpackAll(): Generator<void, void, void> {
    for (let permutation = 0; permutation < PERMUTATIONS.length; permutation++) yield* this.unpack(permutation);
  }

  search(permutation: number, rows: RowRange, keys: readonly number[], prefix: number): RowRange | undefined {
    const order = this.orders[permutation];
    if (order.columns || order.searches === MAX_SEARCHES) return undefined;
    order.searches++;
    let { start, end } = rows;
    for (let i = 0; i < prefix && start < end; i++) {
      start = order.packed[i].lowerBound(start, end, keys[i]);
      if (start < end) end = order.packed[i].lowerBound(start, end, keys[i] + 1);
    }
    return { start, end };
  }

  rowsOf(permutation: number, { start, end }: RowRange): TripleColumns | undefined {
    const { packed, columns } = this.orders[permutation];
    if (columns || (end - start) * MAX_FRACTION > this.rows) return undefined;
    return packed.map((column) => column.valuesWithin(start, end)) as unknown as TripleColumns;
  }

  /** Bytes of the compressed form, while it is needed. */
  get byteLength(): number {
    return this.orders.every(({ columns }) => columns) ? 0 : this.words.byteLength;
  }

  private *unpack(permutation: number): Generator<void, TripleColumns, void> {
    const order = this.orders[permutation];
    const columns: Uint32Array[] = [];
    for (const column of order.packed) columns.push(yield* column.values());
    order.columns = columns as unknown as TripleColumns;
    order.packed = [];
    return order.columns;
  }
}

interface PackedOrder {
  /** Empty once the permutation is unpacked as a whole. */
  packed: readonly PackedColumn[];
  searches: number;
  columns: TripleColumns | undefined;
}

/** Packs the columns of a run, permutation by permutation. A kernel. */
export function* packOrders(run: Run): Generator<void, Int32Array[], void> {
  const packed: Int32Array[] = [];
  for (let permutation = 0; permutation < PERMUTATIONS.length; permutation++) {
    for (const column of run.columnsOf(permutation)) {
      packed.push(yield* packColumn(column));
      yield;
    }
  }
  return packed;
}
