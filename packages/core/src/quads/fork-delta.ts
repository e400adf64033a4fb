import { Buffer } from '#platform';
import { TERM_KIND } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { viewOf } from './byte-arena.ts';
import type { Dictionary } from './dictionary.ts';
import { type Delta, mergeDeltas } from './merge-runs.ts';
import { OSP, SPO } from './permutation.ts';
import { renameToNewest } from './rename-to-newest.ts';
import { EMPTY_RUN, type Run } from './run.ts';
import { runOfContexts } from './run-of-contexts.ts';
import type { Snapshot } from './snapshot.ts';
import { kindOf, metaWith, referenceOf, SCOPE_KIND, TRIPLE_META } from './term-meta.ts';
import type { TermTable } from './term-table.ts';
import { WorldGraphs } from './world-graphs.ts';

/** The world that is copied, as of a snapshot. */
export interface ForkedWorld {
  readonly graphs: WorldGraphs;
  readonly snapshot: Snapshot;
}

/** The world that the copy becomes. */
export interface ForkTarget {
  /** Its number. */
  readonly world: number;
  readonly dictionary: Dictionary;
  readonly allocateContext: () => number;
  /** Returns the scope that takes the place of a scope of the source. */
  readonly scopeFor: (scope: Uint8Array) => Uint8Array;
}

/** Number of rows, or terms, per step of a kernel. */
const STEP = 1 << 12;

/**
 * Returns the quads and graphs of a new world that is a copy of another one in the same namespace.
 * Shares the columns of the source if they are one run and mention no blank nodes: nothing is
 * copied then. Blank nodes become new nodes of the new world, one for each of the source.
 *
 * A kernel; requires the write lock. Adds the new blank nodes to the dictionary.
 */
export function* forkDelta(
  { graphs, snapshot }: ForkedWorld,
  target: ForkTarget,
): Generator<void, { delta: Delta; graphs: WorldGraphs }, void> {
  const contexts = Uint32Array.of(graphs.defaultContext, ...graphs.contexts).sort();
  const run = yield* netRun(snapshot, contexts);
  // In the order of the old contexts, so that the rows stay sorted.
  const moved = new Map<number, number>();
  for (const context of contexts) moved.set(context, target.allocateContext());
  const renaming = yield* renewBlankNodes(
    [...run.columnsOf(SPO).slice(0, 1), run.columnsOf(OSP)[0], graphs.graphs],
    target,
  );
  const placed = run.withContexts(run.contexts.map((context) => moved.get(context)!));
  const inserted = renaming && run.length > 0 ? yield* renameToNewest(placed, renaming) : placed;
  const named = new Map<TermId, number>();
  graphs.graphs.forEach((graph, i) => {
    named.set(renaming?.[graph] || graph, moved.get(graphs.contexts[i])!);
  });
  const none = new Uint32Array(0);
  return {
    delta: { inserted, deleted: EMPTY_RUN },
    graphs: new WorldGraphs(target.world, moved.get(graphs.defaultContext)!, none, none).with(named),
  };
}

/** Returns the quads of some contexts as one run. */
function* netRun({ deltas }: Snapshot, contexts: Uint32Array): Generator<void, Run, void> {
  const parts: Delta[] = [];
  for (const delta of deltas) {
    const inserted = yield* runOfContexts(delta.inserted, contexts);
    const deleted = yield* runOfContexts(delta.deleted, contexts);
    if (inserted.length + deleted.length > 0) parts.push({ inserted, deleted });
  }
  if (parts.length === 0) return EMPTY_RUN;
  if (parts.length === 1 && parts[0].deleted.length === 0) return parts[0].inserted;
  return (yield* mergeDeltas(parts, () => false)).inserted;
}

/**
 * Adds a new blank node for each one in some columns, and a new triple term for each one that
 * contains any. Returns the new ids by old id, 0 for terms that stay; undefined if all stay. New
 * ids are in the order of the old ones.
 */
