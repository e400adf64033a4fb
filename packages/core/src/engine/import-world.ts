import { Slicer } from '../contracts/slicer.ts';
import { DEFAULT_GRAPH, type TermId } from '../contracts/term-source.ts';
import { turns } from '../contracts/turns.ts';
import { anySignal } from '../model/any-realm.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { importDelta } from '../quads/import-delta.ts';
import { Overlay } from '../quads/overlay.ts';
import { PatchCollector } from '../quads/patch-collector.ts';
import { patchDelta } from '../quads/patch-delta.ts';
import { QuadCollector } from '../quads/quad-collector.ts';
import { copyOfRun, type Run } from '../quads/run.ts';
import type { Catalog } from './catalog.ts';
import { commitData } from './commit-changes.ts';
import type { WorldsEngineOptions } from './engine-options.ts';
import { type GraphName, graphTerm, requireGraph } from './graph-name.ts';
import { ImportMemory } from './import-memory.ts';
import { ImportQuota } from './import-quota.ts';
import type { Namespace } from './namespace.ts';
import { type OpenSource, worldNotFound } from './open-source.ts';
import { holdPatch, type ReadingWork, readDocuments } from './read-documents.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import type { WorldState } from './world-state.ts';
import { withWorldLocked } from './write-world.ts';

/** The effect of an import. */
export interface ImportResult {
  /** Quads in the documents, including duplicates; for a patch, the number of changes. */
  readonly quads: number;
  /** Quads added to the world. */
  readonly inserted: number;
  /** Quads removed by `mode: 'replace'` (those that the documents do not contain) or by a patch. */
  readonly deleted: number;
  /** Named graphs added to the world. */
  readonly createdGraphs: number;
  /** Revision of the world after the import. */
  readonly revision: number;
  /**
   * Human-readable notes: assumptions, such as the format if none was given, and oddities, such as
   * JSON-LD without triples. Empty if there are none.
   */
  readonly notes: readonly string[];
}

export interface ImportWork extends ReadingWork {
  readonly graph?: GraphName;
  readonly mode?: 'merge' | 'replace';
  readonly ifRevision?: number;
  /** Opens the world again, if other engines have written first. */
  readonly reopen: () => OpenSource | Promise<OpenSource>;
}

/**
 * Imports documents or quads as one commit. They are read into a private overlay and sorted there
 * without a lock; nothing is visible until the commit, and a failure leaves nothing behind.
 */
export function importWorld(
  catalog: Catalog,
  opened: OpenSource,
  work: ImportWork,
  documentLoader: WorldsEngineOptions['documentLoader'],
): Promise<ImportResult> {
  // Holds the namespace, because the import uses the ids of this dictionary.
  const signal = work.signal ? anySignal([work.signal, catalog.closingSignal]) : catalog.closingSignal;
  turns.inherit(signal, work.signal);
  const memory = new ImportMemory(catalog.memoryPool.imports.begin(), opened.home.memory?.reserve(opened.home), signal);
  return opened.home
    .use(() => readAndCommit(catalog, opened, { ...work, signal }, documentLoader, memory))
    .finally(() => memory.release());
}

