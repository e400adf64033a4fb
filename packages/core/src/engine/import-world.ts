import { anySignal } from '../model/any-realm.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { importDelta } from '../quads/import-delta.ts';
import { Overlay } from '../quads/overlay.ts';
import { PatchCollector } from '../quads/patch-collector.ts';
import { patchDelta } from '../quads/patch-delta.ts';
import { QuadCollector } from '../quads/quad-collector.ts';
import { Slicer } from '../storage/slicer.ts';
import { DEFAULT_GRAPH, type TermId } from '../storage/term-source.ts';
import { turns } from '../storage/turns.ts';
import type { Catalog } from './catalog.ts';
import { commitData } from './commit-changes.ts';
import type { WorldsEngineOptions } from './engine-options.ts';
import { type GraphName, graphTerm, requireGraph } from './graph-name.ts';
import { ImportMemory } from './import-memory.ts';
import { ImportQuota } from './import-quota.ts';
import type { OpenSource } from './open-source.ts';
import { holdPatch, type ReadingWork, readDocuments } from './read-documents.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import { withWorldLocked } from './write-world.ts';

export interface ImportResult {
  /** Quads in the document, duplicates included; of a patch its changes. */
  readonly quads: number;
  /** Quads that the world did not have. */
  readonly inserted: number;
  /**
   * Quads that a replacement took away - those that were there and the document does not have - or
   * a patch.
   */
  readonly deleted: number;
  /** Named graphs that the world did not have. */
  readonly createdGraphs: number;
  /** The world's revision afterwards. */
  readonly revision: number;
  /**
   * For people: what the import took for granted, such as a format that nobody named, and what is
   * odd about a document, such as JSON-LD without a triple. Empty if everything was told.
   */
  readonly notes: readonly string[];
}

export interface ImportWork extends ReadingWork {
  readonly graph?: GraphName;
  readonly mode?: 'merge' | 'replace';
  readonly ifRevision?: number;
}

/**
 * Reads documents or quads into a private overlay without any lock, sorts them there, and commits
 * them as one: until the last step nothing of it is visible, and a failure leaves nothing behind.
 */
export function importWorld(
  catalog: Catalog,
  opened: OpenSource,
  work: ImportWork,
  documentLoader: WorldsEngineOptions['documentLoader'],
): Promise<ImportResult> {
  // What is read now becomes ids of this very dictionary.
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
      `${work.operation}: mode: an RDF Patch changes what is there, and cannot replace it; use mode "merge".`,
    );
  }
  const slicer = new Slicer(signal);
  // The terms are there twice for a moment: here, and in the dictionary.
  const onGrowth = (readerBytes: number) => memory.resize(2 * overlay.byteLength + collector.byteLength + readerBytes);
  // What a patch adds in the end is known when it has been read: the commit counts it.
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

  return withWorldLocked(opened, { ifRevision, signal }, async (state, home, lockedSlicer) => {
    // From here on the namespace itself counts what it gets.
    memory.handOver(overlay.byteLength);
    const basis = {
      current: state.graphs,
      snapshot: home.store.latest,
      dictionary: home.store.dictionary,
      replaced: mode === 'merge' ? ('nothing' as const) : into ? ('graphs' as const) : ('world' as const),
    };
    // A graph that is asked for by name is there afterwards, whether the documents hold anything or
    // not.
    const graphs = into ?? collector.graphs;
    const change = await lockedSlicer.run(
      run ? importDelta(overlay, run, graphs, basis) : patchDelta(overlay, patch!, graphs, basis),
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
  });
}

const IGNORED_PREFIXES = 'The rows PA and PD of the patch were passed over: a world has no prefixes.';

/**
 * The id of the graph that an import is into. A blank node cannot be made by its label: it must
 * name a graph of the world already.
 */
function targetGraph(name: GraphName, overlay: Overlay, { state, namespace, slug }: OpenSource): TermId {
  const term = graphTerm(name);
  if (term.termType === 'BlankNode') return requireGraph(term, overlay, state.graphs, { namespace, slug });
  return overlay.intern(term);
}

/**
 * Where the triples of an import into one graph go: a document with graphs of its own cannot be
 * meant.
 */
function onlyInto(context: number): (graph: TermId) => number {
  return (graph) => {
    if (graph === DEFAULT_GRAPH) return context;
    throw new WorldsError(
      'INVALID_RDF',
      'The document has named graphs, and goes into one graph; import it without graph, or as triples.',
    );
  };
}
