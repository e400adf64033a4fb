import { LookupIndexes } from './lookup-index.ts';
import { PERMUTATIONS } from './permutation.ts';
import { sortByColumn } from './radix-sort.ts';

/**
 * The three columns of one permutation: `columns[i]` holds the position `PERMUTATIONS[p].order[i]`.
 */
export type TripleColumns = readonly [Uint32Array, Uint32Array, Uint32Array];
/**
 * Like {@link TripleColumns}, but sorted over all contexts, with the context as a fourth column and
 * last sort key.
 */
export type CollectionColumns = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/** The rows `start .. end - 1` of a permutation. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Provides the permutations of a run when they are first read. */
export interface ColumnSource {
  columnsOf(permutation: number): TripleColumns;
  /**
   * Returns those of some rows of one context whose first `prefix` columns have the given keys.
   * Returns undefined if {@link columnsOf} should be searched.
   */
  search(permutation: number, rows: RowRange, keys: readonly number[], prefix: number): RowRange | undefined;
  /** Returns columns of just some rows, or undefined if {@link columnsOf} should be read. */
  rowsOf(permutation: number, rows: RowRange): TripleColumns | undefined;
  /** Memory in addition to that of the columns. */
  readonly byteLength: number;
}

/**
 * An immutable sorted set of quads: the building block of the store.
 *
 * A *context* is one graph of one world, as a number. Rows are grouped by context and sorted within
 * it, once per permutation. The context is not a column but an entry of a small directory: the rows
 * of `contexts[i]` are `starts[i] .. starts[i + 1] - 1` in every permutation. A world's graph is
 * therefore one range, small worlds share a run, and a quad takes 36 bytes. A run from storage has
 * its permutations from a {@link ColumnSource}, which decompresses them when they are first read.
 *
 * Queries over many worlds use a second set of permutations, sorted over all contexts: see
 * {@link buildCollection}. It is built on first use, stored in the run, and immutable as well.
 */
export class Run {
  readonly contexts: Uint32Array;
  readonly starts: Uint32Array;
  /** Indexed like {@link PERMUTATIONS}; undefined until first read. */
  private readonly orders: (TripleColumns | undefined)[];
  private readonly source: ColumnSource | undefined;
  /** Indexed like {@link PERMUTATIONS}; undefined until first needed. */
  collection: readonly CollectionColumns[] | undefined;
  private indexes: LookupIndexes | undefined;

  /** @param columns indexed like {@link PERMUTATIONS} */
  constructor(contexts: Uint32Array, starts: Uint32Array, columns: readonly TripleColumns[] | ColumnSource) {
    this.contexts = contexts;
    this.starts = starts;
    this.source = 'columnsOf' in columns ? columns : undefined;
    this.orders = 'columnsOf' in columns ? [undefined, undefined, undefined] : columns.slice();
  }

  get length(): number {
    return this.starts[this.contexts.length];
  }

  /** Returns the columns of a permutation. */
  columnsOf(permutation: number): TripleColumns {
    return this.orders[permutation] ?? this.readColumns(permutation);
  }

  /**
   * Returns those rows of an entry of the directory whose first `prefix` columns have the given
   * keys. Returns undefined if {@link columnsOf} should be searched: it usually is decompressed.
   */
  search(permutation: number, entry: number, keys: readonly number[], prefix: number): RowRange | undefined {
    if (this.orders[permutation] !== undefined || prefix === 0) return undefined;
    return this.source!.search(permutation, { start: this.starts[entry], end: this.starts[entry + 1] }, keys, prefix);
  }

  /**
   * Returns columns of just the rows that {@link search} found, or undefined if {@link columnsOf}
   * should be read.
   */
  rowsOf(permutation: number, rows: RowRange): TripleColumns | undefined {
    return this.orders[permutation] === undefined ? this.source!.rowsOf(permutation, rows) : undefined;
  }

