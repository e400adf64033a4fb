import { type Delta, deltaSize } from './merge-runs.ts';
import { SPO } from './permutation.ts';
import { sortByColumn } from './radix-sort.ts';
import { completeRun, EMPTY_RUN, type Run, type TripleColumns } from './run.ts';

/** The rows of a run in spo order, grouped by context as in {@link Run}. */
export interface SpoRows {
  readonly contexts: Uint32Array;
  readonly starts: Uint32Array;
  readonly columns: TripleColumns;
}

/** Deltas of up to this many rows are packed into one array, because objects would dominate. */
const FEW_ROWS = 256;
/** Numbers at the start of the packed form: contexts and rows of each half. */
const HEADER = 4;
/** Memory of the objects of a kept delta, in bytes. Measured. */
const OBJECT_BYTES = 192;
/** Number of rows per step of a kernel. */
const STEP = 1 << 16;

/**
 * A delta in one of its three orders, as the history of a namespace keeps it: 12 bytes a quad, and
 * for a large delta of a recent commit none, because its columns are those of the store's run.
 */
export class KeptDelta {
  private static readonly nothing = new KeptDelta(0, new Uint32Array(HEADER + 2), undefined);

  /** Number of rows, of insertions and deletions together. */
  readonly length: number;
  private readonly packed: Uint32Array | undefined;
  private readonly rows: { readonly inserted: SpoRows; readonly deleted: SpoRows } | undefined;

  private constructor(length: number, packed: Uint32Array | undefined, rows: KeptDelta['rows']) {
    this.length = length;
    this.packed = packed;
    this.rows = rows;
  }

  static of(delta: Delta): KeptDelta {
    const length = deltaSize(delta);
    if (length === 0) return KeptDelta.nothing;
    const inserted = spoRowsOf(delta.inserted);
    const deleted = spoRowsOf(delta.deleted);
    if (length > FEW_ROWS) return new KeptDelta(length, undefined, { inserted, deleted });
    return new KeptDelta(length, pack(inserted, deleted), undefined);
  }

  /** @param packed as in {@link KeptDelta.pack} */
  static unpack(packed: Uint32Array): KeptDelta {
    const length = packed[1] + packed[3];
    return length === 0 ? KeptDelta.nothing : new KeptDelta(length, packed, undefined);
  }

  /** Returns the delta as numbers: contexts and rows of each half, then their columns. */
  pack(): Uint32Array {
    return this.packed ?? pack(this.inserted, this.deleted);
  }

  get inserted(): SpoRows {
    return this.rows?.inserted ?? unpack(this.packed!, HEADER, this.packed![0], this.packed![1]);
  }

  get deleted(): SpoRows {
    if (this.rows) return this.rows.deleted;
    const packed = this.packed!;
    return unpack(packed, HEADER + packedLength(packed[0], packed[1]), packed[2], packed[3]);
  }

  /** Number of deletions. */
  get deletedLength(): number {
    return this.packed ? this.packed[3] : this.rows!.deleted.columns[0].length;
  }

  get byteLength(): number {
    if (this.packed) return OBJECT_BYTES + this.packed.byteLength;
    return OBJECT_BYTES + 4 * (packedLength(this.inserted.contexts.length, 0) + 3 * this.length);
  }
}

function spoRowsOf(run: Run): SpoRows {
  return { contexts: run.contexts, starts: run.starts, columns: run.columnsOf(SPO) };
}

function packedLength(contexts: number, rows: number): number {
  return 2 * contexts + 1 + 3 * rows;
}

function pack(inserted: SpoRows, deleted: SpoRows): Uint32Array {
  const halves = [inserted, deleted];
  const length = halves.reduce(
    (sum, { contexts, columns }) => sum + packedLength(contexts.length, columns[0].length),
    HEADER,
  );
  const packed = new Uint32Array(length);
  let at = HEADER;
  halves.forEach(({ contexts, starts, columns }, half) => {
    packed[2 * half] = contexts.length;
    packed[2 * half + 1] = columns[0].length;
    for (const part of [contexts, starts, ...columns]) {
      packed.set(part, at);
      at += part.length;
    }
  });
  return packed;
}

function unpack(packed: Uint32Array, from: number, contexts: number, rows: number): SpoRows {
  let at = from;
  const take = (length: number) => packed.subarray(at, (at += length));
  return { contexts: take(contexts), starts: take(contexts + 1), columns: [take(rows), take(rows), take(rows)] };
}

