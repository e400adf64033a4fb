import { isPromise } from '../contracts/is-promise.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { SearchSource } from '../contracts/search-source.ts';
import { Slicer } from '../contracts/slicer.ts';
import type { PreparedQuery, PreparedUpdate, SparqlEngine, SparqlResult } from '../contracts/sparql-engine.ts';
import { turns } from '../contracts/turns.ts';
import { watched } from '../contracts/watched.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { Catalog } from './catalog.ts';
import { Deadline } from './deadline.ts';
import { ForeignWorlds } from './foreign-worlds.ts';
import { heldItems, holdAll } from './held-stream.ts';
import type { Namespace } from './namespace.ts';
import type { OpenSource } from './open-source.ts';
import type { QueryResult } from './query-results.ts';
import { evaluateOptions, prepareText, type QueryWork, requestMemory, requestOverlay } from './query-work.ts';
import type { RequestedWorlds } from './requested-worlds.ts';
import { PAST_SEARCH, QuerySearch } from './search-source.ts';
import { updateWorld } from './update-world.ts';

/**
 * Runs a query over a snapshot of its worlds, or an update as one commit. Holds the namespaces in
 * memory until the result was read, if they may be evicted. Returns a promise only if it must wait,
 * because promises are measurable in short queries; may throw synchronously.
 */
export function queryWorlds(
  catalog: Catalog,
  engine: SparqlEngine,
  work: QueryWork,
): QueryResult | Promise<QueryResult> {
  return catalog.isLimited ? evaluateHeld(catalog, engine, work) : evaluate(catalog, engine, work);
}

async function evaluateHeld(catalog: Catalog, engine: SparqlEngine, work: QueryWork): Promise<QueryResult> {
  const { homes } = work.worlds;
  const release = holdAll(homes);
  try {
    const result = await evaluate(catalog, engine, work);
    return withBatches(result, (batches) => heldItems(homes, batches));
  } finally {
    release();
  }
}

function evaluate(catalog: Catalog, engine: SparqlEngine, work: QueryWork): QueryResult | Promise<QueryResult> {
  return work.timeoutMs === undefined
    ? run(catalog, engine, work, work.signal)
    : runInTime(catalog, engine, work, work.timeoutMs);
}

async function runInTime(
  catalog: Catalog,
  engine: SparqlEngine,
  work: QueryWork,
  timeoutMs: number,
): Promise<QueryResult> {
  const deadline = new Deadline(work.signal, timeoutMs);
  let streams = false;
  try {
    const result = await run(catalog, engine, work, deadline.signal);
    streams = result.type === 'quads' || result.type === 'bindings';
    return withBatches(result, (batches) => disposing(deadline, batches));
  } finally {
    // The deadline of a stream lasts until the stream was read or closed.
    if (!streams) deadline[Symbol.dispose]();
  }
}

async function* disposing<Batch>(deadline: Deadline, batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  try {
    yield* batches;
  } finally {
    deadline[Symbol.dispose]();
  }
}

function run(
  catalog: Catalog,
  engine: SparqlEngine,
  work: QueryWork,
  signal: AbortSignal | undefined,
): QueryResult | Promise<QueryResult> {
  const turn = turns.begin(signal);
  return turn ? turn.then(() => runNow(catalog, engine, work, signal)) : runNow(catalog, engine, work, signal);
}

function runNow(
  catalog: Catalog,
  engine: SparqlEngine,
  work: QueryWork,
  signal: AbortSignal | undefined,
): QueryResult | Promise<QueryResult> {
  throwIfAborted(signal);
  const preparing = prepareText(catalog, engine, work, signal);
  return isPromise(preparing)
    ? Promise.resolve(preparing).then((prepared) => runPrepared(catalog, prepared, work, signal))
    : runPrepared(catalog, preparing, work, signal);
}

function runPrepared(
  catalog: Catalog,
  prepared: PreparedQuery | PreparedUpdate,
  work: QueryWork,
  signal: AbortSignal | undefined,
): QueryResult | Promise<QueryResult> {
  requireForm(work, prepared);
  if (prepared.type === 'update') {
    catalog.requireWritable(work.operation);
    if (work.at !== undefined)
      throw new WorldsError('INVALID_ARGUMENT', 'at applies only to queries; an update changes the present.');
    if (work.blind && !prepared.isBlind) throw readsWorlds();
    return work.reopen
      ? updateRepeatedly(catalog, prepared, work, work.reopen, signal)
      : updateWorld(catalog, prepared, work, signal);
  }
  if (work.ifRevision !== undefined) {
    throw new WorldsError('INVALID_ARGUMENT', 'ifRevision applies only to updates; a query changes nothing.');
  }
  const memory = requestMemory(catalog, work);
  try {
    const opening = openDataset(catalog, prepared, work, memory, new Slicer(signal));
    const result =
      opening instanceof Promise
        ? opening.then((source) => evaluateOver(source, catalog, prepared, work, memory, signal))
        : evaluateOver(opening, catalog, prepared, work, memory, signal);
    return result instanceof Promise ? releasedOnFailure(result, memory) : result;
  } catch (error) {
    memory.release();
    throw error;
  }
}

