import { gallopTriple } from './bounds.ts';
import { type ContextMap, LEFT_OUT, UNION_CONTEXT } from './context-map.ts';
import type { Delta } from './merge-runs.ts';
import { buildRun, completeRun, EMPTY_RUN, Run, type TripleColumns } from './run.ts';

/** What a delta does to the union of some worlds, after the deltas before it. */
export interface UnionDelta {
  readonly delta: Delta;
  /**
   * The contexts in the union that the inserted rows had when it was made. Those of deleted rows
   * are among them, or among those of the deltas before.
   */
  readonly inserted: Uint32Array;
  readonly before: object | undefined;
  /** Identifies it to the next one. A reference to it would keep its memory after a merge. */
  readonly token: object;
}

/** The contexts in a union of the runs of a delta. */
export interface DeltaContexts {
  readonly inserted: Uint32Array;
  readonly deleted: Uint32Array;
}

export function contextsInUnion({ inserted, deleted }: Delta, map: ContextMap): DeltaContexts {
  return { inserted: map.inUnion(inserted.contexts), deleted: map.inUnion(deleted.contexts) };
}

/** Returns whether all rows of a run are in the default graph of a dataset. */
export function isDefaultOnly(contexts: Uint32Array): boolean {
  return contexts.every((context) => context === UNION_CONTEXT);
}

/** Returns whether the union of a delta is still that of a dataset. */
export function isValid(union: UnionDelta, { inserted }: DeltaContexts, before: object | undefined): boolean {
  return union.before === before && union.inserted.every((context, i) => context === inserted[i]);
}

/**
 * Returns what the last of some deltas does to the union of the contexts that a dataset has: each
 * graph of it has one context there, with each triple once. A kernel.
 *
 * @param contexts those of each delta in the union
 * @param before the unions of the deltas before it
 */
export function* unionDelta(
  deltas: readonly Delta[],
  contexts: readonly DeltaContexts[],
  before: readonly UnionDelta[],
): Generator<void, UnionDelta, void> {
  const last = before.length;
  const { inserted, deleted } = deltas[last];
  const earlier = last > 0 ? TripleLookup.inUnion(before) : undefined;
  const plus = yield* rowsInUnion(inserted, contexts[last].inserted, earlier);
  // Deltas are exact, so that a deleted triple was in the union before.
  const now = deleted.length > 0 ? TripleLookup.inDeltas(deltas.slice(0, last + 1), contexts) : undefined;
  const minus = yield* rowsInUnion(deleted, contexts[last].deleted, now);
  return {
    delta: { inserted: plus, deleted: minus },
    inserted: contexts[last].inserted,
    before: before[last - 1]?.token,
    token: {},
  };
}

/**
 * Returns the rows of a run by their contexts in a union, each once, without those that a lookup
 * has.
 */
function* rowsInUnion(run: Run, contexts: Uint32Array, others?: TripleLookup): Generator<void, Run, void> {
  if (contexts.every((context) => context === LEFT_OUT)) return EMPTY_RUN;
  // These have the order of the union already, but for duplicates.
  if (run.collection && isDefaultOnly(contexts)) return yield* withoutOthers(asOneContext(run), others);
  const sorted = yield* regrouped(run, contexts);
  return others ? yield* withoutOthers(sorted, others) : sorted;
}

/**
 * Returns the permutations over all contexts as if they were those of one: not without duplicates.
 */
function asOneContext(run: Run): Run {
  const columns = run.collection!.map(([first, second, third]) => [first, second, third] as const);
  return new Run(Uint32Array.of(UNION_CONTEXT), Uint32Array.of(0, run.length), columns);
}

/** Returns the rows of a run under other contexts, which several may share, without duplicates. */
function* regrouped(run: Run, contexts: Uint32Array): Generator<void, Run, void> {
  let length = 0;
  for (let i = 0; i < contexts.length; i++) if (contexts[i] !== LEFT_OUT) length += run.starts[i + 1] - run.starts[i];
  const context = new Uint32Array(length);
  const keys = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)] as const;
  const columns = run.columnsOf(0);
  let filled = 0;
  for (let i = 0; i < contexts.length; i++) {
    if (contexts[i] === LEFT_OUT) continue;
    for (let from = run.starts[i]; from < run.starts[i + 1]; from += ROWS_COPIED) {
      const to = Math.min(from + ROWS_COPIED, run.starts[i + 1]);
      for (let position = 0; position < 3; position++) keys[position].set(columns[position].subarray(from, to), filled);
      context.fill(contexts[i], filled, filled + to - from);
      filled += to - from;
      yield;
    }
  }
  const [subject, predicate, object] = keys;
  return yield* buildRun({ length, context, subject, predicate, object });
}