/**
 * Returns the sum of consecutive deltas, oldest first: what they inserted and deleted on the whole.
 * Rows in no other context than `contexts` are left out if it is given. A kernel: yields every
 * 65,536 rows.
 */
export function* sumDeltas(deltas: readonly KeptDelta[], contexts?: ReadonlySet<number>): Generator<void, Delta, void> {
  const all = new SignedRows(deltas.reduce((sum, { length }) => sum + length, 0));
  for (const delta of deltas) {
    if (delta.length === 0) continue;
    all.add(delta.inserted, 1, contexts);
    all.add(delta.deleted, -1, contexts);
    if (all.addedSinceYield > STEP) {
      all.addedSinceYield = 0;
      yield;
    }
  }
  return yield* all.sum();
}

/** Rows with a sign: +1 for insertions, -1 for deletions. */
class SignedRows {
  addedSinceYield = 0;
  private length = 0;
  private readonly context: Uint32Array;
  private readonly columns: TripleColumns;
  private readonly sign: Int8Array;

  constructor(capacity: number) {
    this.context = new Uint32Array(capacity);
    this.columns = [new Uint32Array(capacity), new Uint32Array(capacity), new Uint32Array(capacity)];
    this.sign = new Int8Array(capacity);
  }

  add({ contexts, starts, columns }: SpoRows, sign: number, wanted: ReadonlySet<number> | undefined): void {
    for (let entry = 0; entry < contexts.length; entry++) {
      if (wanted && !wanted.has(contexts[entry])) continue;
      const start = starts[entry];
      const count = starts[entry + 1] - start;
      const end = this.length + count;
      this.context.fill(contexts[entry], this.length, end);
      this.sign.fill(sign, this.length, end);
      for (let i = 0; i < 3; i++) this.columns[i].set(columns[i].subarray(start, start + count), this.length);
      this.length = end;
      this.addedSinceYield += count;
    }
  }

  /** Adds up the signs of equal rows: in consecutive exact deltas, the sum is 1, 0 or -1. */
  *sum(): Generator<void, Delta, void> {
    const { length, context, columns, sign } = this;
    const [subject, predicate, object] = columns;
    if (length === 0) return { inserted: EMPTY_RUN, deleted: EMPTY_RUN };
    let rows: Uint32Array = new Uint32Array(length);
    for (let i = 0; i < length; i++) rows[i] = i;
    let spare: Uint32Array = new Uint32Array(length);
    for (const column of [object, predicate, subject, context]) {
      const sorted = yield* sortByColumn(rows, spare, column);
      if (sorted !== rows) [rows, spare] = [spare, rows];
    }
    let plus = 0;
    let minus = 0;
    // The insertions are moved to the front of `rows`, the deletions to the front of `spare`.
    for (let i = 0; i < length; ) {
      const row = rows[i];
      let net = sign[row];
      let next = i + 1;
      for (; next < length; next++) {
        const other = rows[next];
        if (
          subject[other] !== subject[row] ||
          predicate[other] !== predicate[row] ||
          object[other] !== object[row] ||
          context[other] !== context[row]
        )
          break;
        net += sign[other];
      }
      i = next;
      if (net > 0) rows[plus++] = row;
      else if (net < 0) spare[minus++] = row;
    }
    yield;
    return {
      inserted: yield* this.runOf(rows.subarray(0, plus)),
      deleted: yield* this.runOf(spare.subarray(0, minus)),
    };
  }

  /** @param rows sorted by context, subject, predicate and object */
  private *runOf(rows: Uint32Array): Generator<void, Run, void> {
    if (rows.length === 0) return EMPTY_RUN;
    const contexts: number[] = [];
    const starts: number[] = [];
    for (let i = 0; i < rows.length; i++) {
      const context = this.context[rows[i]];
      if (i > 0 && context === contexts[contexts.length - 1]) continue;
      contexts.push(context);
      starts.push(i);
    }
    starts.push(rows.length);
    const gathered = this.columns.map((column) => gather(rows, column)) as unknown as TripleColumns;
    yield;
    return yield* completeRun(Uint32Array.from(contexts), Uint32Array.from(starts), gathered);
  }
}

function gather(rows: Uint32Array, keys: Uint32Array): Uint32Array {
  const column = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) column[i] = keys[rows[i]];
  return column;
}
