import type * as RDF from '@rdfjs/types';
import type { z } from 'zod';
import { findFormat } from '../formats/rdf-formats.ts';
import type { MemoryPool } from '../model/memory-pool.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { NamespaceSearch } from '../search/namespace-search.ts';
import { nativeEngine } from '../sparql/native-engine.ts';
import type { QueryPlan } from '../storage/query-plan.ts';
import { Slicer } from '../storage/slicer.ts';
import type { SparqlEngine } from '../storage/sparql-engine.ts';
import { NO_TERM } from '../storage/term-source.ts';
import type { EngineHealth } from './background-failures.ts';
import { areIsomorphic, type CanonicalForm, canonicalizeWorld, hashWorld } from './canonicalize-world.ts';
import { Catalog } from './catalog.ts';
import { commitDeletion, commitRecord } from './commit-changes.ts';
import { createWorld } from './create-world.ts';
import { defaultTextIndex } from './default-text-index.ts';
import { type DeleteGraphResult, deleteGraph } from './delete-graph.ts';
import { describedGraphs } from './described-graphs.ts';
import type { BackupInput } from './durable/backup-chain.ts';
import type { WorldChange } from './durable/change-feed.ts';
import type { CommitStatus } from './durable/commit-status.ts';
import { parseCommitToken } from './durable/commit-token.ts';
import { type EngineMetrics, engineMetrics } from './engine-metrics.ts';
import { requireKnownOptions, type WorldsEngineOptions } from './engine-options.ts';
import type {
  BackupOptions,
  BackupResult,
  CanonicalizeRequest,
  ChangesRequest,
  CheckRequest,
  CommitStatusRequest,
  CompactRequest,
  CreateWorldRequest,
  DeleteGraphRequest,
  DeleteWorldRequest,
  EntityRequest,
  ExplainRequest,
  ExportRequest,
  GraphRequest,
  ImportAllRequest,
  ImportRequest,
  IsomorphicRequest,
  ListWorldsRequest,
  NamespaceRequest,
  PrepareRequest,
  QuadsRequest,
  SalvageRequest,
  SearchRequest,
  ServiceDescriptionRequest,
  SourceRequest,
  SparqlRequest,
  UpdateWorldRequest,
  WriteRequest,
} from './engine-requests.ts';
import { type EngineStats, engineStats } from './engine-stats.ts';
import { type Entity, entityOf, entityTerm, shortNames } from './entity.ts';
import { explainText } from './explain-text.ts';
import { exportChunks, exportWriter } from './export-world.ts';
import { givenFields } from './given-fields.ts';
import { findGraph, graphTerm } from './graph-name.ts';
import { heldObject } from './held-stream.ts';
import { type ImportResult, type ImportWork, importWorld } from './import-world.ts';
import {
  type CheckResult,
  type CompactResult,
  checkNamespaces,
  checkpointNamespaces,
  compactNamespaces,
} from './maintenance.ts';
import { findNamespace, type NamespaceRecord } from './namespace-record.ts';
import { namespaceNotFound } from './open-source.ts';
import { openedNow } from './opened-now.ts';
import { PreparedSparql } from './prepared-sparql.ts';
import { QuadsResult, type QueryResult, readOnce, SelectResult, type UpdateResult } from './query-results.ts';
import { queryWorlds } from './query-worlds.ts';
import { type WorldQuotaUse, worldQuotaUse } from './quota-use.ts';
import { unsupportedFormat } from './read-documents.ts';
import { readQuads } from './read-quads.ts';
import type { RequestedWorlds } from './requested-worlds.ts';
import * as requests from './requests.ts';
import type { SalvageReport } from './salvage-namespace.ts';
import { scratchDataset } from './scratch-dataset.ts';
import { readingOverlay } from './search-feed.ts';
import { searchWorlds } from './search-worlds.ts';
import { describeService, SERVICE_DESCRIPTION_PREFIXES } from './service-description.ts';
import type { SparqlAskResults, SparqlQuadsResults, SparqlSelectResults } from './sparql-results.ts';
import { toBindings } from './term-value.ts';
import type { TripleSearchResult } from './triple-search-result.ts';
import { whenReady } from './when-ready.ts';
import { toWireResults } from './wire-results.ts';
import type { World, WorldSource } from './world.ts';
import { type DatasetSnapshot, WorldDataset } from './world-dataset.ts';
import { WorldHandle } from './world-handle.ts';
import { writeChunks } from './write-chunks.ts';
import { type WriteResult, writeQuads } from './write-quads.ts';
import { withWorldLocked } from './write-world.ts';