/**
 * Returns the rows of a run that are not the same as the one before, and that a lookup does not
 * have.
 */
function* withoutOthers(run: Run, others: TripleLookup | undefined): Generator<void, Run, void> {
  const [subject, predicate, object] = run.columnsOf(0);
  const rows = new Uint32Array(run.length);
  const starts = new Uint32Array(run.contexts.length + 1);
  let kept = 0;
  let steps = 0;
  for (let i = 0; i < run.contexts.length; i++) {
    const start = run.starts[i];
    const lookup = others?.in(run.contexts[i]);
    for (let row = start; row < run.starts[i + 1]; row++) {
      steps += 1 + (lookup?.length ?? 0);
      if (steps >= STEP) {
        steps = 0;
        yield;
      }
      const [a, b, c] = [subject[row], predicate[row], object[row]];
      if (row > start && c === object[row - 1] && b === predicate[row - 1] && a === subject[row - 1]) continue;
      if (!lookup || !hasTriple(lookup, a, b, c)) rows[kept++] = row;
    }
    starts[i + 1] = kept;
  }
  if (kept === run.length) return run;
  const some = [subject, predicate, object].map((column) => {
    const copy = new Uint32Array(kept);
    for (let i = 0; i < kept; i++) copy[i] = column[rows[i]];
    return copy;
  });
  const contexts = run.contexts.filter((_, i) => starts[i + 1] > starts[i]);
  const filled = new Uint32Array(contexts.length + 1);
  filled.set(
    starts.subarray(1).filter((end, i) => end > starts[i]),
    1,
  );
  return yield* completeRun(contexts, filled, some as unknown as TripleColumns);
}

/** Rows copied between two opportunities to pause. */
const ROWS_COPIED = 1 << 16;
/** Rows compared and looked up between two opportunities to pause. */
const STEP = 1 << 12;

/** Rows that are sorted by subject, predicate and object. */
interface SortedRows {
  readonly columns: readonly Uint32Array[];
  readonly sign: number;
  readonly end: number;
  position: number;
}

/** Finds triples that are asked for in ascending order, by their context in a union. */
class TripleLookup {
  private readonly rows = new Map<number, SortedRows[]>();

  static inUnion(unions: readonly UnionDelta[]): TripleLookup {
    const lookup = new TripleLookup();
    for (const { delta } of unions) {
      lookup.add(delta.inserted, delta.inserted.contexts, 1);
      lookup.add(delta.deleted, delta.deleted.contexts, -1);
    }
    return lookup;
  }

  static inDeltas(deltas: readonly Delta[], contexts: readonly DeltaContexts[]): TripleLookup {
    const lookup = new TripleLookup();
    for (const [i, { inserted, deleted }] of deltas.entries()) {
      lookup.add(inserted, contexts[i].inserted, 1);
      lookup.add(deleted, contexts[i].deleted, -1);
    }
    return lookup;
  }

  /** Returns the rows of a context, or undefined if there are none. */
  in(context: number): readonly SortedRows[] | undefined {
    return this.rows.get(context);
  }

  private add(run: Run, contexts: Uint32Array, sign: number): void {
    if (run.collection && run.length > 0 && isDefaultOnly(contexts)) {
      this.addRows(UNION_CONTEXT, { columns: run.collection[0], sign, position: 0, end: run.length });
      return;
    }
    for (let i = 0; i < contexts.length; i++) {
      if (contexts[i] === LEFT_OUT) continue;
      const rows = { columns: run.columnsOf(0), sign, position: run.starts[i], end: run.starts[i + 1] };
      this.addRows(contexts[i], rows);
    }
  }

  private addRows(context: number, rows: SortedRows): void {
    const found = this.rows.get(context);
    if (found) found.push(rows);
    else this.rows.set(context, [rows]);
  }
}

/** Returns whether any context has a triple. The signs of each context add up to 1 or 0. */
function hasTriple(all: readonly SortedRows[], a: number, b: number, c: number): boolean {
  let net = 0;
  for (const rows of all) {
    const [first, second, third] = rows.columns;
    let row = gallopTriple(rows.columns, rows.position, rows.end, a, b, c);
    rows.position = row;
    for (; row < rows.end && third[row] === c && second[row] === b && first[row] === a; row++) net += rows.sign;
  }
  return net > 0;
}
