import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { QuadSource } from '../storage/quad-source.ts';
import { Slicer } from '../storage/slicer.ts';
import type { PreparedQuery, PreparedUpdate, SparqlEngine } from '../storage/sparql-engine.ts';
import type { Catalog, OpenSource } from './catalog.ts';
import { Deadline } from './deadline.ts';
import { ForeignWorlds } from './foreign-worlds.ts';
import { heldItems, holdAll } from './held-stream.ts';
import type { Namespace } from './namespace.ts';
import type { QueryResult } from './query-results.ts';
import { evaluateOptions, type QueryWork, requestOverlay } from './query-work.ts';
import type { RequestedWorlds } from './requested-worlds.ts';
import { QuerySearch } from './search-source.ts';
import { updateWorld } from './update-world.ts';

/** Runs a query over a snapshot of its worlds, or an update as one commit. Its namespaces stay in memory until the result has been read. */
export function queryWorlds(catalog: Catalog, engine: SparqlEngine, work: QueryWork): Promise<QueryResult> {
  return catalog.isLimited ? evaluateHeld(catalog, engine, work) : evaluate(catalog, engine, work);
}

async function evaluateHeld(catalog: Catalog, engine: SparqlEngine, work: QueryWork): Promise<QueryResult> {
  const { homes } = work.worlds;
  const release = holdAll(homes);
  try {
    const result = await evaluate(catalog, engine, work);
    if (result.type === 'quads') return { ...result, batches: heldItems(homes, result.batches) };
    return result.type === 'bindings' ? { ...result, batches: heldItems(homes, result.batches) } : result;
  } finally {
    release();
  }
}

async function evaluate(catalog: Catalog, engine: SparqlEngine, work: QueryWork): Promise<QueryResult> {
  const deadline = new Deadline(work.signal, work.timeoutMs);
  let streams = false;
  try {
    throwIfAborted(deadline.signal);
    const preparing = engine.prepare(work.text, { baseIri: work.baseIri, bindings: work.bindings });
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    requireForm(work, prepared);
    if (prepared.type === 'update') {
      const { inserted, deleted, revision } = await updateWorld(catalog, prepared, work, deadline.signal);
      return { type: 'update', inserted, deleted, revision };
    }
    if (work.ifRevision !== undefined) {
      throw new WorldsError('INVALID_ARGUMENT', 'ifRevision is for updates; a query changes nothing.');
    }
    const opening = openDataset(catalog, work, new Slicer(deadline.signal));
    const source = opening instanceof Promise ? await opening : opening;
    const options = evaluateOptions(catalog, work, deadline.signal, querySearch(catalog, work, source));
    const result = await prepared.evaluate(source, options);
    if (result.type === 'boolean') return result;
    streams = true;
    if (result.type === 'quads') return { type: 'quads', batches: within(deadline, result.batches) };
    return { type: 'bindings', variables: result.variables, batches: within(deadline, result.batches) };
  } finally {
    // A stream's deadline lasts until it is read or given up.
    if (!streams) deadline[Symbol.dispose]();
  }
}

/** The type of result that each kind of text gives, and what to call the text. */
const FORMS = {
  select: { type: 'bindings', name: 'a SELECT' },
  ask: { type: 'boolean', name: 'an ASK' },
  construct: { type: 'quads', name: 'a CONSTRUCT' },
  describe: { type: 'quads', name: 'a DESCRIBE' },
  update: { type: 'update', name: 'an update' },
} as const;

function requireForm({ operation, expected }: QueryWork, prepared: PreparedQuery | PreparedUpdate): void {
  const { type, name } = FORMS[prepared.type === 'update' ? 'update' : prepared.form];
  if (expected === undefined || expected === type) return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${operation}: query: this is ${name}; nothing was run. Use the method for it, or query.`,
  );
}

function within<Batch>(deadline: Deadline, batches: AsyncIterable<Batch>): AsyncIterable<Batch> {
  return deadline.signal ? untilAborted(deadline, batches) : batches;
}

async function* untilAborted<Batch>(deadline: Deadline, batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  try {
    for await (const batch of batches) {
      throwIfAborted(deadline.signal);
      yield batch;
    }
    // What was cut off must not look complete.
    throwIfAborted(deadline.signal);
  } finally {
    deadline[Symbol.dispose]();
  }
}

/** A snapshot of the work's worlds as one dataset. */
export function openDataset(catalog: Catalog, work: QueryWork, slicer: Slicer): QuadSource | Promise<QuadSource> {
  const { collection } = work.worlds;
  if (collection) {
    const terms = requestOverlay(catalog, collection.store.dictionary, 0);
    return collection.store.prepareView(terms, collection.allGraphs, slicer, collection.store.snapshot);
  }
  const { sources } = work.worlds;
  if (sources.length === 1) {
    const [{ home, state, snapshot, dictionary }] = sources;
    return home.store.prepareView(requestOverlay(catalog, dictionary, 0), [state.graphs], slicer, snapshot);
  }
  const home = homeOf(catalog, work.worlds);
  const foreign = sources.filter((source) => source.home !== home);
  const graphs = graphsOf(sources, home);
  // Sources go with the snapshot that they were opened with, and this with its dictionary.
  const { snapshot, dictionary } = sources.find((source) => source.home === home) ?? home.store;
  const overlay = requestOverlay(catalog, dictionary, 0);
  if (foreign.length === 0) return home.store.prepareView(overlay, graphs, slicer, snapshot);
  return withForeign(home, graphs, foreign, overlay, slicer, snapshot);
}

async function withForeign(
  home: Namespace,
  graphs: readonly WorldGraphs[],
  foreign: readonly OpenSource[],
  overlay: Overlay,
  slicer: Slicer,
  snapshot: Snapshot,
): Promise<QuadSource> {
  const guests = new ForeignWorlds(overlay, home.store);
  for (const source of foreign) await guests.add(source, slicer);
  return home.store.prepareView(overlay, [...graphs, ...guests.graphs], slicer, guests.over(snapshot));
}

/** The ranked search of the work's worlds, for a dataset that `openDataset` made. */
export function querySearch(catalog: Catalog, { worlds }: QueryWork, dataset: QuadSource): QuerySearch {
  const isCollection = worlds.collection !== undefined;
  return new QuerySearch({ requested: worlds, isCollection, home: homeOf(catalog, worlds), terms: dataset.terms });
}

/** The namespace in whose ids a query runs: the one with the most terms, since the others' quads are brought to it. */
function homeOf(catalog: Catalog, worlds: RequestedWorlds): Namespace {
  let home = worlds.collection;
  if (home) return home;
  for (const source of worlds.sources) {
    if (!home || source.home.store.dictionary.table.size > home.store.dictionary.table.size) home = source.home;
  }
  return home ?? catalog.emptyNamespace();
}

function graphsOf(sources: readonly OpenSource[], home: Namespace): WorldGraphs[] {
  return sources.filter((source) => source.home === home).map(({ state }) => state.graphs);
}