const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

/**
 * Worlds - RDF datasets with a name - in this process: create them, import and export RDF, query
 * and update with SPARQL 1.1, search.
 *
 * Every method takes one object, checked first: what is wrong is a `WorldsError` INVALID_ARGUMENT
 * that names the field. A source that does not exist is NOT_FOUND. Readers see the state at their
 * call's start; a write is visible to everyone when its promise resolves, whole or not at all.
 */
export class WorldsEngine implements AsyncDisposable {
  private readonly catalog: Catalog;
  private readonly options: WorldsEngineOptions;
  private readonly sparqlEngine: SparqlEngine;

  private constructor(options: WorldsEngineOptions) {
    requireKnownOptions(options);
    this.options = options;
    const {
      sparql = nativeEngine(),
      textIndex = defaultTextIndex,
      vectorIndex,
      embedder = null,
      fusion,
      fields,
      feedback,
    } = options;
    const { onEmbedderFailure, embedderTimeoutMs } = options;
    this.sparqlEngine = sparql;
    const search = {
      textIndex,
      vectorIndex,
      embedder,
      onEmbedderFailure,
      embedderTimeoutMs,
      fusion,
      fields,
      feedback,
    };
    // Options that make no sense are refused here: a namespace makes its search only when somebody
    // first searches.
    new NamespaceSearch(search).close();
    this.catalog = new Catalog(options, search);
  }

  /**
   * Opens an engine; close it when done, or use `await using`. Throws INVALID_ARGUMENT for options
   * of search that make no sense, and what its storage throws when that cannot be opened.
   */
  static async open(options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
    const engine = new WorldsEngine(options);
    await engine.catalog.openStorage(options);
    return engine;
  }

  /**
   * Opens an engine with the data of a backup, or of a full backup and the incremental ones after
   * it, in the order in which they were made. Throws ALREADY_EXISTS if the storage has worlds
   * already, INVALID_ARGUMENT if the backups do not follow each other, CORRUPT if one is damaged:
   * empty the storage before you try again.
   */
  static async restore(
    backup: BackupInput | readonly BackupInput[],
    options: WorldsEngineOptions = {},
  ): Promise<WorldsEngine> {
    const backups: readonly BackupInput[] = Array.isArray(backup) ? backup : [backup];
    if (backups.length === 0) throw new WorldsError('INVALID_ARGUMENT', 'restore: backup: pass at least one backup.');
    const engine = await WorldsEngine.open(options);
    try {
      await engine.catalog.restore(backups);
      return engine;
    } catch (cause) {
      // What failed first is what the caller must know.
      await engine.close().catch((error) => engine.catalog.failures.failed(null, 'storage', error));
      throw cause;
    }
  }

  // --- worlds

  /**
   * Creates a world. Throws ALREADY_EXISTS, unless `ifExists` is 'return': then the existing one
   * comes back unchanged.
   */
  async createWorld(request: CreateWorldRequest): Promise<World> {
    return createWorld(this.catalog, this.checkedChange('createWorld', requests.createWorldRequest, request));
  }

  /** The world of a source, or null. */
  async getWorld(request: SourceRequest): Promise<World | null> {
    const { source } = this.checked('getWorld', requests.sourceRequest, request);
    const { namespace, slug } = this.catalog.resolve(source, undefined, 'getWorld: source');
    return (await this.catalog.find(namespace))?.worlds.get(slug)?.record ?? null;
  }

  /**
   * A page of a namespace's worlds by slug. `page` counts from 1; `pageSize` is 20 unless given;
   * both are clamped into their range.
   */
  async listWorlds(request?: ListWorldsRequest): Promise<World[]> {
    const checked = this.checked('listWorlds', requests.listWorldsRequest, request) ?? {};
    const page = Math.max(1, checked.page ?? 1);
    const pageSize = Math.min(MAX_PAGE_SIZE, Math.max(1, checked.pageSize ?? DEFAULT_PAGE_SIZE));
    const home = await this.catalog.find(this.catalog.namespaceName(checked.namespace));
    if (!home) return [];
    return home.slugs.slice((page - 1) * pageSize, page * pageSize).map((slug) => home.worlds.get(slug)!.record);
  }

  /** All worlds of a namespace by slug, as they are at the call. */
  worlds(request?: { namespace?: string | undefined }): AsyncGenerator<World> {
    return openedNow(() => {
      const { namespace } = this.checked('worlds', requests.optionalNamespaceRequest, request) ?? {};
      return whenReady(this.catalog.find(this.catalog.namespaceName(namespace)), (home) =>
        home ? home.slugs.map((slug) => home.worlds.get(slug)!.record) : [],
      );
    });
  }

