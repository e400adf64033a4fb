import { PERMUTATIONS } from './permutation.ts';
import { EMPTY_RUN, Run, type TripleColumns } from './run.ts';

/**
 * A commit's effect on the quads of a namespace: what it put in, which was not there, and what it took out, which was. Because both are exact, a
 * quad is there if the deltas that insert it outnumber those that delete it, whatever their order; so counts are sums of range
 * lengths, and any deltas may be merged with any others.
 */
export interface Delta {
  readonly inserted: Run;
  readonly deleted: Run;
}

/** The number of rows that a delta keeps, tombstones included. */
export function deltaSize(delta: Delta): number {
  return delta.inserted.length + delta.deleted.length;
}

/** How many output rows one step of a kernel makes at most. */
const STEP = 1 << 14;

/**
 * Merges deltas into one with the same effect: an insertion and a deletion of the same quad cancel. Rows of dead contexts are
 * left out. A kernel: yields every 16,384 rows.
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

/** Merges runs as sets: a quad that several hold comes out once. A kernel, as {@link mergeDeltas}. */
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
  const plus: (readonly Uint32Array[])[] = [];
  const minus: (readonly Uint32Array[])[] = [];
  let plusStarts: Uint32Array = EMPTY_RUN.starts;
  let minusStarts: Uint32Array = EMPTY_RUN.starts;
  for (let permutation = 0; permutation < PERMUTATIONS.length; permutation++) {
    const merge = new ColumnMerge(inputs, signs, permutation);
    const plusEnds = new Uint32Array(contexts.length + 1);
    const minusEnds = new Uint32Array(contexts.length + 1);
    for (let i = 0; i < contexts.length; i++) {
      yield* merge.context(contexts[i]);
      plusEnds[i + 1] = merge.plus.length;
      minusEnds[i + 1] = merge.minus.length;
    }
    plus.push(merge.plus.columns());
    minus.push(merge.minus.columns());
    plusStarts = plusEnds;
    minusStarts = minusEnds;
  }
  return { inserted: runOf(contexts, plusStarts, plus), deleted: runOf(contexts, minusStarts, minus) };
}

function livingContexts(inputs: readonly Run[], isDead: (context: number) => boolean): Uint32Array {
  const all = new Set<number>();
  for (const { contexts } of inputs) for (const context of contexts) if (!isDead(context)) all.add(context);
  return Uint32Array.from(all).sort();
}

/** A run of merged columns, without the contexts that came out empty. */
function runOf(contexts: Uint32Array, ends: Uint32Array, columns: readonly (readonly Uint32Array[])[]): Run {
  const kept: number[] = [];
  const starts: number[] = [];
  for (let i = 0; i < contexts.length; i++) {
    if (ends[i + 1] === ends[i]) continue;
    kept.push(contexts[i]);
    starts.push(ends[i]);
  }
  if (kept.length === 0) return EMPTY_RUN;
  starts.push(ends[contexts.length]);
  return new Run(Uint32Array.from(kept), Uint32Array.from(starts), columns as unknown as readonly TripleColumns[]);
}

/** Three columns that grow to a known bound. */
class Output {
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

  copy([a, b, c]: TripleColumns, start: number, end: number): void {
    this.a.set(a.subarray(start, end), this.length);
    this.b.set(b.subarray(start, end), this.length);
    this.c.set(c.subarray(start, end), this.length);
    this.length += end - start;
  }

  /** The columns, cut to their length without holding on to what is too much. */
  columns(): TripleColumns {
    const { a, b, c, length } = this;
    if (length === a.length) return [a, b, c];
    return [a.slice(0, length), b.slice(0, length), c.slice(0, length)];
  }
}

/** Merges one permutation of all inputs, a context at a time in ascending order. */
class ColumnMerge {
  readonly plus: Output;
  readonly minus: Output;
  private readonly inputs: readonly Run[];
  private readonly signs: readonly number[];
  private readonly permutation: number;
  private readonly directoryAt: Uint32Array;

  constructor(inputs: readonly Run[], signs: readonly number[], permutation: number) {
    this.inputs = inputs;
    this.signs = signs;
    this.permutation = permutation;
    this.directoryAt = new Uint32Array(inputs.length);
    let inserted = 0;
    let deleted = 0;
    inputs.forEach((run, i) => {
      if (signs[i] > 0) inserted += run.length;
      else deleted += run.length;
    });
    this.plus = new Output(inserted);
    this.minus = new Output(deleted);
  }

  *context(context: number): Generator<void, void, void> {
    const { inputs, signs, permutation, directoryAt } = this;
    const columns: TripleColumns[] = [];
    const at: number[] = [];
    const ends: number[] = [];
    const weights: number[] = [];
    for (let i = 0; i < inputs.length; i++) {
      const run = inputs[i];
      let entry = directoryAt[i];
      while (entry < run.contexts.length && run.contexts[entry] < context) entry++;
      if (entry < run.contexts.length && run.contexts[entry] === context) {
        columns.push(run.columns[permutation]);
        at.push(run.starts[entry]);
        ends.push(run.starts[entry + 1]);
        weights.push(signs[i]);
        entry++;
      }
      directoryAt[i] = entry;
    }
    if (columns.length === 1) {
      const output = weights[0] > 0 ? this.plus : this.minus;
      for (let start = at[0]; start < ends[0]; start += STEP * 8) {
        output.copy(columns[0], start, Math.min(start + STEP * 8, ends[0]));
        yield;
      }
      return;
    }
    while (mergeStep(columns, at, ends, weights, this.plus, this.minus, STEP)) yield;
  }
}

/**
 * Merges up to `limit` rows from the heads of several sorted inputs; `at` moves on. Returns whether there may be more.
 * The inputs are few (deltas grow by a factor from one to the next), so the smallest head is found by looking at all.
 */
function mergeStep(
  columns: readonly TripleColumns[],
  at: number[],
  ends: readonly number[],
  weights: readonly number[],
  plus: Output,
  minus: Output,
  limit: number,
): boolean {
  for (let made = 0; made < limit; made++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let net = 0;
    let smallest = -1;
    for (let i = 0; i < columns.length; i++) {
      const row = at[i];
      if (row === ends[i]) continue;
      const input = columns[i];
      const ia = input[0][row];
      const ib = input[1][row];
      const ic = input[2][row];
      const order = smallest < 0 ? -1 : ia - a || ib - b || ic - c;
      if (order < 0) {
        a = ia;
        b = ib;
        c = ic;
        net = weights[i];
        smallest = i;
      } else if (order === 0) {
        net += weights[i];
      }
    }
    if (smallest < 0) return false;
    for (let i = smallest; i < columns.length; i++) {
      const row = at[i];
      const input = columns[i];
      if (row !== ends[i] && input[0][row] === a && input[1][row] === b && input[2][row] === c) at[i] = row + 1;
    }
    if (net > 0) plus.push(a, b, c);
    else if (net < 0) minus.push(a, b, c);
  }
  return true;
}
