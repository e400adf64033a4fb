import { DEFAULT_GRAPH, type TermId } from '../contracts/term-source.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { type GraphNet, NetRows, type Stretch } from './net-rows.ts';
import { SPO } from './permutation.ts';
import { RowMerge, type SignedRows } from './row-merge.ts';
import { BYTES_PER_ROW, buildRun, hasSameMemory, type Run, type TripleColumns } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import type { WorldGraphs } from './world-graphs.ts';

/** A world at one moment. */
export interface ComparedWorld {
  readonly graphs: WorldGraphs;
  readonly snapshot: Snapshot;
}

/** The quads that one world has and another has not, both ways. */
export interface DatasetDiff {
  /** Quads of `to` that `from` does not have. */
  readonly inserted: NetRows;
  /** Quads of `from` that `to` does not have. */
  readonly deleted: NetRows;
}

/** Number of rows per step of a kernel. */
const STEP = 1 << 16;
/** Memory of a renamed row in bytes: as it was, and as it is sorted. */
const RENAMED_BYTES = 12 + BYTES_PER_ROW;
/** Memory of a graph or a stretch in bytes, without its numbers. */
const ENTRY_BYTES = 128;

/**
 * Compares two worlds. Rows that the two share in memory are not read: states of one world, or a
 * world and its fork, cost what differs. The rows of the result are not stored but merged again for
 * each iteration, so memory depends on neither world: beyond a few bytes for every graph and every
 * {@link BATCH_ROWS} rows, only rows with renamed terms take any. A kernel.
 *
 * @param renaming ids of `from` by the ids of `to` that denote the same nodes
 */
export function* diffDatasets(
  from: ComparedWorld,
  to: ComparedWorld,
  renaming: ReadonlyMap<TermId, TermId>,
  memory: RequestMemory,
): Generator<void, DatasetDiff, void> {
  const contexts = new Map<TermId, { from: number; to: number }>();
  const enter = (graph: TermId, side: 'from' | 'to', context: number) => {
    const known = contexts.get(graph) ?? { from: -1, to: -1 };
    contexts.set(graph, { ...known, [side]: context });
  };
  for (const [side, { graphs }] of [['from', from] as const, ['to', to] as const]) {
    enter(DEFAULT_GRAPH, side, graphs.defaultContext);
    graphs.graphs.forEach((graph, i) => {
      enter(side === 'to' ? (renaming.get(graph) ?? graph) : graph, side, graphs.contexts[i]);
    });
  }
  const nets: GraphNet[] = [];
  for (const [graph, context] of contexts) {
    const slices = [...slicesOf(to.snapshot, context.to, 1), ...slicesOf(from.snapshot, context.from, -1)];
    const different = withoutShared(slices);
    if (different.length === 0) continue;
    const inputs = yield* inputsOf(different, renaming, memory);
    memory.claimMemory(ENTRY_BYTES * (1 + inputs.length));
    const stretches = yield* stretchesOf(inputs, memory);
    if (stretches.length > 0) nets.push({ graph, inputs, stretches });
  }
  return { inserted: new NetRows(nets, 'inserted'), deleted: new NetRows(nets, 'deleted') };
}

/** Rows of one graph in one run. */
interface Slice {
  readonly run: Run;
  /** +1 if the rows count for `to`, -1 if they count for `from`; the opposite for deletions. */
  readonly sign: number;
  /** Whether the rows are those of `to`. */
  readonly isTo: boolean;
}

function slicesOf({ runs, signs }: Snapshot, context: number, sign: 1 | -1): Slice[] {
  const slices: Slice[] = [];
  runs.forEach((run, i) => {
    const slice = run.sliceOf(context);
    if (slice.length > 0) slices.push({ run: slice, sign: sign * signs[i], isTo: sign > 0 });
  });
  return slices;
}