  /** Changes the fields that are given; none is fine. `description: null` is a value of its own. */
  async updateWorld(request: UpdateWorldRequest): Promise<World> {
    const { source, ifRevision, ...given } = this.checkedChange('updateWorld', requests.updateWorldRequest, request);
    const fields = givenFields(given);
    return whenReady(this.catalog.open(source, undefined, 'updateWorld: source'), (opened) =>
      withWorldLocked(opened, { ifRevision }, (state, home) => {
        if (Object.keys(fields).length === 0) return state.record;
        return commitRecord(home, state, fields, this.catalog.clock()).record;
      }),
    );
  }

  /** Deletes a world with everything in it; its slug is free again. */
  async deleteWorld(request: DeleteWorldRequest): Promise<void> {
    const { source, ifRevision } = this.checkedChange('deleteWorld', requests.deleteWorldRequest, request);
    await whenReady(this.catalog.open(source, undefined, 'deleteWorld: source'), (opened) =>
      withWorldLocked(opened, { ifRevision }, async (state, home) => {
        // A namespace is there as long as it holds a world; ids begin anew with the next one of
        // that name.
        if (home.latestSize === 1) await this.catalog.deleteNamespace(home);
        else commitDeletion(home, state, this.catalog.clock());
      }),
    );
  }

  /**
   * The namespaces that hold a world, in code-unit order. Throws CORRUPT when a damaged part of the
   * storage may be another one; those that are not damaged go on.
   */
  async listNamespaces(): Promise<string[]> {
    this.catalog.requireOpen();
    return this.catalog.allNames();
  }

  /**
   * The revision of a namespace and how many worlds it has, or null if it has none. Reads no world.
   * The engine's default namespace unless the request names another; unknown fields are
   * INVALID_ARGUMENT.
   */
  async getNamespace(request?: NamespaceRequest): Promise<NamespaceRecord | null> {
    const { namespace } = this.checked('getNamespace', requests.getNamespaceRequest, request) ?? {};
    return findNamespace(this.catalog, this.catalog.namespaceName(namespace));
  }

  /** Deletes a namespace with all its worlds. Throws NOT_FOUND when it holds none. */
  async deleteNamespace(request: { namespace: string }): Promise<void> {
    const { namespace } = this.checkedChange('deleteNamespace', requests.namespaceRequest, request);
    const name = this.catalog.namespaceName(namespace);
    const home = await this.catalog.find(name);
    if (!home) throw namespaceNotFound(name);
    await home.exclusively(async () => {
      if (home.dropped || home.latestSize === 0) throw namespaceNotFound(name);
      await this.catalog.deleteNamespace(home);
    });
  }

  // --- data

  /**
   * Imports a document, or RDF/JS quads, into a world or into one `graph` of it, in one commit.
   * Blank nodes are new nodes in every import. A document that is broken anywhere leaves nothing:
   * INVALID_RDF, with a location where the format has lines. With `mode: 'replace'` what was there
   * goes in the same commit.
   */
  async import(request: ImportRequest): Promise<ImportResult> {
    const { data, contentType, baseIri, context, rdfDirection, decompress, ...options } = this.checkedChange(
      'import',
      requests.importRequest,
      request,
    );
    return this.importDocuments('import', options, [{ data, contentType, baseIri, context, rdfDirection, decompress }]);
  }

  /**
   * As {@link import}, of several documents - none is fine - in one commit. Blank nodes of
   * different documents are different nodes.
   */
  async importAll(request: ImportAllRequest): Promise<ImportResult> {
    const { documents, ...options } = this.checkedChange('importAll', requests.importAllRequest, request);
    return this.importDocuments('importAll', options, documents);
  }

  /**
   * Deletes, then inserts quads, in one commit. Blank nodes are known by the labels that this
   * library gave out; any other label in `insert` is a new node, the same throughout the call.
   */
  async write(request: WriteRequest): Promise<WriteResult> {
    const { source, ...change } = this.checkedChange('write', requests.writeRequest, request);
    return whenReady(this.catalog.open(source, undefined, 'write: source'), (opened) =>
      writeQuads(this.catalog, opened, change),
    );
  }

