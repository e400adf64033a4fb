import { DEFAULT_GRAPH, type TermId } from '../contracts/term-source.ts';
import { commitTerms, type MovedTerms, renamed, type TermRenaming } from './commit-terms.ts';
import type { Dictionary } from './dictionary.ts';
import type { Delta } from './merge-runs.ts';
import { applyMoves, moveTerms } from './moved-terms.ts';
import type { Overlay } from './overlay.ts';
import { filterByPresence } from './presence.ts';
import { markUsedTerms, moveContexts, renameRun } from './rename-run.ts';
import { replacementDelta } from './replacement-delta.ts';
import { EMPTY_RUN, type Run } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import { LOCAL_BIT } from './term-meta.ts';
import type { WorldGraphs } from './world-graphs.ts';

/** Graphs that are looked up between two yields. */
const GRAPHS_PER_STEP = 1 << 12;

const NO_RENAMING: TermRenaming = new Uint32Array(1);

/**
 * Replaces the local terms used in a run and in graph names by shared ids. Other terms of the
 * overlay, such as intermediate results of an update's WHERE clause, do not enter the dictionary. A
 * kernel; requires the write lock.
 */
export function* shareUsedTerms(
  overlay: Overlay,
  run: Run,
  graphs: Iterable<TermId>,
): Generator<void, { run: Run; renaming: TermRenaming }, void> {
  if (!overlay.hasPrivateTerms) return { run, renaming: NO_RENAMING };
  const used = new Uint8Array(overlay.local.size + 1);
  yield* markUsedTerms(run, used);
  for (const graph of graphs) if (graph >= LOCAL_BIT) used[graph - LOCAL_BIT] = 1;
  return yield* shareTerms(overlay, run, used);
}

/** @param used indexed by local number: 1 for a term that the commit stores */
function* shareTerms(
  overlay: Overlay,
  run: Run,
  used: Uint8Array,
  { dictionary, moved }: { dictionary: Dictionary; moved?: MovedTerms } = overlay,
): Generator<void, { run: Run; renaming: TermRenaming }, void> {
  const sharedBefore = dictionary.table.size;
  const renaming = yield* commitTerms(overlay, used, dictionary, moved);
  if (moved?.size) yield* applyMoves(run, moved);
  return { run: yield* renameRun(run, renaming, moved?.size ? 'unsorted' : sharedBefore), renaming };
}

/**
 * What an import removes before it inserts its quads: nothing, everything in its target graphs, or
 * everything in the world.
 */
export type Replaced = 'nothing' | 'graphs' | 'world';

export interface ImportChange {
  readonly delta: Delta;
  readonly graphs: WorldGraphs;
  /** Number of named graphs that are new to the world. */
  readonly createdGraphs: number;
}

/** The state that an import finds when it acquires the lock. */
export interface ImportBasis {
  readonly current: WorldGraphs;
  readonly snapshot: Snapshot;
  readonly dictionary: Dictionary;
  readonly replaced: Replaced;
  /**
   * Returns the context for a graph that is new to the world, given the one under which its quads
   * were read. That is another one if it belonged to a graph of this name that was dropped
   * meanwhile, or may have been given to a graph of another commit: a context is never used for two
   * graphs.
   */
  readonly newContext: (read: number) => number;
}

/**
 * Computes the exact delta, in shared ids, of an import whose rows were sorted without the lock.
 * Other commits may have added the same terms, graphs and quads meanwhile, so terms are shared
 * first, then graphs are compared, then quads.
 *
 * A kernel; requires the write lock.
 *
 * @param graphs the import's graphs, with the contexts under which their quads were read
 */
export function* importDelta(
  overlay: Overlay,
  sorted: Run,
  graphs: ReadonlyMap<TermId, number>,
  { current, snapshot, dictionary, replaced, newContext }: ImportBasis,
): Generator<void, ImportChange, void> {
  // An import makes terms only for its own quads and graphs.
  const used = new Uint8Array(overlay.local.size + 1).fill(1);
  const back =
    dictionary === overlay.dictionary ? undefined : yield* moveTerms(overlay, sorted, graphs.keys(), dictionary);
  const { run, renaming } = yield* shareTerms(overlay, sorted, used, { dictionary, moved: back });
  const created = new Map<TermId, number>();
  const moved = new Map<number, number>();
  const mentioned = new Set<TermId>();
  for (const [name, context] of graphs) {
    const graph = renamed(back?.get(name) ?? name, renaming);
    mentioned.add(graph);
    const known = current.contextOf(graph);
    const own = known < 0 ? newContext(context) : known;
    if (known < 0) created.set(graph, own);
    if (own !== context) moved.set(context, own);
    if (mentioned.size % GRAPHS_PER_STEP === 0) yield;
  }
  // Adding them is a step of its own.
  yield;
  const placed = moved.size > 0 ? yield* moveContexts(run, moved) : run;
  const createdGraphs = created.size;
  if (replaced === 'nothing') {
    const inserted = yield* filterByPresence(placed, snapshot, 'absent');
    return { delta: { inserted, deleted: EMPTY_RUN }, graphs: current.with(created), createdGraphs };
  }
  const dropped = replaced === 'world' ? current.graphs.filter((graph) => !mentioned.has(graph)) : [];
  const emptied = replaced === 'world' ? [DEFAULT_GRAPH, ...current.graphs] : [...mentioned];
  const contexts = emptied.map((graph) => current.contextOf(graph)).filter((context) => context >= 0);
  const delta = yield* replacementDelta(placed, snapshot, Uint32Array.from(contexts).sort());
  return { delta, graphs: current.without(new Set(dropped)).with(created), createdGraphs };
}
