import type * as RDF from '@rdfjs/types';
import { Buffer } from '#platform';
import { raceAbort } from '../contracts/abort-race.ts';
import type { QueryPlan } from '../contracts/query-plan.ts';
import type { SparqlEngine } from '../contracts/sparql-engine.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import { turns } from '../contracts/turns.ts';
import type { MemoryPool } from '../model/memory-pool.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { NamespaceSearch } from '../search/namespace-search.ts';
import { nativeEngine } from '../sparql/native-engine.ts';
import type { EngineHealth } from './background-failures.ts';
import { variablesIn } from './bound-variables.ts';
import { areIsomorphic, type CanonicalForm, canonicalizeWorld, hashWorld } from './canonicalize-world.ts';
import { Catalog } from './catalog.ts';
import { commitDeletion, commitRecord } from './commit-changes.ts';
import { createWorld } from './create-world.ts';
import { defaultTextIndex } from './default-text-index.ts';
import { type DeleteGraphResult, deleteGraph } from './delete-graph.ts';
import { deleteNamespace } from './delete-namespace.ts';
import { type DiffRow, diffRows, diffWorlds, type WorldDiff } from './diff-worlds.ts';
import { type BackupInput, requireBackups } from './durable/backup-chain.ts';
import type { WorldChange } from './durable/change-feed.ts';
import type { CommitStatus } from './durable/commit-status.ts';
import { parseCommitToken } from './durable/commit-token.ts';
import { type EngineMetrics, engineMetrics, type NamespaceInMemory, namespacesInMemory } from './engine-metrics.ts';
import { requireKnownOptions, type WorldsEngineOptions } from './engine-options.ts';
import { requireReceiver } from './engine-receiver.ts';
import type {
  BackupOptions,
  BackupResult,
  CanonicalizeRequest,
  CatchUpRequest,
  ChangesRequest,
  CheckRequest,
  CommitStatusRequest,
  CompactRequest,
  CreateWorldRequest,
  DeleteGraphRequest,
  DeleteWorldRequest,
  DiffRequest,
  EntityRequest,
  ExplainRequest,
  ExportRequest,
  ForkRequest,
  GetWorldRequest,
  GraphRequest,
  ImportAllRequest,
  ImportRequest,
  IsomorphicRequest,
  ListWorldsRequest,
  NamespaceRequest,
  PrepareRequest,
  QuadsRequest,
  ReadRequest,
  SalvageRequest,
  SchemaRequest,
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
import { forkWorld } from './fork-world.ts';
import { givenFields } from './given-fields.ts';
import { findGraph, graphTerm } from './graph-name.ts';
import { heldObject } from './held-stream.ts';
import type { Moment } from './history/moment.ts';
import { type ImportResult, type ImportWork, importWorld } from './import-world.ts';
import {
  type CheckResult,
  type CompactResult,
  checkNamespaces,
  checkpointNamespaces,
  compactNamespaces,
  flushNamespaces,
} from './maintenance.ts';
import { findNamespace, type NamespaceRecord } from './namespace-record.ts';
import type { OpenSource } from './open-source.ts';
import { openedNow } from './opened-now.ts';
import { requireOptionValues } from './option-values.ts';
import { recordsAt } from './past-source.ts';
import { requirePlugins } from './plugin-options.ts';
import { PreparedSparql } from './prepared-sparql.ts';
import type { QuadsResult, QueryResult, SelectResult, UpdateResult } from './query-results.ts';
import { queryText } from './query-text.ts';
import { prepareText } from './query-work.ts';
import { type WorldQuotaUse, worldQuotaUse } from './quota-use.ts';
import { readQuads } from './read-quads.ts';
import { readingOverlay } from './reading-overlay.ts';
import type * as z from './request-schema.ts';
import * as requests from './requests.ts';
import type { SalvageReport } from './salvage-namespace.ts';
import { SchemaCache } from './schema-cache.ts';
import type { SearchFacets } from './search-facets.ts';
import { searchesThePresent } from './search-source.ts';
import { searchFacets, searchWorlds } from './search-worlds.ts';
import { SIMPLE_GET_WORLD, SIMPLE_PREPARE, SIMPLE_SEARCH, type SimpleRequests } from './simple-requests.ts';
import { SparqlMethods } from './sparql-methods.ts';
import { SparqlRequests } from './sparql-requests.ts';
import type { SparqlAskResults, SparqlQuadsResults, SparqlSelectResults } from './sparql-results.ts';
import { toBindings } from './term-value.ts';
import type { TripleSearchResult } from './triple-search-result.ts';
import { upToDate } from './up-to-date.ts';
import { type SparqlValidation, validateText } from './validate-text.ts';
import { whenReady } from './when-ready.ts';
import type { World, WorldSource } from './world.ts';
import { type DatasetSnapshot, WorldDataset } from './world-dataset.ts';
import { WorldHandle } from './world-handle.ts';
import { cutSchema, type WorldSchema } from './world-schema.ts';
import type { Worlds } from './worlds.ts';
import { requireWritableStream, writeChunks } from './write-chunks.ts';
import { repeatableQuads, type WriteResult, writeQuads } from './write-quads.ts';
import { writeServiceDescription } from './write-service-description.ts';
import { withWorldLocked } from './write-world.ts';

const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

/**
 * An embedded store of worlds (named RDF datasets): create worlds, import and export RDF, query and
 * update with SPARQL 1.1, search.
 *
 * Every method takes a single request object and validates it first; errors are `WorldsError`s with
 * code INVALID_ARGUMENT that name the field. A source that does not exist throws NOT_FOUND. A
 * `signal` that fires ends its call with ABORTED, or with TIMEOUT if it is `AbortSignal.timeout`.
 * Readers see the state at the start of the call. A write is atomic and is visible to all readers
 * when its promise resolves.
 */
export class WorldsEngine implements Worlds {
  private readonly catalog: Catalog;
  private readonly schemas = new SchemaCache();
  private readonly options: WorldsEngineOptions;
  private readonly sparqlEngine: SparqlEngine;
  private readonly requests: SparqlRequests;
  private readonly methods = new SparqlMethods<SparqlRequest>((operation, request, expected) =>
    this.requests.run(operation, request, expected),
  );

  private constructor(options: WorldsEngineOptions) {
    requireKnownOptions(options);
    requirePlugins(options);
    requireOptionValues(options);
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
    // Validates the options now: a namespace creates its search only on the first search.
    new NamespaceSearch(search).close();
    this.catalog = new Catalog(options, search);
    this.requests = new SparqlRequests(this.catalog, sparql);
  }

  /** For logs: neither data nor options, which may hold secrets. */
  toJSON(): { readonly defaultNamespace: string } {
    return { defaultNamespace: this.catalog.defaultNamespace };
  }

  /**
   * Opens an engine. Call `close` when done, or use `await using`. Throws INVALID_ARGUMENT for
   * invalid options, or the storage's error if the storage cannot be opened.
   */
  static async open(options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
    const engine = new WorldsEngine(options);
    await engine.catalog.openStorage(options);
    return engine;
  }

  /**
   * Opens an engine with the data of a full backup, optionally followed by incremental backups in
   * the order in which they were made. Throws ALREADY_EXISTS if the storage contains worlds,
   * INVALID_ARGUMENT if the backups are not consecutive, CORRUPT if one is damaged. After a
   * failure, empty the storage before the next attempt.
   */
  static async restore(
    backup: BackupInput | readonly BackupInput[],
    options: WorldsEngineOptions = {},
  ): Promise<WorldsEngine> {
    const backups: readonly BackupInput[] = Array.isArray(backup) ? backup : [backup];
    if (backups.length === 0) throw new WorldsError('INVALID_ARGUMENT', 'restore: backup: pass at least one backup.');
    requireBackups(backups);
    const engine = await WorldsEngine.open(options);
    try {
      await engine.catalog.upkeep.restore(backups);
      return engine;
    } catch (cause) {
      // The caller must receive the first error.
      await engine.close().catch((error) => engine.catalog.failures.failed(null, 'storage', error));
      throw cause;
    }
  }

  // --- worlds

  /**
   * Creates a world. Throws ALREADY_EXISTS if it exists, unless `ifExists` is 'return': then the
   * existing world is returned unchanged.
   */
  async createWorld(request: CreateWorldRequest): Promise<World> {
    const checked = this.checkedChange('createWorld', requests.createWorldRequest, request);
    return this.catalog.repeating(() => createWorld(this.catalog, checked));
  }

  /** Returns the world of a source, or null. With `at`, its record as of then. */
  async getWorld(request: GetWorldRequest): Promise<World | null> {
    const { source, at, consistency } = this.checked('getWorld', requests.getWorldRequest, request, SIMPLE_GET_WORLD);
    // Before anything is awaited, in which the caller may change its object.
    const { namespace, slug } = this.catalog.sources.resolve(source, undefined, 'getWorld: source');
    await upToDate(this.catalog, { consistency }, [source]);
    if (at !== undefined) return (await this.catalog.sources.recordAt(source, at, 'getWorld: source')) ?? null;
    const find = async () => (await this.catalog.find(namespace))?.worlds.get(slug)?.record ?? null;
    const found = await find();
    if (found || !this.catalog.isShared) return found;
    // Another process may have created it.
    await this.catalog.catchUp([namespace]);
    return find();
  }

  /**
   * Returns one page of a namespace's worlds, ordered by slug. `page` starts at 1; `pageSize`
   * defaults to 20. Values out of range are clamped.
   */
  async listWorlds(request?: ListWorldsRequest): Promise<World[]> {
    const checked = this.checked('listWorlds', requests.listWorldsRequest, request) ?? {};
    const page = Math.max(1, checked.page ?? 1);
    const pageSize = Math.min(MAX_PAGE_SIZE, Math.max(1, checked.pageSize ?? DEFAULT_PAGE_SIZE));
    await upToDate(this.catalog, checked, undefined, checked.namespace);
    const home = await this.catalog.find(this.catalog.namespaceName(checked.namespace));
    if (!home) return [];
    const start = (page - 1) * pageSize;
    const { at } = checked;
    if (at !== undefined) {
      return (await recordsAt(home, at)).slice(start, start + pageSize);
    }
    return home.slugs.slice(start, start + pageSize).map((slug) => home.worlds.get(slug)!.record);
  }

  /** Iterates over all worlds of a namespace, ordered by slug, as of the call or of `at`. */
  worlds(request?: { namespace?: string | undefined; at?: Moment | undefined }): AsyncGenerator<World> {
    return openedNow(() => {
      const { namespace, at } = this.checked('worlds', requests.worldsRequest, request) ?? {};
      return whenReady(this.catalog.find(this.catalog.namespaceName(namespace)), (home) => {
        if (!home) return [];
        return at === undefined ? home.slugs.map((slug) => home.worlds.get(slug)!.record) : recordsAt(home, at);
      });
    });
  }

  /**
   * Changes the given fields; the others keep their values. `description: null` is stored as null.
   */
  async updateWorld(request: UpdateWorldRequest): Promise<World> {
    const { source, ifRevision, ...given } = this.checkedChange('updateWorld', requests.updateWorldRequest, request);
    const fields = givenFields(given);
    return this.changing(source, 'updateWorld', undefined, (opened) =>
      withWorldLocked(opened, { ifRevision }, (state, home) => {
        if (Object.keys(fields).length === 0) return state.record;
        return commitRecord(home, state, fields, this.catalog.clock()).record;
      }),
    );
  }

  /** Deletes a world with all its data. The slug can be used again. */
  async deleteWorld(request: DeleteWorldRequest): Promise<void> {
    const { source, ifRevision } = this.checkedChange('deleteWorld', requests.deleteWorldRequest, request);
    await this.changing(source, 'deleteWorld', undefined, (opened) =>
      withWorldLocked(opened, { ifRevision }, async (state, home) => {
        // A namespace is deleted together with its last world. A new namespace of the same name
        // starts with new ids.
        if (home.latestSize === 1) await this.catalog.deleteNamespace(home);
        else commitDeletion(home, state, this.catalog.clock());
      }),
    );
  }

  /**
   * Lists the namespaces with at least one world, in code-unit order. Throws CORRUPT if a damaged
   * part of the storage may be another namespace; undamaged namespaces remain usable.
   */
  async listNamespaces(): Promise<string[]> {
    this.catalog.requireOpen();
    return this.catalog.allNames();
  }

  /**
   * Returns the revision and the number of worlds of a namespace, or null if it has no worlds. Does
   * not read the worlds. Default: the engine's default namespace. Unknown fields throw
   * INVALID_ARGUMENT.
   */
  async getNamespace(request?: NamespaceRequest): Promise<NamespaceRecord | null> {
    const { namespace } = this.checked('getNamespace', requests.getNamespaceRequest, request) ?? {};
    return findNamespace(this.catalog, this.catalog.namespaceName(namespace));
  }

  /** Deletes a namespace with all its worlds. Throws NOT_FOUND if it has none. */
  async deleteNamespace(request: { namespace: string }): Promise<void> {
    const { namespace } = this.checkedChange('deleteNamespace', requests.namespaceRequest, request);
    await deleteNamespace(this.catalog, this.catalog.namespaceName(namespace));
  }

  // --- data

  /**
   * Imports a document or RDF/JS quads into a world, or into one `graph` of it, as one commit.
   * Blank nodes are new nodes in every import. An invalid document throws INVALID_RDF, with a
   * location where the format has lines, and nothing is imported. With `mode: 'replace'`, the same
   * commit deletes the existing data.
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
   * Like {@link import}, but imports any number of documents, even none, as one commit. Blank nodes
   * of different documents are different nodes.
   */
  async importAll(request: ImportAllRequest): Promise<ImportResult> {
    const { documents, ...options } = this.checkedChange('importAll', requests.importAllRequest, request);
    return this.importDocuments('importAll', options, documents);
  }

  /**
   * Deletes, then inserts quads, as one commit. Labels of blank nodes returned by this library
   * denote these nodes; any other label in `insert` denotes a new node, the same throughout the
   * call.
   */
  async write(request: WriteRequest): Promise<WriteResult> {
    const { source, ...change } = this.checkedChange('write', requests.writeRequest, request);
    const work = this.catalog.canBeOvertaken ? repeatableQuads(change) : change;
    return this.changing(source, 'write', change.signal, (opened) => writeQuads(this.catalog, opened, work));
  }

  /**
   * Serializes a world, or one `graph` of it. `contentType` defaults to application/n-quads.
   * Formats without named graphs contain only the default graph. Throws NOT_FOUND if the graph does
   * not exist.
   */
  async export(request: ExportRequest): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.exportStream(request)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /**
   * Like {@link export}, but yields chunks while serializing. Memory does not grow with the size of
   * the world, except with `canonicalOrder`.
   */
  exportStream(request: ExportRequest): AsyncIterable<Uint8Array> {
    const checked = this.checked('export', requests.exportRequest, request);
    const write = exportWriter(checked);
    const open = () =>
      whenReady(this.catalog.sources.openAt(checked.source, checked.at, 'export: source', checked.signal), (opened) =>
        exportChunks(this.catalog, opened, write, checked, this.options.documentLoader),
      );
    const chunks = whenReady(upToDate(this.catalog, checked, [checked.source]), open);
    if (chunks instanceof Promise) chunks.catch(() => undefined);
    return abortable(chunks, checked.signal);
  }

  /**
   * Returns the canonical form of a world, or of one `graph` of it, by RDF Dataset Canonicalization
   * (RDFC-1.0): canonical N-Quads, identical for all datasets that differ only in the labels of
   * blank nodes, and their hash. Empty graphs are not represented.
   *
   * Throws LIMIT_EXCEEDED above `maxMemoryBytes`, or above `maxCanonicalSteps` of the engine's
   * limits, for graphs with many similar blank nodes; UNSUPPORTED for triple terms that contain
   * blank nodes, for which RDFC-1.0 defines no labels; NOT_FOUND, OVERLOADED, TIMEOUT, ABORTED.
   */
  async canonicalize(request: CanonicalizeRequest): Promise<CanonicalForm> {
    const { source, at, graph, ...work } = this.checked('canonicalize', requests.canonicalizeRequest, request);
    const opened = await this.catalog.sources.openAt(source, at, 'canonicalize: source');
    return this.catalog.untilClosed(canonicalizeWorld(this.catalog, { opened, graph }, work), work.signal);
  }

  /**
   * Returns the `hash` of {@link canonicalize} without building the document: equal exactly for
   * isomorphic worlds or graphs. Throws the same errors.
   */
  async hash(request: CanonicalizeRequest): Promise<string> {
    const { source, at, graph, ...work } = this.checked('hash', requests.canonicalizeRequest, request);
    const opened = await this.catalog.sources.openAt(source, at, 'hash: source');
    return this.catalog.untilClosed(hashWorld(this.catalog, { opened, graph }, work), work.signal);
  }

  /**
   * Returns whether two worlds, or graphs of worlds, are isomorphic: the same quads except for the
   * labels of blank nodes. Both are read as of the call. Empty graphs are ignored. Triple terms may
   * contain blank nodes. Throws LIMIT_EXCEEDED like {@link canonicalize}; NOT_FOUND, OVERLOADED,
   * TIMEOUT, ABORTED.
   */
  async isIsomorphic(request: IsomorphicRequest): Promise<boolean> {
    const { source, at, graph, to, ...bounds } = this.checked('isIsomorphic', requests.isomorphicRequest, request);
    const [opened, other] = await Promise.all([
      this.catalog.sources.openAt(source, at, 'isIsomorphic: source'),
      this.catalog.sources.openAt(to.source, to.at, 'isIsomorphic: to.source'),
    ]);
    const comparing = areIsomorphic(this.catalog, { opened, graph }, { opened: other, graph: to.graph }, bounds);
    return this.catalog.untilClosed(comparing, bounds.signal);
  }

  /**
   * The memory pool for requests of this engine: the option `memoryPool`, or the pool of the
   * process.
   */
  get memoryPool(): MemoryPool {
    return this.catalog.memoryPool;
  }

  /** Returns whether a world has a graph, even an empty one. The default graph always exists. */
  async hasGraph(request: GraphRequest): Promise<boolean> {
    const { source, at, graph } = this.checked('hasGraph', requests.graphRequest, request);
    const { state, dictionary } = await this.catalog.sources.openAt(source, at, 'hasGraph: source');
    return findGraph(graph, readingOverlay(dictionary), state.graphs) !== NO_TERM;
  }

  /**
   * Deletes a graph with its quads, as one commit. The default graph always exists, so only its
   * quads are deleted. Throws NOT_FOUND if there is no such graph.
   */
  async deleteGraph(request: DeleteGraphRequest): Promise<DeleteGraphResult> {
    const { source, ...work } = this.checkedChange('deleteGraph', requests.deleteGraphRequest, request);
    return this.changing(source, 'deleteGraph', work.signal, (opened) => deleteGraph(this.catalog, opened, work));
  }

  /**
   * Returns a snapshot of a world as an RDF/JS DatasetCore, for libraries that read synchronously;
   * see {@link WorldDataset}. Throws NOT_FOUND.
   */
  async dataset(request: ReadRequest): Promise<WorldDataset> {
    const { source, at } = this.checked('dataset', requests.readRequest, request);
    const opened = await this.catalog.sources.openAt(source, at, 'dataset: source');
    const { home, state, snapshot, dictionary, namespace, slug } = opened;
    const terms = readingOverlay(dictionary);
    const view = home.store.view(terms, [state.graphs], snapshot);
    const { revision } = state.record;
    const write: DatasetSnapshot['write'] = (insert, remove) =>
      this.write({ source: { namespace, slug }, insert, delete: remove, ifRevision: revision });
    return heldObject([home], (release) => new WorldDataset({ view, terms, revision, write }, release));
  }

  /**
   * Iterates over the quads of a world that match a pattern, as RDF/JS quads. null and undefined
   * match any term.
   */
  quads(request: QuadsRequest): AsyncGenerator<RDF.Quad> {
    return openedNow(() => {
      const checked = this.checked('quads', requests.quadsRequest, request);
      const { source, at, signal, consistency, ...pattern } = checked;
      return whenReady(upToDate(this.catalog, { consistency }, [source]), () =>
        whenReady(this.catalog.sources.openAt(source, at, 'quads: source'), (opened) =>
          readQuads(opened, pattern, signal),
        ),
      );
    });
  }

  /**
   * Returns the properties of an entity in a world as an object. Each value is an array of
   * JavaScript values (see `ResultRow.toObject`). Keys are the IRIs of the properties, or the short
   * names that `prefixes` and `context` define. Undefined if the world has no quads about the
   * entity.
   */
  async getEntity(request: EntityRequest): Promise<Entity | undefined> {
    const checked = this.checked('getEntity', requests.entityRequest, request);
    const { source, at, entity, prefixes, context, graph, signal } = checked;
    const nameOf = shortNames(prefixes, context);
    await upToDate(this.catalog, checked, [source]);
    const opened = await this.catalog.sources.openAt(source, at, 'getEntity: source');
    const pattern = { subject: entityTerm(entity), graph: graph === undefined ? undefined : graphTerm(graph) };
    return entityOf(readQuads(opened, pattern, signal), nameOf);
  }

  /**
   * Returns what a world contains: its classes and predicates with counts, and which classes are
   * linked by which predicates. `limit` cuts each list; without it there are at most 2,000 classes,
   * 20,000 predicates and 5,000 links. Reads the whole world once for each of its revisions, then
   * answers from memory. Throws NOT_FOUND, LIMIT_EXCEEDED above `maxMemoryBytes`, OVERLOADED,
   * ABORTED.
   */
  async schema(request: SchemaRequest): Promise<WorldSchema> {
    const { source, limit, consistency, ...bounds } = this.checked('schema', requests.schemaRequest, request);
    throwIfAborted(bounds.signal);
    await upToDate(this.catalog, { consistency }, [source]);
    const opened = await this.catalog.sources.open(source, undefined, 'schema: source');
    const schema = await this.catalog.untilClosed(this.schemas.schemaOf(this.catalog, opened, bounds), bounds.signal);
    return cutSchema(schema, limit);
  }

  // --- SPARQL

  /**
   * Runs a query or an update and returns the result in the shape of the HTTP API; null for a
   * successful update.
   *
   * The dataset is the merge of `sources`, or of all worlds of `namespace`. An update writes to the
   * one source that is neither `schema` nor `write: false`; if there are several, to the one with
   * `write: true`.
   */
  sparql(request: SparqlRequest): Promise<SparqlSelectResults | SparqlAskResults | SparqlQuadsResults | null> {
    return this.methods.sparql(request);
  }

  /**
   * Runs a query or an update. Solutions and quads arrive in batches, and terms are decoded on
   * demand.
   */
  query(request: SparqlRequest): Promise<QueryResult> {
    return this.methods.query(request);
  }

  /** Runs a SELECT query. */
  select(request: SparqlRequest): Promise<SelectResult> {
    return this.methods.select(request);
  }

  /** Runs an ASK query. */
  ask(request: SparqlRequest): Promise<boolean> {
    return this.methods.ask(request);
  }

  /** Runs a CONSTRUCT or DESCRIBE query. */
  construct(request: SparqlRequest): Promise<QuadsResult> {
    return this.methods.construct(request);
  }

  /** Runs an update request atomically: all its operations or none. */
  update(request: SparqlRequest): Promise<UpdateResult> {
    return this.methods.update(request);
  }

  /**
   * Parses and checks a query or an update without running it. The result can be run any number of
   * times, which skips parsing, and reports the form of the text. Throws INVALID_SPARQL with a
   * location, LIMIT_EXCEEDED above one of the `limits`, and UNSUPPORTED for what the SPARQL engine
   * does not support.
   */
  async prepare(request: PrepareRequest): Promise<PreparedSparql> {
    const { query, baseIri, signal } = this.checked('prepare', requests.prepareRequest, request, SIMPLE_PREPARE);
    const text = queryText(query);
    const turn = turns.begin(signal);
    if (turn) await turn;
    throwIfAborted(signal);
    const prepared = await prepareText(this.catalog, this.sparqlEngine, { text, baseIri }, signal);
    const ofRequest = { text, baseIri, prepared };
    return new PreparedSparql(text, prepared, (operation, run, expected) =>
      this.requests.runPrepared(operation, ofRequest, run, expected),
    );
  }

  /**
   * Like {@link prepare}, for editors: returns the form of a text, the prefixes that it declares,
   * and its first error with the location and the length of the token there. Throws only what is
   * not about the text, such as ABORTED.
   */
  async validate(request: PrepareRequest): Promise<SparqlValidation> {
    const { query, baseIri, signal } = this.checked('validate', requests.prepareRequest, request);
    const turn = turns.begin(signal);
    if (turn) await turn;
    throwIfAborted(signal);
    return validateText(this.catalog, this.sparqlEngine, { text: queryText(query), baseIri }, signal);
  }

  /**
   * Returns the evaluation plan of a query or an update with estimates and, with `analyze`, the
   * statistics of each operator. Changes nothing; an update with `analyze` throws INVALID_ARGUMENT.
   * Throws UNSUPPORTED if the SPARQL engine has no plans.
   */
  async explain(request: ExplainRequest): Promise<QueryPlan> {
    const { query, sources, namespace, bindings, ...rest } = this.checked('explain', requests.explainRequest, request);
    const { at, consistency, ...options } = rest;
    await upToDate(this.catalog, { consistency }, sources, namespace);
    return explainText(this.catalog, this.sparqlEngine, {
      ...options,
      at,
      operation: 'explain',
      text: queryText(query),
      worlds: await this.requests.requested({ sources, namespace, at, signal: options.signal }),
      bindings: variablesIn(queryText(query), toBindings(bindings), 'explain'),
    });
  }

  /**
   * Returns the SPARQL 1.1 service description of an endpoint over some worlds. `contentType`
   * defaults to text/turtle.
   */
  async serviceDescription(request: ServiceDescriptionRequest): Promise<Uint8Array> {
    const checked = this.checked('serviceDescription', requests.serviceDescriptionRequest, request);
    const { sources, namespace, endpointUrl, contentType = 'text/turtle' } = checked;
    const open = () => this.catalog.sources.openAll(sources, namespace);
    return writeServiceDescription(endpointUrl, contentType, open);
  }

  // --- search

  /**
   * Returns the triples that best match a text: literals by full text and, with an embedder, by
   * meaning. `limit` defaults to 20 and is at most 1000.
   */
  async search(request: SearchRequest): Promise<TripleSearchResult[]> {
    // Copied, because it is read after waits, in which the caller may change its object.
    const given = this.checked('search', requests.searchRequest, request, SIMPLE_SEARCH);
    const checked = { ...given, sources: given.sources?.slice() };
    throwIfAborted(checked.signal);
    if (checked.at !== undefined) throw searchesThePresent();
    const waiting = upToDate(this.catalog, checked, checked.sources, checked.namespace);
    if (waiting) await waiting;
    const worlds = await this.catalog.sources.requested(checked.sources, checked.namespace);
    return this.catalog.untilClosed(searchWorlds(checked, worlds, new RequestBudget(this.memoryPool)), checked.signal);
  }

  /**
   * Counts the hits of a search by type of the subject, by predicate and by world: of all hits, or
   * of the best 1000 if there are more. `limit` and `explain` of the request have no effect. Throws
   * the same errors as {@link search}.
   */
  async searchFacets(request: SearchRequest): Promise<SearchFacets> {
    const checked = this.checked('searchFacets', requests.searchRequest, request);
    throwIfAborted(checked.signal);
    if (checked.at !== undefined) throw searchesThePresent();
    await upToDate(this.catalog, checked, checked.sources, checked.namespace);
    const worlds = await this.catalog.sources.requested(checked.sources, checked.namespace);
    return this.catalog.untilClosed(searchFacets(checked, worlds, new RequestBudget(this.memoryPool)), checked.signal);
  }

  /**
   * Waits until everything stored in one namespace, or in all, can be found by its vector. Searches
   * do not wait for vectors; full text is searchable immediately. Throws UNSUPPORTED or TIMEOUT if
   * the embedder fails, ABORTED if the signal fires.
   */
  async flush(request?: { namespace?: string | undefined; signal?: AbortSignal | undefined }): Promise<void> {
    const { namespace, signal } = this.checked('flush', requests.flushRequest, request) ?? {};
    await flushNamespaces(this.catalog, await this.namesOf(namespace), signal);
  }

  // --- time

  /**
   * Creates a world as a copy of another one, now or as of `at`, as one commit. Quads and graphs
   * are the same; blank nodes become new nodes of the fork. If the source has no blank nodes,
   * nothing is copied until the store next merges its runs. Throws ALREADY_EXISTS if the slug is
   * taken, NOT_FOUND if there is no such source, TRUNCATED as of too early a moment.
   */
  async fork(request: ForkRequest): Promise<World> {
    const { source, ...work } = this.checkedChange('fork', requests.forkRequest, request);
    const resolved = this.catalog.sources.resolve(source, undefined, 'fork: source');
    return this.catalog.repeating(() => forkWorld(this.catalog, { ...work, source: resolved }), work.signal);
  }

  /**
   * Returns the quads to insert and to delete to change one state into another: of a world between
   * two moments, or of two worlds. `rdfPatchOf` writes the result as RDF Patch, and {@link write}
   * applies it to the first world. States of one world cost what differs, not what there is.
   *
   * The quads are counted, not stored: each iteration over `inserted` or `deleted` computes them
   * again, in batches. Memory therefore does not depend on their number, only on the number of
   * blank nodes of two different worlds, and for worlds of two namespaces on the size of the
   * second.
   *
   * Blank nodes of one world are the same if they are identical. Those of a fork are the same as
   * those that they were copied from. Those of any other two worlds are the same if they have the
   * same label in the canonical forms of the two (RDFC-1.0): isomorphic worlds do not differ, but a
   * difference elsewhere may change labels. The result has the nodes of the first world where they
   * are the same.
   *
   * Throws NOT_FOUND, TRUNCATED, LIMIT_EXCEEDED above `maxMemoryBytes` or `maxCanonicalSteps`,
   * OVERLOADED, ABORTED; INVALID_ARGUMENT for a moment in the future.
   */
  async diff(request: DiffRequest): Promise<WorldDiff> {
    const { signal, ...work } = this.checked('diff', requests.diffRequest, request);
    return this.catalog.untilClosed(diffWorlds(this.catalog, { ...work, signal }), signal);
  }

  /**
   * Like {@link diff}, but yields the deleted, then the inserted quads while they are read. Here it
   * takes the same memory, of which neither depends on the number of quads; code that may also run
   * on a client, whose `diff` collects the quads of the answer, uses this for large differences.
   * Throws the same errors, from the first `next()` on.
   */
  async *diffStream(request: DiffRequest): AsyncGenerator<DiffRow> {
    const diff = await this.diff(request);
    for await (const row of diffRows(diff, request.signal)) {
      this.catalog.requireOpen();
      yield row;
    }
  }

  // --- changes

  /**
   * Yields the commits of a namespace after a revision, oldest first, then each new commit as it
   * becomes durable, until the engine closes or the caller stops iterating. `after` defaults to the
   * current revision. On a read-only storage it ends with the last commit.
   *
   * Throws TRUNCATED if the log does not contain the revision, because it is too old (see
   * `retainChangesMs`) or because the namespace was deleted or restored since: read the worlds
   * again, then continue after `error.revision`; or read what is still known, after
   * `error.oldestRevision`. Throws NOT_FOUND for a namespace without worlds, ABORTED if the signal
   * fires.
   *
   * Without storage, commits are kept in memory from the first call on, up to `retainChangesBytes`
   * and until nobody has followed the namespace for an hour.
   */
  changes(request?: ChangesRequest): AsyncGenerator<WorldChange> {
    return openedNow(() => {
      const { namespace, ...options } = this.checked('changes', requests.changesRequest, request) ?? {};
      return this.catalog.changes(this.catalog.namespaceName(namespace), options);
    });
  }

  /**
   * Returns the outcome of a commit whose call threw IN_DOUBT; `commit` is the field of that error.
   * Call this before you repeat the failed call. Throws IN_DOUBT while the storage still cannot
   * tell, TRUNCATED if the log no longer reaches back that far or the namespace was deleted since,
   * UNSUPPORTED without storage.
   */
  async commitStatus(request: CommitStatusRequest): Promise<CommitStatus> {
    const { namespace, commit } = this.checked('commitStatus', requests.commitStatusRequest, request);
    return this.catalog.commitStatus(this.catalog.namespaceName(namespace), parseCommitToken(commit));
  }

  /** Whether other processes may write to the engine's storage. */
  get isShared(): boolean {
    return this.catalog.isShared;
  }

  /**
   * Brings a namespace up to date with the commits of other processes, and returns the revision
   * that it has reached: the reads of this engine see that or a later one. Includes every commit
   * that was acknowledged before the call; with `revision`, at least all up to there, and the
   * storage is read only if this engine has not reached it. 0 if there is no such namespace. The
   * result is less than `revision` if the storage has no such revision: there is nothing to wait
   * for. Throws ABORTED, or TIMEOUT if the signal's reason says so.
   */
  async catchUp(request?: CatchUpRequest): Promise<number> {
    const { namespace, revision, signal } = this.checked('catchUp', requests.catchUpRequest, request) ?? {};
    throwIfAborted(signal);
    const name = this.catalog.namespaceName(namespace);
    const caughtUp = async () => {
      const reached = (await this.catalog.find(name))?.revision ?? 0;
      if (!this.isShared || (revision !== undefined && reached >= revision)) return reached;
      await this.catalog.catchUp([name]);
      return (await this.catalog.find(name))?.revision ?? 0;
    };
    return this.catalog.untilClosed(raceAbort(caughtUp(), signal), signal);
  }

  // --- backup and integrity

  /**
   * Writes a backup to a stream and ends the stream: all data, or with `since` the changes since an
   * earlier backup. Restore it with `restore`. Each namespace is captured as a snapshot, without
   * blocking readers or writers. Throws INVALID_ARGUMENT if `since` is malformed, ABORTED if the
   * signal fires.
   */
  async backup(
    stream: NodeJS.WritableStream | WritableStream<Uint8Array>,
    options?: BackupOptions,
  ): Promise<BackupResult> {
    requireWritableStream(stream);
    let result: BackupResult | undefined;
    const chunks = this.backupStream(options);
    const all = async function* () {
      result = yield* chunks;
    };
    await writeChunks(all(), stream);
    return result!;
  }

  /** Like {@link backup}, but yields chunks. The generator returns the result. */
  async *backupStream(options?: BackupOptions): AsyncGenerator<Uint8Array, BackupResult, void> {
    const checked = this.checked('backup', requests.backupOptions, options) ?? {};
    return { token: yield* this.catalog.upkeep.backup(checked) };
  }

  /**
   * Verifies one namespace, or all: that the stored data is intact and equal to the data in memory,
   * and that all indexes contain the same quads. Returns the problems found and repairs nothing.
   * Writers of a namespace wait while it is checked.
   */
  async check(request?: CheckRequest): Promise<CheckResult> {
    const { namespace, ...options } = this.checked('check', requests.checkRequest, request) ?? {};
    // Problems of the storage itself belong to no namespace.
    const problems = namespace === undefined ? await this.catalog.upkeep.storageProblems() : [];
    const names = await this.namesOf(namespace);
    return this.catalog.untilClosed(checkNamespaces(this.catalog, names, problems, options), options.signal);
  }

  /**
   * Recovers the newest state of a damaged namespace that its files prove, and reports what is
   * damaged and what is missing. Nothing is guessed: every quad of the state existed at the
   * report's revision.
   *
   * With `repair`, a namespace whose acknowledged state is proven is replaced by a new checkpoint,
   * after the storage has copied the old files. With `output`, the proven state is written as
   * N-Quads. Otherwise nothing is changed. Writers of the namespace wait meanwhile.
   *
   * Throws NOT_FOUND if there is no such namespace, UNSUPPORTED without storage or if the storage
   * does not support it, CONFLICT for a repair while another engine of the process has the storage
   * open, ABORTED if the signal fires.
   */
  async salvage(request?: SalvageRequest): Promise<SalvageReport> {
    const { namespace, ...work } = this.checked('salvage', requests.salvageRequest, request) ?? {};
    return this.catalog.upkeep.salvage(this.catalog.namespaceName(namespace), work);
  }

  // --- the engine

  /** Returns a handle with the operations of one world, which is also an RDF/JS Source. */
  world(source: WorldSource): WorldHandle {
    requests.requireSource('world', source);
    this.catalog.sources.resolve(source, undefined, 'world: source');
    return new WorldHandle(this, source);
  }

  /**
   * Returns the background work that currently fails (checkpoints, compactions, merges, indexing,
   * embedding, work of the storage), with the latest error of each. An entry is removed when the
   * work succeeds again. After `close`, returns the failures up to then.
   */
  health(): EngineHealth {
    return this.catalog.failures.health;
  }

  /** Returns counters and gauges for monitoring. Fast: does not read the storage. */
  metrics(): EngineMetrics {
    this.catalog.requireOpen();
    return engineMetrics(this.catalog);
  }

  /** Returns the namespaces in memory, those that take most of it first. Fast. */
  namespacesInMemory(): NamespaceInMemory[] {
    this.catalog.requireOpen();
    return namespacesInMemory(this.catalog);
  }

  /** Returns the sizes of the engine, or of one namespace. */
  async stats(request?: { namespace?: string | undefined }): Promise<EngineStats> {
    const { namespace } = this.checked('stats', requests.optionalNamespaceRequest, request) ?? {};
    const isOne = namespace !== undefined;
    return this.catalog.untilClosed(engineStats(this.catalog, await this.namesOf(namespace), { isOne }));
  }

  /**
   * Returns how much of its quotas a world uses; null if the world does not exist or the engine has
   * no quotas.
   */
  async worldQuotas(request: SourceRequest): Promise<WorldQuotaUse | null> {
    const { source } = this.checked('worldQuotas', requests.sourceRequest, request);
    const { namespace, slug } = this.catalog.sources.resolve(source, undefined, 'worldQuotas: source');
    const state = (await this.catalog.find(namespace))?.worlds.get(slug);
    const { quotas } = this.catalog;
    return state && quotas ? worldQuotaUse(slug, state.size, quotas(namespace)) : null;
  }

  /**
   * Writes checkpoints of one namespace, or of all, with everything that is committed now, which
   * makes the next opening as fast as possible. The engine does so automatically when a log grows
   * long. Does nothing without storage.
   */
  async checkpoint(request?: { namespace?: string | undefined }): Promise<void> {
    const { namespace } = this.checkedChange('checkpoint', requests.optionalNamespaceRequest, request) ?? {};
    await this.catalog.untilClosed(checkpointNamespaces(this.catalog, await this.namesOf(namespace)));
  }

  /**
   * Reclaims memory and disk space of deleted data in one namespace, or in all: unreferenced terms,
   * deletions, vectors of deleted texts. Ids stay valid, so readers and change feeds are
   * unaffected. Data that `changes` can still be asked for is kept unless `forgetChanges` is set.
   * The engine compacts automatically when much of the data is dead (see `compaction`). Blocks
   * writers briefly. Throws the storage's error, or ABORTED if the signal fires; the data is then
   * unharmed.
   */
  async compact(request?: CompactRequest): Promise<CompactResult> {
    const { namespace, ...options } = this.checkedChange('compact', requests.compactRequest, request) ?? {};
    return this.catalog.untilClosed(
      compactNamespaces(this.catalog, await this.namesOf(namespace), options),
      options.signal,
    );
  }

  /** Waits until no background work is pending. Intended for measurements and tests. */
  async settle(): Promise<void> {
    this.catalog.requireOpen();
    await this.catalog.settle();
  }

  /**
   * Closes the engine: stops background work, writes checkpoints where worthwhile, closes the
   * storage and releases the data. Change feeds end, and writes that only wait for their turn
   * finish. Imports that are still reading, and later calls, throw INVALID_ARGUMENT.
   */
  async close(): Promise<void> {
    await this.catalog.close();
  }

  /** Like {@link close}; called by `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async importDocuments(
    operation: string,
    { source, ...options }: z.Output<typeof requests.importOptions>,
    documents: ImportWork['documents'],
  ): Promise<ImportResult> {
    const open = () => this.catalog.sources.open(source, undefined, `${operation}: source`);
    const work = { ...options, operation, documents, reopen: open };
    // What is read belongs to the world that it finds, which must be the current one.
    if (this.catalog.isShared) {
      const { namespace } = this.catalog.sources.resolve(source, undefined, `${operation}: source`);
      await this.catalog.catchUp([namespace], options.signal);
    }
    return importWorld(this.catalog, await open(), work, this.options.documentLoader);
  }

  /** Opens a world and changes it, again if other engines have written first. */
  private changing<Result>(
    source: WorldSource,
    operation: string,
    signal: AbortSignal | undefined,
    change: (opened: OpenSource) => Promise<Result>,
  ): Promise<Result> | Result {
    const open = () => this.catalog.sources.open(source, undefined, `${operation}: source`);
    const attempt = () => whenReady(open(), change);
    if (!this.catalog.canBeOvertaken) return attempt();
    const { namespace } = this.catalog.sources.resolve(source, undefined, `${operation}: source`);
    return this.catalog.repeating(attempt, signal, namespace);
  }

  /** The given namespace, or all. */
  private async namesOf(namespace: string | undefined): Promise<string[]> {
    if (namespace !== undefined) return [this.catalog.namespaceName(namespace)];
    await this.catalog.learnNames();
    return this.catalog.names();
  }

  /** Like {@link checked}, for operations that write. */
  private checkedChange<Schema extends z.Schema<unknown, boolean>>(
    operation: string,
    schema: Schema,
    request: unknown,
  ): z.Output<Schema> {
    const checked = this.checked(operation, schema, request);
    this.catalog.requireWritable(operation);
    return checked;
  }

  private checked<Schema extends z.Schema<unknown, boolean>>(
    operation: string,
    schema: Schema,
    request: unknown,
    simple?: SimpleRequests,
  ): z.Output<Schema> {
    this.catalog.requireOpen();
    return requests.validate(operation, schema, request, simple);
  }
}

requireReceiver(WorldsEngine, 'engine');

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