  /**
   * A world as one document, or one `graph` of it; application/n-quads unless `contentType` says
   * otherwise. Formats without named graphs hold the default graph. A graph that does not exist is
   * NOT_FOUND.
   */
  async export(request: ExportRequest): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.exportStream(request)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** As {@link export}, in chunks as they are made: the memory does not grow with the world. */
  exportStream(request: ExportRequest): AsyncIterable<Uint8Array> {
    const checked = this.checked('export', requests.exportRequest, request);
    const write = exportWriter(checked);
    const chunks = whenReady(this.catalog.open(checked.source, undefined, 'export: source'), (opened) =>
      exportChunks(this.catalog, opened, write, checked, this.options.documentLoader),
    );
    if (chunks instanceof Promise) chunks.catch(() => undefined);
    return abortable(chunks, checked.signal);
  }

  /**
   * The canonical form of a world, or of one `graph` of it, by RDF Dataset Canonicalization
   * (RDFC-1.0): canonical N-Quads that are the same for all datasets that differ only in the labels
   * of blank nodes, and their hash. Empty graphs do not show.
   *
   * Throws LIMIT_EXCEEDED above `maxCanonicalSteps` of the engine's limits, for graphs whose blank
   * nodes are too much alike, or above `maxMemoryBytes`; UNSUPPORTED for triple terms that mention
   * blank nodes, for which RDFC-1.0 defines no labels; NOT_FOUND, OVERLOADED, TIMEOUT, ABORTED.
   */
  async canonicalize(request: CanonicalizeRequest): Promise<CanonicalForm> {
    const { source, graph, ...work } = this.checked('canonicalize', requests.canonicalizeRequest, request);
    const opened = await this.catalog.open(source, undefined, 'canonicalize: source');
    return this.catalog.untilClosed(canonicalizeWorld(this.catalog, { opened, graph }, work), work.signal);
  }

  /**
   * The `hash` of {@link canonicalize} without the document: equal for worlds or graphs that are
   * isomorphic, and different for all others. Throws the same.
   */
  async hash(request: CanonicalizeRequest): Promise<string> {
    const { source, graph, ...work } = this.checked('hash', requests.canonicalizeRequest, request);
    const opened = await this.catalog.open(source, undefined, 'hash: source');
    return this.catalog.untilClosed(hashWorld(this.catalog, { opened, graph }, work), work.signal);
  }

  /**
   * Whether two worlds, or graphs of worlds, hold the same quads but for the labels of blank nodes,
   * each as it is at the call. Empty graphs make no difference. Triple terms may mention blank
   * nodes. Throws LIMIT_EXCEEDED as {@link canonicalize}; NOT_FOUND, OVERLOADED, TIMEOUT, ABORTED.
   */
  async isIsomorphic(request: IsomorphicRequest): Promise<boolean> {
    const { source, graph, to, ...bounds } = this.checked('isIsomorphic', requests.isomorphicRequest, request);
    const [opened, other] = await Promise.all([
      this.catalog.open(source, undefined, 'isIsomorphic: source'),
      this.catalog.open(to.source, undefined, 'isIsomorphic: to.source'),
    ]);
    const comparing = areIsomorphic(this.catalog, { opened, graph }, { opened: other, graph: to.graph }, bounds);
    return this.catalog.untilClosed(comparing, bounds.signal);
  }

  /**
   * The memory that requests of this engine draw on: `memoryPool` of its options, or the pool of
   * the process.
   */
  get memoryPool(): MemoryPool {
    return this.catalog.memoryPool;
  }

  /** Whether a world has a graph, be it empty. The default graph is always there. */
  async hasGraph(request: GraphRequest): Promise<boolean> {
    const { source, graph } = this.checked('hasGraph', requests.graphRequest, request);
    const { state, dictionary } = await this.catalog.open(source, undefined, 'hasGraph: source');
    return findGraph(graph, readingOverlay(dictionary), state.graphs) !== NO_TERM;
  }

  /**
   * Deletes a graph with its quads, in one commit; of the default graph, which always exists, the
   * quads alone. Throws NOT_FOUND when there is no such graph.
   */
  async deleteGraph(request: DeleteGraphRequest): Promise<DeleteGraphResult> {
    const { source, ...work } = this.checkedChange('deleteGraph', requests.deleteGraphRequest, request);
    return whenReady(this.catalog.open(source, undefined, 'deleteGraph: source'), (opened) =>
      deleteGraph(this.catalog, opened, work),
    );
  }

