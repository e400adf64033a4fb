import { gallopTriple } from './bounds.ts';
import { copyRows } from './copy-rows.ts';
import { PERMUTATIONS } from './permutation.ts';
import { EMPTY_RUN, Run, type TripleColumns } from './run.ts';

/**
 * The effect of a commit on the quads of a namespace: insertions that were absent before, and
 * deletions that were present. Because both are exact, a quad is present if more deltas insert it
 * than delete it, in whatever order; counts are therefore sums of range lengths. Only deltas
 * adjacent in commit order may be merged: for a quad inserted, deleted and inserted again, merging
 * the two insertions without the deletion between them would yield one row, which the deletion
 * would then cancel.
 */
export interface Delta {
  readonly inserted: Run;
  readonly deleted: Run;
}

/** The number of rows that a delta keeps, tombstones included. */
export function deltaSize(delta: Delta): number {
  return delta.inserted.length + delta.deleted.length;
}

const NOTHING = new Uint32Array(0);
const NO_COLUMNS: TripleColumns = [NOTHING, NOTHING, NOTHING];

/** Maximum number of output rows per step of a kernel. */
export const BATCH_ROWS = 1 << 14;

/**
 * Merges adjacent deltas into one with the same effect: an insertion and a deletion of the same
 * quad cancel. Rows of dead contexts are dropped. A kernel: yields every 16,384 rows.
 */
export function* mergeDeltas(
  deltas: readonly Delta[],
  isDead: (context: number) => boolean,
): Generator<void, Delta, void> {
  const inputs: Run[] = [];
  const signs: number[] = [];
  for (const { inserted, deleted } of deltas) {
    if (inserted.length > 0) {
      inputs.push(inserted);
      signs.push(1);
    }
    if (deleted.length > 0) {
      inputs.push(deleted);
      signs.push(-1);
    }
  }
  return yield* mergeRuns(inputs, signs, isDead);
}

/** Merges runs as sets: a quad in several runs is kept once. A kernel, like {@link mergeDeltas}. */
export function* uniteRuns(runs: readonly Run[]): Generator<void, Run, void> {
  const inputs = runs.filter((run) => run.length > 0);
  if (inputs.length === 0) return EMPTY_RUN;
  if (inputs.length === 1) return inputs[0];
  const { inserted } = yield* mergeRuns(
    inputs,
    inputs.map(() => 1),
    () => false,
  );
  return inserted;
}

function* mergeRuns(
  inputs: readonly Run[],
  signs: readonly number[],
  isDead: (context: number) => boolean,
): Generator<void, Delta, void> {
  const contexts = livingContexts(inputs, isDead);
  const plus: TripleColumns[] = [];
  const minus: TripleColumns[] = [];
  // Identical in every permutation.
  const plusEnds = new Uint32Array(contexts.length + 1);
  const minusEnds = new Uint32Array(contexts.length + 1);
  const merge = new ColumnMerge(inputs, signs);
  for (let permutation = 0; permutation < PERMUTATIONS.length; permutation++) {
    merge.begin(permutation);
    let rest = BATCH_ROWS;
    for (let i = 0; i < contexts.length; i++) {
      merge.open(contexts[i]);
      for (;;) {
        rest -= merge.step(rest);
        if (rest > 0) break;
        yield;
        rest = BATCH_ROWS;
      }
      plusEnds[i + 1] = merge.plus.length;
      minusEnds[i + 1] = merge.minus.length;
    }
    plus.push(merge.plus.columns());
    minus.push(merge.minus.columns());
  }
  return { inserted: runOf(contexts, plusEnds, plus), deleted: runOf(contexts, minusEnds, minus) };
}

function livingContexts(inputs: readonly Run[], isDead: (context: number) => boolean): Uint32Array {
  const first = inputs[0]?.contexts;
  if (first?.length === 1 && inputs.every(({ contexts }) => contexts.length === 1 && contexts[0] === first[0])) {
    return isDead(first[0]) ? NOTHING : first;
  }
  const all = new Set<number>();
  for (const { contexts } of inputs) for (const context of contexts) if (!isDead(context)) all.add(context);
  return Uint32Array.from(all).sort();
}