  /** All permutations, indexed like {@link PERMUTATIONS}. */
  get columns(): readonly TripleColumns[] {
    return this.orders.map((_, permutation) => this.columnsOf(permutation));
  }

  private readColumns(permutation: number): TripleColumns {
    const columns = this.source!.columnsOf(permutation);
    this.orders[permutation] = columns;
    return columns;
  }

  /** The indexes built for repeated lookups in joins. */
  get lookupIndexes(): LookupIndexes {
    this.indexes ??= new LookupIndexes();
    return this.indexes;
  }

  /** Returns the index of a context in the directory, or -1. */
  indexOfContext(context: number): number {
    const { contexts } = this;
    let low = 0;
    let high = contexts.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = contexts[middle];
      if (found === context) return middle;
      if (found < context) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** Returns the rows of one context as a run that shares this run's memory. */
  sliceOf(context: number): Run {
    const entry = this.indexOfContext(context);
    if (entry < 0) return EMPTY_RUN;
    const start = this.starts[entry];
    const end = this.starts[entry + 1];
    return new Run(Uint32Array.of(context), Uint32Array.of(0, end - start), this.rowsFrom(start, end));
  }

  /** Returns the same rows under other contexts, which must be as many and ascending. */
  withContexts(contexts: Uint32Array): Run {
    return new Run(contexts, this.starts, this.rowsFrom(0, this.length));
  }

  /** Returns the columns of the rows `start .. end - 1`, which share this run's memory. */
  rowsFrom(start: number, end: number): readonly TripleColumns[] | ColumnSource {
    if (this.source) return new RowsOfRun(this, start, end);
    if (start === 0 && end === this.length) return this.columns;
    return this.columns.map((columns) => rowsOf(columns, start, end));
  }

  /** Includes permutations that are not decompressed yet, because any reader may do that. */
  get byteLength(): number {
    let total = this.contexts.byteLength + this.starts.byteLength + (this.indexes?.byteLength ?? 0);
    total += this.length * BYTES_PER_ROW + (this.source?.byteLength ?? 0);
    for (const columns of this.collection ?? []) for (const column of columns) total += column.byteLength;
    return total;
  }
}

/** Memory of a row in all permutations. */
export const BYTES_PER_ROW = PERMUTATIONS.length * 3 * Uint32Array.BYTES_PER_ELEMENT;

/** Consecutive rows of a run. */
class RowsOfRun implements ColumnSource {
  /** The memory is that of the run. */
  readonly byteLength = 0;
  private readonly run: Run;
  private readonly start: number;
  private readonly end: number;

  constructor(run: Run, start: number, end: number) {
    this.run = run;
    this.start = start;
    this.end = end;
  }

  columnsOf(permutation: number): TripleColumns {
    return rowsOf(this.run.columnsOf(permutation), this.start, this.end);
  }

  search(): undefined {
    return undefined;
  }