  /**
   * A world as it is now as an RDF/JS DatasetCore, for libraries that read synchronously; see
   * {@link WorldDataset}. Throws NOT_FOUND.
   */
  async dataset(request: SourceRequest): Promise<WorldDataset> {
    const { source } = this.checked('dataset', requests.sourceRequest, request);
    const opened = await this.catalog.open(source, undefined, 'dataset: source');
    const { home, state, snapshot, dictionary, namespace, slug } = opened;
    const terms = readingOverlay(dictionary);
    const view = home.store.view(terms, [state.graphs], snapshot);
    const { revision } = state.record;
    const write: DatasetSnapshot['write'] = (insert, remove) =>
      this.write({ source: { namespace, slug }, insert, delete: remove, ifRevision: revision });
    return heldObject([home], (release) => new WorldDataset({ view, terms, revision, write }, release));
  }

  /**
   * The quads of a world that match a pattern, as RDF/JS quads; null and undefined match anything.
   */
  quads(request: QuadsRequest): AsyncGenerator<RDF.Quad> {
    return openedNow(() => {
      const { source, signal, ...pattern } = this.checked('quads', requests.quadsRequest, request);
      return whenReady(this.catalog.open(source, undefined, 'quads: source'), (opened) =>
        readQuads(opened, pattern, signal),
      );
    });
  }

  /**
   * What a world says of an entity, as an object: the values of each property, always as an array,
   * as JavaScript values (see `ResultRow.toObject`). Properties go by their IRIs, or by the short
   * names that `prefixes` and `context` give them. Undefined when the world says nothing of it.
   */
  async getEntity(request: EntityRequest): Promise<Entity | undefined> {
    const checked = this.checked('getEntity', requests.entityRequest, request);
    const { source, entity, prefixes, context, graph, signal } = checked;
    const nameOf = shortNames(prefixes, context);
    const opened = await this.catalog.open(source, undefined, 'getEntity: source');
    const pattern = { subject: entityTerm(entity), graph: graph === undefined ? undefined : graphTerm(graph) };
    return entityOf(readQuads(opened, pattern, signal), nameOf);
  }

  // --- SPARQL

  /**
   * Runs a query or an update and gives the answer in the shape of the wire; null for an update
   * that succeeded.
   *
   * The dataset is the merge of `sources`, or of all worlds of `namespace`. An update writes the
   * one source that is not `schema` and does not say `write: false`; among several, the one that
   * says `write: true`.
   */
  async sparql(request: SparqlRequest): Promise<SparqlSelectResults | SparqlAskResults | SparqlQuadsResults | null> {
    return toWireResults(await this.run('sparql', request), request.signal);
  }

  /** Runs a query or an update; solutions and quads come in batches with terms made on demand. */
  async query(request: SparqlRequest): Promise<QueryResult> {
    const result = this.run('query', request);
    return readOnce(result instanceof Promise ? await result : result);
  }

  /** Runs a SELECT. */
  async select(request: SparqlRequest): Promise<SelectResult> {
    const result = await this.run('select', request, 'bindings');
    return new SelectResult(result.variables, result.batches);
  }

  /** Runs an ASK. */
  async ask(request: SparqlRequest): Promise<boolean> {
    return (await this.run('ask', request, 'boolean')).value;
  }

  /** Runs a CONSTRUCT or DESCRIBE. */
  async construct(request: SparqlRequest): Promise<QuadsResult> {
    const { batches, prefixes } = await this.run('construct', request, 'quads');
    return new QuadsResult(batches, prefixes);
  }

  /** Runs an update request: all its operations, or none. */
  async update(request: SparqlRequest): Promise<UpdateResult> {
    const { inserted, deleted, revision } = await this.run('update', request, 'update');
    return { inserted, deleted, revision };
  }

  /**
   * Parses and checks a query or an update, and runs nothing. The result tells the form, and runs as
   * often as needed. Throws INVALID_SPARQL with a location, and UNSUPPORTED for what the SPARQL
   * engine refuses.
   */
  async prepare(request: PrepareRequest): Promise<PreparedSparql> {
    this.catalog.requireOpen();
    const { query, baseIri, signal } = this.checked('prepare', requests.prepareRequest, request);
    const text = textOf(query);
    const prepared = await this.sparqlEngine.prepare(text, { baseIri, limits: this.catalog.limits, signal });
    const [form, prefixes = {}] =
      prepared.type === 'update' ? (['update'] as const) : ([prepared.form, prepared.prefixes] as const);
    return new PreparedSparql(this, { text, baseIri, form, prefixes });
  }

  /**
   * How a query or an update would be evaluated: the plan with its estimates, and with `analyze`
   * what each operator did. Nothing is changed; an update with `analyze` is INVALID_ARGUMENT.
   * Throws UNSUPPORTED when the SPARQL engine cannot tell.
   */
  async explain(request: ExplainRequest): Promise<QueryPlan> {
    const { query, sources, namespace, bindings, ...rest } = this.checked('explain', requests.explainRequest, request);
    return explainText(this.catalog, this.sparqlEngine, {
      ...rest,
      operation: 'explain',
      text: textOf(query),
      worlds: await this.catalog.requested(sources, namespace),
      bindings: toBindings(bindings),
    });
  }