/** Builds a run from merged columns and drops contexts without rows. */
function runOf(contexts: Uint32Array, ends: Uint32Array, columns: readonly TripleColumns[]): Run {
  if (ends[contexts.length] === 0) return EMPTY_RUN;
  if (contexts.length === 1) return new Run(contexts, ends, columns);
  const kept: number[] = [];
  const starts: number[] = [];
  for (let i = 0; i < contexts.length; i++) {
    if (ends[i + 1] === ends[i]) continue;
    kept.push(contexts[i]);
    starts.push(ends[i]);
  }
  starts.push(ends[contexts.length]);
  return new Run(Uint32Array.from(kept), Uint32Array.from(starts), columns);
}

/** Three output columns with a fixed capacity. */
export class Output {
  length = 0;
  private readonly a: Uint32Array;
  private readonly b: Uint32Array;
  private readonly c: Uint32Array;

  constructor(capacity: number) {
    this.a = new Uint32Array(capacity);
    this.b = new Uint32Array(capacity);
    this.c = new Uint32Array(capacity);
  }

  push(a: number, b: number, c: number): void {
    const row = this.length++;
    this.a[row] = a;
    this.b[row] = b;
    this.c[row] = c;
  }

  copy([a, b, c]: TripleColumns, start: number, count: number): void {
    copyRows(a, start, this.a, this.length, count);
    copyRows(b, start, this.b, this.length, count);
    copyRows(c, start, this.c, this.length, count);
    this.length += count;
  }

  /** The columns with their unused capacity. */
  get buffers(): TripleColumns {
    return [this.a, this.b, this.c];
  }

  get byteLength(): number {
    return this.a.byteLength + this.b.byteLength + this.c.byteLength;
  }

  /** Returns the columns cut to their length; copies them rather than retaining unused capacity. */
  columns(): TripleColumns {
    const { a, b, c, length } = this;
    if (length === a.length) return [a, b, c];
    return [a.slice(0, length), b.slice(0, length), c.slice(0, length)];
  }
}

const NO_OUTPUT = new Output(0);

/**
 * Merges all inputs, one permutation after another; within each, context by context in ascending
 * order.
 */
class ColumnMerge {
  plus = NO_OUTPUT;
  minus = NO_OUTPUT;
  private readonly inputs: readonly Run[];
  private readonly signs: readonly number[];
  private readonly inserted: number;
  private readonly deleted: number;
  private permutation = 0;
  private readonly directoryAt: Uint32Array;
  /** One head per input, reused for every context. */
  private readonly spare: readonly Head[];
  /** The heads of the inputs that contain the open context. */
  private readonly heads: Head[] = [];

  constructor(inputs: readonly Run[], signs: readonly number[]) {
    this.inputs = inputs;
    this.signs = signs;
    this.directoryAt = new Uint32Array(inputs.length);
    this.spare = inputs.map(() => ({ columns: NO_COLUMNS, at: 0, end: 0, sign: 0 }));
    let inserted = 0;
    let deleted = 0;
    inputs.forEach((run, i) => {
      if (signs[i] > 0) inserted += run.length;
      else deleted += run.length;
    });
    this.inserted = inserted;
    this.deleted = deleted;
  }

  begin(permutation: number): void {
    this.permutation = permutation;
    this.directoryAt.fill(0);
    this.plus = this.inserted > 0 ? new Output(this.inserted) : NO_OUTPUT;
    this.minus = this.deleted > 0 ? new Output(this.deleted) : NO_OUTPUT;
  }