  rowsOf(): undefined {
    return undefined;
  }
}

function rowsOf(columns: TripleColumns, start: number, end: number): TripleColumns {
  return columns.map((keys) => keys.subarray(start, end)) as unknown as TripleColumns;
}

/** Returns whether columns are the same memory, as those of a world and its fork may be. */
export function hasSameMemory(one: TripleColumns, other: TripleColumns): boolean {
  return one.every((column, i) => {
    const { buffer, byteOffset, length } = other[i];
    return column.buffer === buffer && column.byteOffset === byteOffset && column.length === length;
  });
}

/** Returns a run with the same rows in memory of its own. */
export function copyOfRun(run: Run): Run {
  return new Run(
    run.contexts.slice(),
    run.starts.slice(),
    run.columns.map(([first, second, third]) => [first.slice(), second.slice(), third.slice()]),
  );
}

const NO_COLUMN = new Uint32Array(0);

export const EMPTY_RUN = new Run(
  NO_COLUMN,
  new Uint32Array(1),
  PERMUTATIONS.map(() => [NO_COLUMN, NO_COLUMN, NO_COLUMN]),
);

/** Quads in any order, possibly with duplicates. The arrays may be longer than `length`. */
export interface UnsortedQuads {
  readonly length: number;
  readonly context: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

const STEP = 1 << 16;

/**
 * Builds a run of one quad, the most frequent commit of applications. Its columns are the same in
 * every permutation.
 */
function runOfOne({ context, subject, predicate, object }: UnsortedQuads): Run {
  const keys = [columnOfOne(subject[0]), columnOfOne(predicate[0]), columnOfOne(object[0])];
  const columns: TripleColumns[] = [];
  for (const { order } of PERMUTATIONS) columns.push([keys[order[0]], keys[order[1]], keys[order[2]]]);
  return new Run(columnOfOne(context[0]), STARTS_OF_ONE, columns);
}

/** Shared by all runs of one quad, since the `starts` of a run are never modified. */
const STARTS_OF_ONE = Uint32Array.of(0, 1);

function columnOfOne(value: number): Uint32Array {
  const column = new Uint32Array(1);
  column[0] = value;
  return column;
}

/** Sorts quads into a run and drops duplicates. A kernel: yields every 65,536 rows. */
export function* buildRun(quads: UnsortedQuads): Generator<void, Run, void> {
  if (quads.length === 0) return EMPTY_RUN;
  if (quads.length === 1) return runOfOne(quads);
  const keys = [quads.subject, quads.predicate, quads.object];
  let rows: Uint32Array = yield* rowNumbers(quads.length);
  let spare: Uint32Array = new Uint32Array(quads.length);
  // All sorts are stable, so the keys are sorted from least to most significant.
  for (const column of [quads.object, quads.predicate, quads.subject, quads.context]) {
    const sorted = yield* sortByColumn(rows, spare, column);
    if (sorted !== rows) [rows, spare] = [spare, rows];
  }
  const length = yield* dropDuplicates(rows, quads);
  rows = rows.subarray(0, length);
  spare = spare.subarray(0, length);
  yield;
  const [contexts, starts] = yield* directory(rows, quads.context);

  const spo: Uint32Array[] = [];
  for (const key of keys) spo.push(yield* gather(rows, key));
  const columns = [spo as unknown as TripleColumns];
  yield* addPermutations(columns, keys, contexts.length > 1 ? quads.context : undefined, rows, spare);
  return new Run(contexts, starts, columns);
}

/**
 * Builds a run from rows that are already sorted by context, subject, predicate and object and have
 * no duplicates. The given columns become its first permutation; the others are derived from it. A
 * kernel: yields every 65,536 rows.
 */
export function* completeRun(
  contexts: Uint32Array,
  starts: Uint32Array,
  spo: TripleColumns,
): Generator<void, Run, void> {
  const { length } = spo[0];
  if (length === 0) return EMPTY_RUN;
  let context: Uint32Array | undefined;
  if (contexts.length > 1) {
    context = new Uint32Array(length);
    for (let i = 0; i < contexts.length; i++) context.fill(contexts[i], starts[i], starts[i + 1]);
  }
  const columns = [spo];
  yield* addPermutations(columns, spo, context, yield* rowNumbers(length), new Uint32Array(length));
  return new Run(contexts, starts, columns);
}

/**
 * Adds the permutations after the first. `rows` are in the order of the first permutation;
 * `context` is undefined if there is only one.
 */
function* addPermutations(
  columns: TripleColumns[],
  keys: readonly Uint32Array[],
  context: Uint32Array | undefined,
  rows: Uint32Array,
  spare: Uint32Array,
): Generator<void, void, void> {
  for (const { order } of PERMUTATIONS.slice(1)) {
    // One stable sort by the new first key turns the previous permutation into the next; then the
    // rows are sorted by context again.
    for (const column of [keys[order[0]], ...(context ? [context] : [])]) {
      const sorted = yield* sortByColumn(rows, spare, column);
      if (sorted !== rows) [rows, spare] = [spare, rows];
    }
    const gathered: Uint32Array[] = [];
    for (const position of order) gathered.push(yield* gather(rows, keys[position]));
    columns.push(gathered as unknown as TripleColumns);
  }
}

/**
 * Builds the permutations over all contexts of a run unless it has them already. A kernel: yields
 * every 65,536 rows.
 */
export function* buildCollection(run: Run): Generator<void, void, void> {
  if (run.collection || run.length === 0) {
    run.collection ??= PERMUTATIONS.map(() => [NO_COLUMN, NO_COLUMN, NO_COLUMN, NO_COLUMN]);
    return;
  }
  const context = new Uint32Array(run.length);
  for (let i = 0; i < run.contexts.length; i++) context.fill(run.contexts[i], run.starts[i], run.starts[i + 1]);
  yield;
  const collection: CollectionColumns[] = [];
  for (let permutation = 0; permutation < PERMUTATIONS.length; permutation++) {
    const columns = run.columnsOf(permutation);
    if (run.contexts.length === 1) {
      collection.push([...columns, context]);
      continue;
    }
    let rows: Uint32Array = yield* rowNumbers(run.length);
    let spare: Uint32Array = new Uint32Array(run.length);
    // The rows are sorted by context first; three stable sorts make it the last key.
    for (const column of [columns[2], columns[1], columns[0]]) {
      const sorted = yield* sortByColumn(rows, spare, column);
      if (sorted !== rows) [rows, spare] = [spare, rows];
    }
    const gathered: Uint32Array[] = [];
    for (const column of [...columns, context]) gathered.push(yield* gather(rows, column));
    collection.push(gathered as unknown as CollectionColumns);
  }
  run.collection = collection;
}

/** Number of rows filled between two yields. */
const ROWS_NUMBERED = 1 << 17;

function* rowNumbers(length: number): Generator<void, Uint32Array, void> {
  const rows = new Uint32Array(length);
  for (let from = 0; from < length; from += ROWS_NUMBERED) {
    if (from > 0) yield;
    const to = Math.min(from + ROWS_NUMBERED, length);
    for (let row = from; row < to; row++) rows[row] = row;
  }
  return rows;
}

/**
 * Moves the first row of each group of equal neighbours to the front. Returns the number of rows
 * kept.
 */
function* dropDuplicates(
  rows: Uint32Array,
  { context, subject, predicate, object }: UnsortedQuads,
): Generator<void, number, void> {
  let kept = 1;
  for (let i = 1; i < rows.length; i++) {
    if (i % STEP === 0) yield;
    const row = rows[i];
    const last = rows[kept - 1];
    if (
      subject[row] !== subject[last] ||
      object[row] !== object[last] ||
      predicate[row] !== predicate[last] ||
      context[row] !== context[last]
    ) {
      rows[kept++] = row;
    }
  }
  return kept;
}

function* directory(
  rows: Uint32Array,
  context: Uint32Array,
): Generator<void, [contexts: Uint32Array, starts: Uint32Array], void> {
  const contexts: number[] = [];
  const starts: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    if (i % STEP === 0) yield;
    if (i > 0 && context[rows[i]] === context[rows[i - 1]]) continue;
    contexts.push(context[rows[i]]);
    starts.push(i);
  }
  starts.push(rows.length);
  return [Uint32Array.from(contexts), Uint32Array.from(starts)];
}

function* gather(rows: Uint32Array, keys: Uint32Array): Generator<void, Uint32Array, void> {
  const column = new Uint32Array(rows.length);
  for (let start = 0; start < rows.length; start += STEP) {
    const end = Math.min(start + STEP, rows.length);
    for (let i = start; i < end; i++) column[i] = keys[rows[i]];
    yield;
  }
  return column;
}