  /**
   * The SPARQL 1.1 service description of an endpoint over some worlds, text/turtle unless
   * `contentType` says otherwise.
   */
  async serviceDescription(request: ServiceDescriptionRequest): Promise<Uint8Array> {
    const checked = this.checked('serviceDescription', requests.serviceDescriptionRequest, request);
    const { sources, namespace, endpointUrl, contentType = 'text/turtle' } = checked;
    const format = findFormat(contentType);
    if (!format?.write) throw unsupportedFormat(contentType);
    const graphs = describedGraphs(await this.catalog.openAll(sources, namespace));
    const slicer = new Slicer();
    const description = await scratchDataset([describeService(endpointUrl, graphs)], slicer);
    const options = { prefixes: SERVICE_DESCRIPTION_PREFIXES, slicer };
    const chunks: Uint8Array[] = [];
    for await (const chunk of format.write(description, description.terms, options)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  // --- search

  /**
   * The best triples for a text: literals by full text and, with an embedder, by meaning. `limit`
   * is 20 unless given, at most 1000.
   */
  async search(request: SearchRequest): Promise<TripleSearchResult[]> {
    const checked = this.checked('search', requests.searchRequest, request);
    throwIfAborted(checked.signal);
    const worlds = await this.catalog.requested(checked.sources, checked.namespace);
    return this.catalog.untilClosed(searchWorlds(checked, worlds, new RequestBudget(this.memoryPool)), checked.signal);
  }

  /**
   * Waits until a search finds by its vector, too, everything that is stored in one namespace, or
   * in all. Searches do not wait for that: texts are found by their words at once. Throws
   * UNSUPPORTED or TIMEOUT when the embedder fails, ABORTED by the signal.
   */
  async flush(request?: { namespace?: string | undefined; signal?: AbortSignal | undefined }): Promise<void> {
    const { namespace, signal } = this.checked('flush', requests.flushRequest, request) ?? {};
    for (const name of this.namesOf(namespace)) {
      const home = await this.catalog.find(name);
      await home
        ?.use(() => home.search.flush(signal))
        .catch((error) => {
          // Of a namespace that went meanwhile nothing is left to wait for.
          if (!home.dropped || this.catalog.isClosed || signal?.aborted) throw error;
        });
    }
  }

  // --- changes

  /**
   * The commits of a namespace after a revision - without `after`: after the present one - oldest
   * first, and then each as it becomes durable, until the engine is closed or the caller leaves the
   * loop. Throws TRUNCATED when the log does not have that revision - it does not reach back so far
   * (see `retainChangesMs`), or the namespace was deleted or restored meanwhile: read its worlds,
   * then continue after `error.revision`. On a read-only storage it ends with the last commit.
   * Throws UNSUPPORTED without storage, NOT_FOUND for a namespace without worlds, ABORTED by the
   * signal.
   */
  changes(request?: ChangesRequest): AsyncGenerator<WorldChange> {
    return openedNow(() => {
      const { namespace, ...options } = this.checked('changes', requests.changesRequest, request) ?? {};
      return this.catalog.changes(this.catalog.namespaceName(namespace), options);
    });
  }

  /**
   * What became of a commit whose call threw IN_DOUBT: `commit` is the `commit` of that error. Ask
   * before you repeat the call. Throws IN_DOUBT while the storage still cannot tell, TRUNCATED if
   * the log no longer reaches back so far or the namespace was deleted since, UNSUPPORTED without
   * storage.
   */
  async commitStatus(request: CommitStatusRequest): Promise<CommitStatus> {
    const { namespace, commit } = this.checked('commitStatus', requests.commitStatusRequest, request);
    return this.catalog.commitStatus(this.catalog.namespaceName(namespace), parseCommitToken(commit));
  }

  // --- keeping it safe

  /**
   * Writes everything, or with `since` what changed since an earlier backup, into a stream, and
   * ends it. `restore` reads it. Each namespace is a snapshot of one moment; no reader or writer
   * waits. Throws INVALID_ARGUMENT for a malformed `since`, ABORTED by the signal.
   */
  async backup(
    stream: NodeJS.WritableStream | WritableStream<Uint8Array>,
    options?: BackupOptions,
  ): Promise<BackupResult> {
    let result: BackupResult | undefined;
    const chunks = this.backupStream(options);
    const all = async function* () {
      result = yield* chunks;
    };
    await writeChunks(all(), stream);
    return result!;
  }

  /** As {@link backup}, in chunks as they are read; the generator returns the result. */
  async *backupStream(options?: BackupOptions): AsyncGenerator<Uint8Array, BackupResult, void> {
    const checked = this.checked('backup', requests.backupOptions, options) ?? {};
    return { token: yield* this.catalog.backup(checked) };
  }

  /**
   * Verifies one namespace, or all: that what the storage has is what was written and the same as
   * what is in memory, and that all indexes have the same quads. Gives what is wrong; nothing is
   * repaired. Writers of a namespace wait while it is looked at.
   */
  async check(request?: CheckRequest): Promise<CheckResult> {
    const { namespace, ...options } = this.checked('check', requests.checkRequest, request) ?? {};
    // What is wrong with the storage itself is of no one namespace.
    const problems = namespace === undefined ? await this.catalog.storageProblems() : [];
    const names = this.namesOf(namespace);
    return this.catalog.untilClosed(checkNamespaces(this.catalog, names, problems, options), options.signal);
  }

  /**
   * Finds the newest state of a namespace that its files prove, damaged as they are, and reports
   * what is damaged and what is missing. Nothing is guessed: every quad of the state was there at
   * the report's revision.
   *
   * With `repair`, a namespace whose acknowledged state is proven is made of a new checkpoint; the
   * storage first copies what was there. With `output`, the state is written as N-Quads, whatever
   * it proves. Otherwise nothing changes. Writers of the namespace wait meanwhile.
   *
   * Throws NOT_FOUND if there is no such namespace, UNSUPPORTED without storage or if it cannot do
   * this, CONFLICT for a repair while another engine of the process has the storage open, ABORTED
   * by the signal.
   */
  async salvage(request?: SalvageRequest): Promise<SalvageReport> {
    const { namespace, ...work } = this.checked('salvage', requests.salvageRequest, request) ?? {};
    return this.catalog.salvage(this.catalog.namespaceName(namespace), work);
  }

  // --- the engine itself

  /** The verbs of one world without repeating its source; also an RDF/JS Source. */
  world(source: WorldSource): WorldHandle {
    this.catalog.resolve(source, undefined, 'world: source');
    return new WorldHandle(this, source);
  }

  /**
   * Which background work fails - checkpoints, compactions, merges, indexing, embedding, work of
   * the storage - with the most recent error of each. A row goes when the work succeeds again. Also
   * answers after `close`: with what failed until then.
   */
  health(): EngineHealth {
    return this.catalog.failures.health;
  }

  /** Counters and gauges for monitoring. Cheap: reads nothing from the storage. */
  metrics(): EngineMetrics {
    this.catalog.requireOpen();
    return engineMetrics(this.catalog);
  }

  /** How much is in the engine, or in one namespace of it. */
  async stats(request?: { namespace?: string | undefined }): Promise<EngineStats> {
    const { namespace } = this.checked('stats', requests.optionalNamespaceRequest, request) ?? {};
    const isOne = namespace !== undefined;
    return this.catalog.untilClosed(engineStats(this.catalog, this.namesOf(namespace), { isOne }));
  }

  /**
   * What a world uses of its quotas; null for one that does not exist, and if the engine has no
   * quotas.
   */
  async worldQuotas(request: SourceRequest): Promise<WorldQuotaUse | null> {
    const { source } = this.checked('worldQuotas', requests.sourceRequest, request);
    const { namespace, slug } = this.catalog.resolve(source, undefined, 'worldQuotas: source');
    const state = (await this.catalog.find(namespace))?.worlds.get(slug);
    const { quotas } = this.catalog;
    return state && quotas ? worldQuotaUse(slug, state.size, quotas(namespace)) : null;
  }

  /**
   * Makes checkpoints of one namespace, or of all, that have everything that is stored now: opening
   * them again is then as fast as it can be. The engine does this on its own when a log grows long.
   * Without storage it does nothing.
   */
  async checkpoint(request?: { namespace?: string | undefined }): Promise<void> {
    const { namespace } = this.checkedChange('checkpoint', requests.optionalNamespaceRequest, request) ?? {};
    await this.catalog.untilClosed(checkpointNamespaces(this.catalog, this.namesOf(namespace)));
  }

  /**
   * Gives back, in memory and in the storage, what is gone from one namespace, or from all: terms
   * that nothing mentions any more, deletions, vectors of texts that are not there. Ids stay, so
   * that readers and followers of changes go on; what `changes` can still be asked for is kept,
   * unless the caller says `forgetChanges`. The engine does this on its own when much is dead (see
   * `compaction`). Nobody waits for it but writers, for a moment. Throws what the storage throws,
   * ABORTED by the signal; the data is unharmed then.
   */
  async compact(request?: CompactRequest): Promise<CompactResult> {
    const { namespace, ...options } = this.checkedChange('compact', requests.compactRequest, request) ?? {};
    return this.catalog.untilClosed(compactNamespaces(this.catalog, this.namesOf(namespace), options), options.signal);
  }

  /**
   * Waits until the background has nothing left to do. Nothing needs it but measurements and tests.
   */
  async settle(): Promise<void> {
    this.catalog.requireOpen();
    await this.catalog.settle();
  }

  /**
   * Stops all background work, makes checkpoints where they pay, closes the storage and releases
   * the data. Change feeds end; writes that wait for nothing but their turn finish; imports that
   * are still reading, and calls after it, are INVALID_ARGUMENT.
   */
  async close(): Promise<void> {
    await this.catalog.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * `expected` is the type of result that the operation is for; another kind of text is refused
   * before it does anything. Gives at once what need not be waited for - short queries notice each
   * promise - and throws: whoever calls it is `async`.
   */
  private run<Type extends QueryResult['type'] = QueryResult['type']>(
    operation: string,
    request: SparqlRequest,
    expected?: Type,
  ): Extract<QueryResult, { type: Type }> | Promise<Extract<QueryResult, { type: Type }>> {
    const checked = this.checkedSparql(operation, request);
    const requested = this.catalog.requested(checked.sources, checked.namespace);
    const result =
      requested instanceof Promise
        ? requested.then((worlds) => this.runOver(worlds, operation, checked, expected))
        : this.runOver(requested, operation, checked, expected);
    return result as Extract<QueryResult, { type: Type }> | Promise<Extract<QueryResult, { type: Type }>>;
  }

  private runOver(
    worlds: RequestedWorlds,
    operation: string,
    checked: z.output<typeof requests.sparqlRequest>,
    expected: QueryResult['type'] | undefined,
  ): QueryResult | Promise<QueryResult> {
    // Field by field: this is done for every query, and taking the rest of an object is slow.
    return queryWorlds(this.catalog, this.sparqlEngine, {
      operation,
      expected,
      text: textOf(checked.query),
      worlds,
      bindings: toBindings(checked.bindings),
      defaultGraphUris: checked.defaultGraphUris,
      namedGraphUris: checked.namedGraphUris,
      baseIri: checked.baseIri,
      signal: checked.signal,
      timeoutMs: checked.timeoutMs,
      maxRows: checked.maxRows,
      maxMemoryBytes: checked.maxMemoryBytes,
      ifRevision: checked.ifRevision,
      canonicalOrder: checked.canonicalOrder,
      blind: checked.blind,
    });
  }

  private async importDocuments(
    operation: string,
    { source, ...options }: z.output<typeof requests.importOptions>,
    documents: ImportWork['documents'],
  ): Promise<ImportResult> {
    const opened = await this.catalog.open(source, undefined, `${operation}: source`);
    return importWorld(this.catalog, opened, { ...options, operation, documents }, this.options.documentLoader);
  }

  /** One namespace, or all. */
  private namesOf(namespace: string | undefined): string[] {
    return namespace === undefined ? this.catalog.names() : [this.catalog.namespaceName(namespace)];
  }

  private checkedSparql(operation: string, request: unknown): z.output<typeof requests.sparqlRequest> {
    if (!requests.isSimpleSparqlRequest(request)) return this.checked(operation, requests.sparqlRequest, request);
    this.catalog.requireOpen();
    return request;
  }

  /** {@link checked}, of an operation that writes. */
  private checkedChange<Schema extends z.ZodType>(
    operation: string,
    schema: Schema,
    request: unknown,
  ): z.output<Schema> {
    const checked = this.checked(operation, schema, request);
    this.catalog.requireWritable(operation);
    return checked;
  }

  private checked<Schema extends z.ZodType>(operation: string, schema: Schema, request: unknown): z.output<Schema> {
    this.catalog.requireOpen();
    return requests.validate(operation, schema, request);
  }
}

/** The text of a query. Editors of some systems put a byte order mark before what they save. */
function textOf(query: { toString(): string }): string {
  const text = String(query);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

async function* abortable(
  chunks: AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  throwIfAborted(signal);
  for await (const chunk of await chunks) {
    yield chunk;
    throwIfAborted(signal);
  }
}