function* renewBlankNodes(
  columns: readonly Uint32Array[],
  { world, dictionary, scopeFor }: ForkTarget,
): Generator<void, Uint32Array | undefined, void> {
  const { table } = dictionary;
  let renaming: Uint32Array | undefined;
  let lowest = table.size;
  let highest = 0;
  const mark = (id: TermId): void => {
    renaming ??= new Uint32Array(table.size + 1);
    renaming[id] = 1;
    if (id < lowest) lowest = id;
    if (id > highest) highest = id;
  };
  for (const column of columns) {
    let last = 0;
    for (let row = 0; row < column.length; row++) {
      if (row % STEP === STEP - 1) yield;
      const id = column[row];
      if (id === last) continue;
      last = id;
      if (mayChange(table, id)) mark(id);
    }
  }
  if (!renaming) return undefined;
  // References point backwards, so one pass from the end finds the parts of triple terms.
  for (let id = highest; id >= lowest; id--) {
    if (id % STEP === 0) yield;
    if (renaming[id] === 0 || kindOf(table.metaOf(id)) !== TERM_KIND.triple) continue;
    for (const part of partsOf(table, id)) if (mayChange(table, part)) mark(part);
  }
  const scopes = new Map<TermId, TermId>();
  for (let id = lowest; id <= highest; id++) {
    if (id % STEP === 0) yield;
    if (renaming[id] === 0) continue;
    const meta = table.metaOf(id);
    if (kindOf(meta) === TERM_KIND.triple) {
      renaming[id] = renewTriple(table, id, renaming);
      continue;
    }
    const old = referenceOf(meta);
    let scope = scopes.get(old);
    if (scope === undefined) {
      scope = addScope(table, scopeFor(bytesOf(table, old)), world);
      scopes.set(old, scope);
    }
    const start = table.startOf(id);
    const view = table.viewOf(id);
    renaming[id] = table.add(
      metaWith(TERM_KIND.blankNode, scope),
      view,
      start,
      start + 4,
      table.hash(view, start, start + 4),
    );
  }
  return renaming;
}

function mayChange(table: TermTable, id: TermId): boolean {
  const kind = kindOf(table.metaOf(id));
  return kind === TERM_KIND.blankNode || kind === TERM_KIND.triple;
}

function partsOf(table: TermTable, id: TermId): readonly [TermId, TermId, TermId] {
  const view = table.viewOf(id);
  const start = table.startOf(id);
  return [view.getUint32(start, true), view.getUint32(start + 4, true), view.getUint32(start + 8, true)];
}

/** Returns the triple term with the renamed parts, or 0 if none is renamed. */
function renewTriple(table: TermTable, id: TermId, renaming: Uint32Array): TermId {
  const parts = partsOf(table, id);
  if (parts.every((part) => renaming[part] === 0)) return 0;
  const bytes = new DataView(new ArrayBuffer(12));
  parts.forEach((part, i) => {
    bytes.setUint32(4 * i, renaming[part] || part, true);
  });
  return table.add(TRIPLE_META, bytes, 0, 12, table.hash(bytes, 0, 12));
}

function addScope(table: TermTable, scope: Uint8Array, world: number): TermId {
  const view = viewOf(Buffer.from(scope));
  const meta = metaWith(SCOPE_KIND, world);
  const hash = table.hash(view, 0, scope.length);
  // A scope is a hash of 128 bits, so this happens only if two engines that continue the same
  // backup fork in the same millisecond, and one of them imports the result of the other.
  if (table.find(meta, view, 0, scope.length, hash))
    throw new WorldsError('CONFLICT', 'The blank nodes of this fork exist already; repeat the call.');
  return table.add(meta, view, 0, scope.length, hash);
}

function bytesOf(table: TermTable, id: TermId): Uint8Array {
  const start = table.startOf(id);
  return table.bufferOf(id).subarray(start, start + table.lengthOf(id));
}
