import { gallopTriple } from './bounds.ts';
import type { Delta } from './merge-runs.ts';
import { BYTES_PER_ROW, completeRun, EMPTY_RUN, Run } from './run.ts';
import { Snapshot } from './snapshot.ts';

/** The context of all rows of a union: no graph of a store has the number. */
export const UNION_CONTEXT = 0;
const CONTEXTS = Uint32Array.of(UNION_CONTEXT);
/** Rows between two opportunities to pause. */
const STEP = 1 << 12;

/** What a delta does to the union of all contexts, after the deltas before it. */
interface UnionDelta {
  /** The token of the one before. A reference to it would keep its memory after a merge. */
  readonly before: object | undefined;
  readonly token: object;
  readonly delta: Delta;
  /** Memory that is not that of the collection. */
  readonly bytes: number;
}

/** By delta: most deltas of a snapshot are also those of the next one. */
const known = new WeakMap<Delta, UnionDelta>();
/** The same snapshot each time, because it keeps measurements. */
const unions = new WeakMap<Snapshot, Snapshot>();

/** Returns whether all rows of a snapshot are in some contexts, which ascend. */
export function isWithin({ runs }: Snapshot, contexts: Uint32Array): boolean {
  return runs.every((run) => {
    let at = 0;
    for (const context of run.contexts) {
      while (at < contexts.length && contexts[at] < context) at++;
      if (contexts[at] !== context) return false;
    }
    return true;
  });
}

/**
 * Returns a snapshot of the triples that any context has, each once, in a single context. Patterns
 * over the default graph of all worlds of a namespace then cost what they cost over one world. The
 * permutations over all contexts must have been built; they are shared unless contexts have triples
 * in common. A kernel.
 */
export function* unionOf(snapshot: Snapshot): Generator<void, Snapshot, void> {
  const found = unions.get(snapshot);
  if (found) return found;
  const { deltas } = snapshot;
  const all: Delta[] = [];
  let last: object | undefined;
  for (const [i, delta] of deltas.entries()) {
    let union = known.get(delta);
    if (!union || union.before !== last) {
      union = yield* unionDelta(delta, last, all, deltas.slice(0, i + 1));
      known.set(delta, union);
    }
    last = union.token;
    all.push(union.delta);
  }
  const made = new Snapshot(all);
  unions.set(snapshot, made);
  return made;
}

/** Returns the memory of the unions of some deltas, in bytes. */
export function unionBytes(deltas: readonly Delta[]): number {
  let bytes = 0;
  for (const delta of deltas) {
    const union = known.get(delta);
    if (union) bytes += union.bytes + union.delta.inserted.lookupIndexes.byteLength;
  }
  return bytes;
}

function* unionDelta(
  { inserted, deleted }: Delta,
  before: object | undefined,
  unionsBefore: readonly Delta[],
  until: readonly Delta[],
): Generator<void, UnionDelta, void> {
  const earlier = new TripleLookup(unionsBefore);
  // Deltas are exact, so that a deleted triple was in the union before.
  const now = new TripleLookup(until);
  const plus = yield* rowsOf(inserted, unionsBefore.length === 0 ? undefined : (a, b, c) => !earlier.has(a, b, c));
  const minus = yield* rowsOf(deleted, (a, b, c) => !now.has(a, b, c));
  return { before, token: {}, delta: { inserted: plus.run, deleted: minus.run }, bytes: plus.bytes + minus.bytes };
}

/** Returns the triples of a run that are wanted, each once, and the memory that they take. */
function* rowsOf(
  run: Run,
  isWanted?: (subject: number, predicate: number, object: number) => boolean,
): Generator<void, { readonly run: Run; readonly bytes: number }, void> {
  if (run.length === 0) return { run: EMPTY_RUN, bytes: 0 };
  const [subject, predicate, object] = run.collection![0];
  const rows = new Uint32Array(run.length);
  let kept = 0;
  for (let row = 0; row < rows.length; row++) {
    if (row % STEP === STEP - 1) yield;
    const [a, b, c] = [subject[row], predicate[row], object[row]];
    if (row > 0 && c === object[row - 1] && b === predicate[row - 1] && a === subject[row - 1]) continue;
    if (!isWanted || isWanted(a, b, c)) rows[kept++] = row;
  }
  const starts = Uint32Array.of(0, kept);
  if (kept === run.length) {
    const columns = run.collection!.map(([first, second, third]) => [first, second, third] as const);
    return { run: new Run(CONTEXTS, starts, columns), bytes: 0 };
  }
  const [subjects, predicates, objects] = [subject, predicate, object].map((column) => {
    const some = new Uint32Array(kept);
    for (let i = 0; i < kept; i++) some[i] = column[rows[i]];
    return some;
  });
  return { run: yield* completeRun(CONTEXTS, starts, [subjects, predicates, objects]), bytes: kept * BYTES_PER_ROW };
}

interface Rows {
  readonly columns: readonly Uint32Array[];
  readonly sign: number;
  position: number;
}

/** Finds triples that are asked for in ascending order. */
class TripleLookup {
  private readonly runs: Rows[] = [];

  constructor(deltas: readonly Delta[]) {
    for (const { inserted, deleted } of deltas) {
      for (const [run, sign] of [[inserted, 1] as const, [deleted, -1] as const]) {
        if (run.length > 0) this.runs.push({ columns: run.collection?.[0] ?? run.columnsOf(0), sign, position: 0 });
      }
    }
  }

  /** Returns whether any context has a triple. The signs of each context add up to 1 or 0. */
  has(a: number, b: number, c: number): boolean {
    let net = 0;
    for (const rows of this.runs) {
      const [first, second, third] = rows.columns;
      const end = first.length;
      let row = gallopTriple(rows.columns, rows.position, end, a, b, c);
      rows.position = row;
      for (; row < end && third[row] === c && second[row] === b && first[row] === a; row++) net += rows.sign;
    }
    return net > 0;
  }
}