async function readAndCommit(
  catalog: Catalog,
  opened: OpenSource,
  work: ImportWork,
  documentLoader: WorldsEngineOptions['documentLoader'],
  memory: ImportMemory,
): Promise<ImportResult> {
  const { signal, ifRevision, graph, mode = 'merge' } = work;
  throwIfAborted(signal);
  const { store } = opened.home;
  const { graphs } = opened.state;
  const claims = store.contextClaims;
  // Earlier ones are those of graphs that exist.
  const firstNewContext = store.nextContext;
  const overlay = new Overlay(opened.dictionary, { world: graphs.world, scope: catalog.newScope });
  const contextOf = (id: TermId) => {
    const context = graphs.contextOf(id);
    return context < 0 ? store.allocateContext() : context;
  };
  const target = graph === undefined ? undefined : targetGraph(graph, overlay, opened);
  const into = target === undefined ? undefined : new Map([[target, contextOf(target)]]);
  const contexts = into ? onlyInto(into.get(target!)!) : contextOf;
  const collector = holdPatch(work) ? new PatchCollector(overlay, contexts) : new QuadCollector(overlay, contexts);
  const isPatch = collector instanceof PatchCollector;
  if (isPatch && mode === 'replace') {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${work.operation}: mode: an RDF Patch changes existing data and cannot replace it; use mode "merge".`,
    );
  }
  const slicer = new Slicer(signal);
  // During the commit, the terms exist twice: here and in the dictionary.
  const onGrowth = (readerBytes: number) => memory.resize(2 * overlay.byteLength + collector.byteLength + readerBytes);
  // The size of a patch is known only after it was read, so only the commit checks it.
  const quota = isPatch
    ? undefined
    : ImportQuota.of(opened, { overlay, collector, slicer }, { mode, context: into?.get(target!) });
  const onRows = quota && (() => quota.check());
  const notes = await readDocuments(work, {
    collector,
    overlay,
    slicer,
    documentLoader,
    limits: catalog.limits,
    onGrowth,
    onRows,
  });
  const patch = isPatch ? await slicer.run(collector.finish()) : undefined;
  const run = isPatch ? undefined : await slicer.run(collector.finish());

  // The delta of an attempt overwrites the rows.
  const isRepeatable = catalog.canBeOvertaken;
  const rowsOf = (rows: Run) => (isRepeatable ? copyOfRun(rows) : rows);
  let isFirst = true;
  const attempt = async (): Promise<ImportResult> => {
    const now = isFirst ? opened : await reopened(opened, work);
    isFirst = false;
    return withWorldLocked(now, { ifRevision, signal }, commit);
  };
  const commit = async (state: WorldState, home: Namespace, lockedSlicer: Slicer): Promise<ImportResult> => {
    // From here on, the namespace counts the new rows itself.
    memory.handOver(overlay.byteLength);
    const isOwn = home.store === store && store.contextClaims === claims;
    const basis = {
      newContext: (read: number) => (isOwn && read >= firstNewContext ? read : home.store.allocateContext()),
      current: state.graphs,
      snapshot: home.store.latest,
      dictionary: home.store.dictionary,
      replaced: mode === 'merge' ? ('nothing' as const) : into ? ('graphs' as const) : ('world' as const),
    };
    // A graph requested by name is created even if the documents are empty.
    const graphs = into ?? collector.graphs;
    const change = await lockedSlicer.run(
      run
        ? importDelta(overlay, rowsOf(run), graphs, basis)
        : patchDelta(overlay, { added: rowsOf(patch!.added), removed: rowsOf(patch!.removed) }, graphs, basis),
    );
    if (isWorthMeasuring(home, change.delta)) await lockedSlicer.run(measureDelta(home, change.delta));
    const changed = commitData(home, state, change, catalog.clock());
    const { delta, createdGraphs } = change;
    return {
      quads: collector.length,
      inserted: delta.inserted.length,
      deleted: delta.deleted.length,
      createdGraphs,
      revision: changed.record.revision,
      notes: isPatch && collector.ignoredPrefixes > 0 ? [...notes, IGNORED_PREFIXES] : notes,
    };
  };
  return catalog.repeating(attempt, signal);
}

/**
 * Opens the world of an import again. Throws NOT_FOUND if its name denotes another world now: the
 * blank nodes that were read belong to the one of the beginning.
 */
async function reopened(opened: OpenSource, { reopen }: ImportWork): Promise<OpenSource> {
  const now = await reopen();
  const isSame = now.state.graphs.world === opened.state.graphs.world && incarnationOf(now) === incarnationOf(opened);
  if (!isSame) throw worldNotFound(opened);
  return now;
}

function incarnationOf({ home }: OpenSource): string | undefined {
  return home.durability?.journal.state.head.incarnation;
}

const IGNORED_PREFIXES = 'The rows PA and PD of the patch were ignored: a world has no prefixes.';

/**
 * Returns the id of the target graph. A blank node must be an existing graph of the world, because
 * a label cannot create one.
 */
function targetGraph(name: GraphName, overlay: Overlay, { state, namespace, slug }: OpenSource): TermId {
  const term = graphTerm(name);
  if (term.termType === 'BlankNode') return requireGraph(term, overlay, state.graphs, { namespace, slug });
  return overlay.intern(term);
}

/**
 * Returns the context for the quads of an import into a single graph. Throws INVALID_RDF for
 * documents with named graphs.
 */
function onlyInto(context: number): (graph: TermId) => number {
  return (graph) => {
    if (graph === DEFAULT_GRAPH) return context;
    throw new WorldsError(
      'INVALID_RDF',
      'The document has named graphs and cannot be imported into a single graph; omit graph, or pass a document without named graphs.',
    );
  };
}