function updateRepeatedly(
  catalog: Catalog,
  prepared: PreparedUpdate,
  work: QueryWork,
  reopen: NonNullable<QueryWork['reopen']>,
  signal: AbortSignal | undefined,
): QueryResult | Promise<QueryResult> {
  let isFirst = true;
  const attempt = async () => {
    const worlds = isFirst ? work.worlds : await reopen();
    isFirst = false;
    return updateWorld(catalog, prepared, { ...work, worlds }, signal);
  };
  return catalog.repeating(attempt, signal, work.worlds.sources[0]?.namespace);
}

function evaluateOver(
  source: QuadSource,
  catalog: Catalog,
  prepared: PreparedQuery,
  work: QueryWork,
  memory: RequestMemory,
  signal: AbortSignal | undefined,
): QueryResult | Promise<QueryResult> {
  const options = evaluateOptions(catalog, work, signal, memory, querySearch(catalog, work, source, memory));
  const result = prepared.evaluate(source, options);
  if (isPromise(result)) return Promise.resolve(result).then((ready) => begun(ready, memory, signal));
  return begun(result, memory, signal);
}

async function releasedOnFailure(result: Promise<QueryResult>, memory: RequestMemory): Promise<QueryResult> {
  try {
    return await result;
  } catch (error) {
    memory.release();
    throw error;
  }
}

/**
 * Returns a started result. Its stream releases the memory of the request; a boolean needs no more
 * memory.
 */
function begun(result: SparqlResult, memory: RequestMemory, signal: AbortSignal | undefined): QueryResult {
  if (result.type === 'boolean') memory.release();
  return abortable(result, signal);
}

function readsWorlds(): WorldsError {
  return new WorldsError(
    'PERMISSION_DENIED',
    'This update reads the world that it writes; request permission to read it, or use only INSERT DATA and DELETE DATA.',
  );
}

/** The result type of each query form, and its name for messages. */
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
    `${operation}: query: this is ${name}; nothing was run. Use the matching method, or query.`,
  );
}

/**
 * Ends the batches of a result when the signal fires, whatever the SPARQL engine does, also at
 * their end: an aborted result must not look complete.
 */
function abortable(result: SparqlResult, signal: AbortSignal | undefined): QueryResult {
  return signal === undefined
    ? result
    : withBatches(result, (batches) => watched(batches, () => throwIfAborted(signal)));
}

/** Returns the result with transformed batches, if it has any. */
function withBatches(
  result: QueryResult,
  change: <Batch>(batches: AsyncIterable<Batch>) => AsyncIterable<Batch>,
): QueryResult {
  if (result.type === 'quads') return { ...result, batches: change(result.batches) };
  return result.type === 'bindings' ? { ...result, batches: change(result.batches) } : result;
}

/** Opens a snapshot of the requested worlds as one dataset, for a query or a plan of an update. */
export function openDataset(
  catalog: Catalog,
  prepared: PreparedQuery | PreparedUpdate,
  work: QueryWork,
  memory: RequestMemory,
  slicer: Slicer,
): QuadSource | Promise<QuadSource> {
  const { collection } = work.worlds;
  const isNamed = readsNamedGraphs(prepared, work);
  if (collection) {
    const terms = requestOverlay(catalog, collection.store.dictionary, 0, undefined, memory);
    return collection.store.prepareShared(terms, collection.allGraphs, slicer, collection.store.snapshot, isNamed);
  }
  const { sources } = work.worlds;
  if (sources.length === 1) {
    const [{ home, state, snapshot, dictionary }] = sources;
    return home.store.prepareView(
      requestOverlay(catalog, dictionary, 0, undefined, memory),
      [state.graphs],
      slicer,
      snapshot,
      isNamed,
    );
  }
  const home = homeOf(catalog, work.worlds);
  const foreign = sources.filter((source) => source.home !== home);
  const graphs = graphsOf(sources, home);
  // The snapshot that the sources were opened with, and the dictionary that belongs to it.
  const { snapshot, dictionary } = sources.find((source) => source.home === home) ?? home.store;
  const overlay = requestOverlay(catalog, dictionary, 0, undefined, memory);
  if (foreign.length === 0) return home.store.prepareShared(overlay, graphs, slicer, snapshot, isNamed);
  return withForeign(home, graphs, foreign, overlay, slicer, snapshot);
}

/**
 * Whether the run of a text may read all named graphs, or graphs that FROM makes the default one.
 */
function readsNamedGraphs(
  prepared: PreparedQuery | PreparedUpdate,
  { defaultGraphUris, namedGraphUris }: QueryWork,
): boolean {
  if (prepared.type === 'update' || defaultGraphUris?.length || namedGraphUris?.length) return true;
  return (prepared.namesDataset ?? true) || (prepared.readsNamedGraphs ?? true);
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

/** Creates the ranked search of the requested worlds, for a dataset made by `openDataset`. */
export function querySearch(
  catalog: Catalog,
  { worlds, canonicalOrder, at }: QueryWork,
  dataset: QuadSource,
  memory: RequestMemory,
): SearchSource {
  if (at !== undefined) return PAST_SEARCH;
  const isCollection = worlds.collection !== undefined;
  const home = homeOf(catalog, worlds);
  return new QuerySearch({ requested: worlds, isCollection, home, terms: dataset.terms, canonicalOrder, memory });
}

/**
 * Returns the namespace whose ids the query uses: the one with the most terms, because the quads of
 * the others are copied.
 */
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