  /** Moves to the rows of a context, which must be greater than the previous one. */
  open(context: number): void {
    const { inputs, signs, permutation, directoryAt, heads } = this;
    heads.length = 0;
    for (let i = 0; i < inputs.length; i++) {
      const { contexts, starts } = inputs[i];
      let entry = directoryAt[i];
      while (entry < contexts.length && contexts[entry] < context) entry++;
      if (entry < contexts.length && contexts[entry] === context) {
        const head = this.spare[i];
        head.columns = inputs[i].columnsOf(permutation);
        head.at = starts[entry];
        head.end = starts[entry + 1];
        head.sign = signs[i];
        heads.push(head);
        entry++;
      }
      directoryAt[i] = entry;
    }
  }

  /**
   * Merges rows of the open context until `limit` is reached or no rows are left. Returns the
   * number of rows merged.
   */
  step(limit: number): number {
    const { heads } = this;
    if (heads.length !== 1) return mergeStep(heads, this.plus, this.minus, limit);
    const [head] = heads;
    const count = Math.min(limit, head.end - head.at);
    (head.sign > 0 ? this.plus : this.minus).copy(head.columns, head.at, count);
    head.at += count;
    return count;
  }
}

/** The unmerged rows of one input: `at .. end - 1` of its columns. */
export interface Head {
  columns: TripleColumns;
  at: number;
  end: number;
  sign: number;
}

/**
 * Merges rows from the heads of several sorted inputs until `limit` rows are produced or all inputs
 * are exhausted. Returns the number of rows. There are few inputs (delta sizes grow geometrically),
 * so a linear scan finds the smallest head. Its rows up to the next smallest head are copied as a
 * block: new terms of a commit have higher numbers than all existing ones, so most rows are
 * contiguous.
 */
export function mergeStep(heads: readonly Head[], plus: Output, minus: Output, limit: number): number {
  for (let made = 0; made < limit; ) {
    let a = 0;
    let b = 0;
    let c = 0;
    let net = 0;
    let holders = 0;
    let smallest = -1;
    // The smallest row among the other heads.
    let nextA = 0;
    let nextB = 0;
    let nextC = 0;
    let hasNext = false;
    for (let i = 0; i < heads.length; i++) {
      const { columns, at, end, sign } = heads[i];
      if (at === end) continue;
      const ia = columns[0][at];
      const ib = columns[1][at];
      const ic = columns[2][at];
      const order = smallest < 0 ? -1 : ia - a || ib - b || ic - c;
      if (order < 0) {
        if (smallest >= 0) {
          nextA = a;
          nextB = b;
          nextC = c;
          hasNext = true;
        }
        a = ia;
        b = ib;
        c = ic;
        net = sign;
        holders = 1;
        smallest = i;
      } else if (order === 0) {
        net += sign;
        holders++;
      } else if (!hasNext || (ia - nextA || ib - nextB || ic - nextC) < 0) {
        nextA = ia;
        nextB = ib;
        nextC = ic;
        hasNext = true;
      }
    }
    if (smallest < 0) return made;
    const head = heads[smallest];
    if (holders === 1) {
      const output = head.sign > 0 ? plus : minus;
      const { columns, at } = head;
      const follows = at + 1;
      if (follows === head.end || (hasNext && !isBelow(columns, follows, nextA, nextB, nextC))) {
        output.push(a, b, c);
        head.at = follows;
        made++;
        continue;
      }
      const end = Math.min(head.end, at + limit - made);
      const upTo = hasNext ? gallopTriple(columns, follows, end, nextA, nextB, nextC) : end;
      output.copy(columns, at, upTo - at);
      head.at = upTo;
      made += upTo - at;
      continue;
    }
    for (let i = smallest; i < heads.length; i++) {
      const other = heads[i];
      const { columns, at } = other;
      if (at !== other.end && columns[0][at] === a && columns[1][at] === b && columns[2][at] === c) other.at = at + 1;
    }
    if (net > 0) plus.push(a, b, c);
    else if (net < 0) minus.push(a, b, c);
    made++;
  }
  return limit;
}

function isBelow([first, second, third]: TripleColumns, row: number, a: number, b: number, c: number): boolean {
  return (first[row] - a || second[row] - b || third[row] - c) < 0;
}
