import { DEFAULT_GRAPH, type TermId } from '../contracts/term-source.ts';
import { mergeRows } from './merge-runs.ts';
import { SPO } from './permutation.ts';
import { buildRun, hasSameMemory, Run } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import type { WorldGraphs } from './world-graphs.ts';

/** A world at one moment. */
export interface ComparedWorld {
  readonly graphs: WorldGraphs;
  readonly snapshot: Snapshot;
}

/** Rows of several graphs: those of `graphs[i]` are `starts[i] .. starts[i + 1] - 1`. */
export interface GraphRows {
  readonly graphs: Uint32Array;
  readonly starts: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

/** Number of rows per step of a kernel. */
const STEP = 1 << 16;
/** The context of all rows that are compared: they are of one graph. */
const CONTEXT = Uint32Array.of(1);

/**
 * Returns the quads that one world has and another has not, both ways. Rows that the two share in
 * memory are not read: states of one world, or a world and its fork, cost what differs. A kernel.
 *
 * @param renaming ids of `from` by the ids of `to` that denote the same nodes
 */
export function* diffDatasets(
  from: ComparedWorld,
  to: ComparedWorld,
  renaming: ReadonlyMap<TermId, TermId>,
): Generator<void, { inserted: GraphRows; deleted: GraphRows }, void> {
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
  const inserted = new RowsByGraph();
  const deleted = new RowsByGraph();
  for (const [graph, context] of contexts) {
    const slices = [...slicesOf(to.snapshot, context.to, 1), ...slicesOf(from.snapshot, context.from, -1)];
    const different = withoutShared(slices);
    if (different.length === 0) continue;
    const delta = yield* netOf(different, renaming);
    inserted.add(graph, delta.inserted);
    deleted.add(graph, delta.deleted);
  }
  return { inserted: inserted.finish(), deleted: deleted.finish() };
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

function* netOf(
  slices: readonly Slice[],
  renaming: ReadonlyMap<TermId, TermId>,
): Generator<void, { inserted: Run; deleted: Run }, void> {
  const from = slices.filter(({ isTo }) => !isTo);
  const to = slices.filter(({ isTo }) => isTo);
  const inputs = from.map(({ run }) => run);
  const signs = from.map(({ sign }) => sign);
  if (renaming.size === 0 || to.length === 0) {
    inputs.push(...to.map(({ run }) => run));
    signs.push(...to.map(({ sign }) => sign));
  } else {
    const net = yield* mergeRows(
      to.map(({ run }) => run),
      to.map(({ sign }) => sign),
    );
    for (const [part, sign] of [[net.inserted, 1] as const, [net.deleted, -1] as const]) {
      for (const run of yield* renamed(part, renaming)) {
        if (run.length === 0) continue;
        inputs.push(run);
        signs.push(sign);
      }
    }
  }
  // Each input has one context; the numbers differ between the worlds.
  const aligned = inputs.map((run) => run.withContexts(CONTEXT));
  return yield* mergeRows(aligned, signs);
}

/** Splits rows into those without a renamed term and the others, renamed and sorted. */
function* renamed(run: Run, renaming: ReadonlyMap<TermId, TermId>): Generator<void, readonly Run[], void> {
  if (run.length === 0) return [];
  const [subject, predicate, object] = run.columnsOf(SPO);
  const isRenamed = new Uint8Array(run.length);
  let count = 0;
  for (let row = 0; row < run.length; row++) {
    if (row % STEP === STEP - 1) yield;
    if (!renaming.has(subject[row]) && !renaming.has(object[row])) continue;
    isRenamed[row] = 1;
    count++;
  }
  if (count === 0) return [run];
  const columns = (length: number) => ({
    length,
    context: new Uint32Array(length).fill(1),
    subject: new Uint32Array(length),
    predicate: new Uint32Array(length),
    object: new Uint32Array(length),
  });
  const moved = columns(count);
  const stay = columns(run.length - count);
  let movedRows = 0;
  let stayingRows = 0;
  for (let row = 0; row < run.length; row++) {
    if (row % STEP === STEP - 1) yield;
    const target = isRenamed[row] ? moved : stay;
    const at = isRenamed[row] ? movedRows++ : stayingRows++;
    target.subject[at] = isRenamed[row] ? (renaming.get(subject[row]) ?? subject[row]) : subject[row];
    target.predicate[at] = predicate[row];
    target.object[at] = isRenamed[row] ? (renaming.get(object[row]) ?? object[row]) : object[row];
  }
  const staying = new Run(CONTEXT, Uint32Array.of(0, stay.length), [[stay.subject, stay.predicate, stay.object]]);
  return [staying, yield* buildRun(moved)];
}

/** Collects rows graph by graph. */
class RowsByGraph {
  private readonly graphs: TermId[] = [];
  private readonly runs: Run[] = [];

  add(graph: TermId, run: Run): void {
    if (run.length === 0) return;
    this.graphs.push(graph);
    this.runs.push(run);
  }

  finish(): GraphRows {
    const starts = new Uint32Array(this.runs.length + 1);
    this.runs.forEach(({ length }, i) => {
      starts[i + 1] = starts[i] + length;
    });
    const [subject, predicate, object] = [0, 1, 2].map((position) => {
      if (this.runs.length === 1) return this.runs[0].columnsOf(SPO)[position];
      const column = new Uint32Array(starts[this.runs.length]);
      this.runs.forEach((run, i) => {
        column.set(run.columnsOf(SPO)[position], starts[i]);
      });
      return column;
    });
    return { graphs: Uint32Array.from(this.graphs), starts, subject, predicate, object };
  }
}