/** Leaves out pairs of slices of both sides that are the same memory. */
function withoutShared(slices: readonly Slice[]): Slice[] {
  const rest = [...slices];
  for (const slice of slices) {
    const at = slice.isTo ? rest.findIndex((other) => isSame(slice, other)) : -1;
    if (at < 0) continue;
    rest.splice(at, 1);
    rest.splice(rest.indexOf(slice), 1);
  }
  return rest;
}

function isSame(one: Slice, other: Slice): boolean {
  if (other.isTo || one.sign !== -other.sign) return false;
  return hasSameMemory(one.run.columnsOf(SPO), other.run.columnsOf(SPO));
}

/**
 * Returns what to merge. Renamed rows are added under both names, which cancels them under the
 * first.
 */
function* inputsOf(
  slices: readonly Slice[],
  renaming: ReadonlyMap<TermId, TermId>,
  memory: RequestMemory,
): Generator<void, readonly SignedRows[], void> {
  const inputs: SignedRows[] = slices.map(({ run, sign }) => ({ columns: run.columnsOf(SPO), sign }));
  if (renaming.size === 0 || slices.every(({ isTo }) => isTo)) return inputs;
  for (const { run, sign, isTo } of slices) {
    const rows = isTo ? yield* renamedRows(run, renaming, memory) : undefined;
    if (rows) inputs.push({ columns: rows.before, sign: -sign }, { columns: rows.after, sign });
  }
  return inputs;
}

/** Returns the rows with a renamed term, as they are and renamed; undefined if there are none. */
function* renamedRows(
  run: Run,
  renaming: ReadonlyMap<TermId, TermId>,
  memory: RequestMemory,
): Generator<void, { before: TripleColumns; after: TripleColumns } | undefined, void> {
  const [subject, predicate, object] = run.columnsOf(SPO);
  const isRenamed = (row: number) => renaming.has(subject[row]) || renaming.has(object[row]);
  let length = 0;
  for (let row = 0; row < run.length; row++) {
    if (row % STEP === STEP - 1) yield;
    if (isRenamed(row)) length++;
  }
  if (length === 0) return undefined;
  memory.claimMemory(length * RENAMED_BYTES);
  const columns = () => ({
    subject: new Uint32Array(length),
    predicate: new Uint32Array(length),
    object: new Uint32Array(length),
  });
  const before = columns();
  const after = columns();
  for (let row = 0, at = 0; row < run.length; row++) {
    if (row % STEP === STEP - 1) yield;
    if (!isRenamed(row)) continue;
    before.subject[at] = subject[row];
    before.predicate[at] = predicate[row];
    before.object[at] = object[row];
    after.subject[at] = renaming.get(subject[row]) ?? subject[row];
    after.predicate[at] = predicate[row];
    after.object[at] = renaming.get(object[row]) ?? object[row];
    at++;
  }
  const sorted = yield* buildRun({ ...after, length, context: new Uint32Array(length) });
  return { before: [before.subject, before.predicate, before.object], after: sorted.columnsOf(SPO) };
}

/** Merges rows once, to count what is left and to find where it is. */
function* stretchesOf(inputs: readonly SignedRows[], memory: RequestMemory): Generator<void, readonly Stretch[], void> {
  const stretches: Stretch[] = [];
  const merge = new RowMerge(inputs);
  memory.claimMemory(merge.byteLength);
  let open: Stretch | undefined;
  for (;;) {
    const start = merge.position;
    if (!merge.next()) break;
    const inserted = merge.plus.length;
    const deleted = merge.minus.length;
    if (inserted + deleted === 0) open = undefined;
    else if (open) {
      open.batches++;
      open.inserted += inserted;
      open.deleted += deleted;
    } else {
      memory.claimMemory(ENTRY_BYTES + start.byteLength);
      open = { start, batches: 1, inserted, deleted };
      stretches.push(open);
    }
    yield;
  }
  memory.claimMemory(-merge.byteLength);
  return stretches;
}
