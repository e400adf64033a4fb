import type {
  CreateWorldRequest,
  DeleteGraphRequest,
  DeleteGraphResult,
  DeleteWorldRequest,
  DiffRequest,
  DiffRow,
  EngineStats,
  Entity,
  EntityRequest,
  ExplainRequest,
  ExportRequest,
  ForkRequest,
  GetWorldRequest,
  GraphRequest,
  ImportAllRequest,
  ImportRequest,
  ImportResult,
  ListWorldsRequest,
  Moment,
  NamespaceRequest,
  PrepareRequest,
  QuadsRequest,
  QueryPlan,
  QueryResult,
  SchemaRequest,
  SearchFacets,
  SearchRequest,
  SparqlRequest,
  SparqlResults,
  SparqlValidation,
  TripleSearchResult,
  UpdateResult,
  UpdateWorldRequest,
  World,
  WorldDiff,
  WorldQuotaUse,
  WorldSchema,
  WorldSource,
  Worlds,
  WriteRequest,
  WriteResult,
} from '@rdf-worlds/core';
import {
  dataFactory,
  entityOf,
  entityTerm,
  graphTerm,
  isEntityName,
  QuadsResult,
  readOnce,
  SelectResult,
  shortNames,
  WorldsError,
} from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';
import { type ClientSettings, clientSettings, type WorldsClientOptions } from './client-options.ts';
import type { ClientRequest } from './client-request.ts';
import { diffAnswer } from './diff-answer.ts';
import { checkedDiff, sendDiff } from './diff-request.ts';
import { fetchResponse } from './fetch-response.ts';
import { type FollowRequest, followChanges, type RemoteChange } from './follow-changes.ts';
import { graphText, type ImportPlace, importDocuments, revisionCondition, sendable } from './import-request.ts';
import { parsedResults } from './json-rows.ts';
import { JSON_TYPE } from './json-type.ts';
import { momentText } from './moment-text.ts';
import { patternQuery } from './pattern-query.ts';
import { queryAnswer, RESULTS_TYPE } from './query-answer.ts';
import { queryString } from './query-string.ts';
import { REQUEST_FIELDS, requireRequest } from './request-checks.ts';
import { sendSparql } from './sparql-request.ts';
import { Transport } from './transport.ts';
import { validationOf, type WireValidation } from './wire-validation.ts';
import { countOf, worldAnswer } from './world-answer.ts';
import { collectionPath, namespaceOf, scopeOf, worldOf, worldPath } from './world-path.ts';
import { patchOf } from './write-patch.ts';

/** The largest page that a server returns. */
const PAGE_SIZE = 100;
/** Asks for the revisions of worlds; see the HTTP reference. */
const PREFER_REVISION = { prefer: 'revision' };

/** Size of a namespace. */
export type NamespaceSize = Pick<EngineStats, 'worlds' | 'quads' | 'quotas'> & { readonly namespace: string };

/** What a backup contains. */
export interface BackupRequest {
  /** The `id` of an earlier backup. Default: everything. */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The forms of texts that a method may run; undefined for any. */
type Form = 'select' | 'ask' | 'construct' | 'update' | undefined;

/**
 * The worlds of a server. Implements the interface of the engine over HTTP; see {@link Worlds}.
 *
 * Results and exports arrive as streams, and imports leave as such. Requests that had no effect are
 * repeated. Errors are `WorldsError`s with the codes and messages of the engine on the server; in
 * addition, UNAVAILABLE means that there was no answer, or not all of it, and IN_DOUBT that the
 * connection broke before a write was acknowledged.
 */
export class WorldsClient implements Worlds {
  private readonly settings: ClientSettings;
  private readonly transport: Transport;

  /** Connects to nothing yet. Throws INVALID_ARGUMENT for invalid options. */
  constructor(options: WorldsClientOptions) {
    this.settings = clientSettings(options);
    this.transport = new Transport(this.settings);
  }

  /** Returns the address, so that a client can be logged without its token and headers. */
  toJSON(): { readonly url: string } {
    return { url: this.settings.url };
  }

  // --- worlds

  async createWorld(request: CreateWorldRequest): Promise<World> {
    requireRequest('createWorld', request, REQUEST_FIELDS.createWorld);
    const { slug, namespace, label, description, ifExists } = request;
    const path = collectionPath(this.namespace(namespace, 'createWorld'));
    try {
      const answer = await this.transport.send(path, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...PREFER_REVISION },
        body: JSON.stringify({ slug, label, description }),
      });
      return worldAnswer(await answer.json());
    } catch (error) {
      if (ifExists !== 'return' || !(error instanceof WorldsError && error.code === 'ALREADY_EXISTS')) throw error;
      const world = await this.getWorld({ source: { slug, namespace } });
      // Deleted in the meantime.
      if (!world) throw error;
      return world;
    }
  }

  async getWorld(request: GetWorldRequest): Promise<World | null> {
    requireRequest('getWorld', request, REQUEST_FIELDS.getWorld);
    const { source, at, consistency } = request;
    const path = `${worldPath(this.world(source, 'getWorld'))}${queryString({ at: momentText(at), consistency })}`;
    try {
      const answer = await this.transport.send(path, { headers: PREFER_REVISION });
      return worldAnswer(await answer.json());
    } catch (error) {
      if (error instanceof WorldsError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  async listWorlds(request: ListWorldsRequest = {}): Promise<World[]> {
    requireRequest('listWorlds', request, REQUEST_FIELDS.listWorlds);
    const { namespace, page = 1, pageSize = 20, consistency } = request;
    const path = collectionPath(this.namespace(namespace, 'listWorlds'));
    const query = queryString({ page, pageSize, consistency });
    const answer = await this.transport.send(`${path}${query}`, { headers: PREFER_REVISION });
    return (await answer.json<Parameters<typeof worldAnswer>[0][]>()).map(worldAnswer);
  }

  /**
   * Iterates over all worlds of a namespace that the caller may read, ordered by slug. Reads pages
   * as it goes: a world that is created or deleted meanwhile may be missing or repeated.
   */
  async *worlds(request: NamespaceRequest = {}): AsyncGenerator<World> {
    requireRequest('worlds', request, REQUEST_FIELDS.namespace);
    for (let page = 1; ; page++) {
      const worlds = await this.listWorlds({ ...request, page, pageSize: PAGE_SIZE });
      yield* worlds;
      if (worlds.length < PAGE_SIZE) return;
    }
  }

  async updateWorld(request: UpdateWorldRequest): Promise<World> {
    requireRequest('updateWorld', request, REQUEST_FIELDS.updateWorld);
    const { source, label, description, ifRevision } = request;
    const world = this.world(source, 'updateWorld');
    const answer = await this.transport.send(worldPath(world), {
      method: 'PUT',
      headers: { ...JSON_TYPE, ...revisionCondition(ifRevision) },
      body: JSON.stringify({ label, description }),
      // Setting the same fields again changes nothing, unless others write too.
      isIdempotent: ifRevision === undefined,
    });
    await answer.discard();
    const updated = await this.getWorld({ source: { namespace: world.namespace, slug: world.slug } });
    if (updated) return updated;
    throw new WorldsError('NOT_FOUND', `There is no world ${world.namespace}/${world.slug}.`);
  }

  async deleteWorld(request: DeleteWorldRequest): Promise<void> {
    requireRequest('deleteWorld', request, REQUEST_FIELDS.deleteWorld);
    const { source, ifRevision } = request;
    const path = worldPath(this.world(source, 'deleteWorld'));
    const answer = await this.transport.send(path, { method: 'DELETE', headers: revisionCondition(ifRevision) });
    await answer.discard();
  }

  // --- data

  async import(request: ImportRequest): Promise<ImportResult> {
    requireRequest('import', request, REQUEST_FIELDS.import);
    const { data, contentType, baseIri, context, rdfDirection, decompress, ...options } = request;
    const document = { data, contentType, baseIri, context, rdfDirection, decompress };
    return importDocuments(this.importPlace, 'import', [document], options);
  }

  async importAll(request: ImportAllRequest): Promise<ImportResult> {
    requireRequest('importAll', request, REQUEST_FIELDS.importAll);
    const { documents, ...options } = request;
    if (!Array.isArray(documents))
      throw new WorldsError('INVALID_ARGUMENT', 'importAll: documents: expected an array of documents');
    for (const [i, document] of documents.entries())
      requireRequest(`importAll: documents[${i}]`, document, REQUEST_FIELDS.document);
    return importDocuments(this.importPlace, 'importAll', documents, options);
  }

  async write(request: WriteRequest): Promise<WriteResult> {
    requireRequest('write', request, REQUEST_FIELDS.write);
    const { source, insert, delete: remove, ifRevision, signal } = request;
    const path = `${worldPath(this.world(source, 'write'))}/import`;
    const { headers } = await this.discarded(path, {
      method: 'POST',
      headers: { 'content-type': 'application/rdf-patch', ...revisionCondition(ifRevision) },
      body: await sendable(patchOf(remove, insert), this.settings.streamUploads),
      signal,
    });
    return changesOf(headers);
  }

  async export(request: ExportRequest): Promise<Uint8Array> {
    return (await this.exported(request)).bytes();
  }

  exportStream(request: ExportRequest): AsyncIterable<Uint8Array> {
    requireRequest('export', request, REQUEST_FIELDS.export);
    const open = () => this.exported(request);
    return (async function* () {
      yield* (await open()).chunks();
    })();
  }

  async hasGraph(request: GraphRequest): Promise<boolean> {
    requireRequest('hasGraph', request, REQUEST_FIELDS.graph);
    const { source, graph, at } = request;
    graphText(graph, 'hasGraph');
    const term = graphTerm(graph);
    const isDefault = term.termType === 'DefaultGraph';
    const answer = await this.ask({
      sources: [this.world(source, 'hasGraph')],
      query: isDefault ? 'ASK {}' : 'ASK { GRAPH ?graph {} }',
      bindings: isDefault ? undefined : { graph: term },
      at,
    });
    return answer;
  }

  async deleteGraph(request: DeleteGraphRequest): Promise<DeleteGraphResult> {
    requireRequest('deleteGraph', request, REQUEST_FIELDS.deleteGraph);
    const { source, graph, ifRevision, signal } = request;
    const text = graphText(graph, 'deleteGraph');
    if (text.startsWith('_:')) {
      throw new WorldsError(
        'UNSUPPORTED',
        'deleteGraph: graph: a server cannot delete a graph that is named by a blank node; delete its quads with write.',
      );
    }
    const query = text === 'default' ? 'default' : `graph=${encodeURIComponent(text)}`;
    const { headers } = await this.discarded(`${worldPath(this.world(source, 'deleteGraph'))}/graphs?${query}`, {
      method: 'DELETE',
      headers: revisionCondition(ifRevision),
      signal,
    });
    const { deleted, revision } = changesOf(headers);
    return { deleted, revision };
  }

  /**
   * Iterates over the quads of a world that match a pattern, as RDF/JS quads. The server's limit on
   * rows applies.
   */
  async *quads(request: QuadsRequest): AsyncGenerator<RDF.Quad> {
    requireRequest('quads', request, REQUEST_FIELDS.quads);
    const { source, signal, at, consistency, subject, predicate, object, graph } = request;
    const { query, bindings } = patternQuery({ subject, predicate, object, graph });
    const rows = await this.select({
      sources: [this.world(source, 'quads')],
      query,
      bindings,
      at,
      consistency,
      signal,
    });
    for await (const row of rows) {
      yield dataFactory.quad(
        (bindings.get('s') ?? row.get('s')) as RDF.Quad_Subject,
        (bindings.get('p') ?? row.get('p')) as RDF.Quad_Predicate,
        (bindings.get('o') ?? row.get('o')) as RDF.Quad_Object,
        ((bindings.get('g') ?? row.get('g')) as RDF.Quad_Graph | undefined) ?? dataFactory.defaultGraph(),
      );
    }
  }

  async getEntity(request: EntityRequest): Promise<Entity | undefined> {
    requireRequest('getEntity', request, REQUEST_FIELDS.getEntity);
    const { source, entity, prefixes, context, graph, at, consistency, signal } = request;
    if (!isEntityName(entity)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'getEntity: entity: expected the absolute IRI of an entity, a blank node label (_:label), or the term of either',
      );
    }
    if (graph !== undefined) graphText(graph, 'getEntity');
    const nameOf = shortNames(prefixes, context);
    const pattern = { subject: entityTerm(entity), graph: graph === undefined ? undefined : graphTerm(graph) };
    return entityOf(this.quads({ source, ...pattern, at, consistency, signal }), nameOf);
  }

  // --- time

  async fork(request: ForkRequest): Promise<World> {
    requireRequest('fork', request, REQUEST_FIELDS.fork);
    const { source, slug, label, description, at, signal } = request;
    const answer = await this.transport.send(`${worldPath(this.world(source, 'fork'))}/fork`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...PREFER_REVISION },
      body: JSON.stringify({ slug, label, description, at: momentText(at) }),
      signal,
    });
    return worldAnswer(await answer.json());
  }

  /**
   * Compares two states. The quads are held in memory, other than with {@link diffStream}. The
   * records are read after them, as of their revisions, or for callers that may not know those as
   * of `from` and `to`.
   */
  async diff(request: DiffRequest): Promise<WorldDiff> {
    const compared = this.compared(request);
    const { world, other, from, otherAt } = compared;
    const header = new Map<string, string>();
    const quads = { inserted: [] as RDF.Quad[], deleted: [] as RDF.Quad[] };
    for await (const { change, quad } of diffAnswer(await sendDiff(this.transport, compared), header, request.signal))
      quads[change].push(quad);
    const recordOf = async (one: typeof world, revision: string | undefined, at: Moment | undefined) => {
      const record = await this.getWorld({ source: one, at: revision === undefined ? at : Number(revision) });
      if (record) return record;
      throw new WorldsError('NOT_FOUND', `There is no world ${one.namespace}/${one.slug} any longer.`);
    };
    return {
      from: await recordOf(world, header.get('revision'), from),
      to: await recordOf(other, header.get('to-revision'), otherAt),
      ...quads,
    };
  }

  async *diffStream(request: DiffRequest): AsyncGenerator<DiffRow> {
    const answer = await sendDiff(this.transport, this.compared(request));
    yield* diffAnswer(answer, new Map(), request.signal);
  }

  private compared(request: DiffRequest) {
    return checkedDiff(request, (source, field) => this.world(source, field));
  }

  // --- the server

  /**
   * Returns the size of a namespace, and the use of its quotas if it has any. Requires permission
   * to read all of it.
   */
  async stats(request: NamespaceRequest = {}): Promise<NamespaceSize> {
    requireRequest('stats', request, REQUEST_FIELDS.namespace);
    const path = collectionPath(this.namespace(request.namespace, 'stats')).replace(/\/worlds$/, '/stats');
    return (await this.transport.send(path)).json();
  }

  /** Returns how much of its quotas a world uses; null if there is no such world, or no quota. */
  async worldQuotas(request: { readonly source: WorldSource }): Promise<WorldQuotaUse | null> {
    requireRequest('worldQuotas', request, REQUEST_FIELDS.worldQuotas);
    try {
      const answer = await this.transport.send(`${worldPath(this.world(request.source, 'worldQuotas'))}/stats`);
      return (await answer.json<{ readonly quotas?: WorldQuotaUse }>()).quotas ?? null;
    } catch (error) {
      if (error instanceof WorldsError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  /**
   * Yields a backup of all namespaces, or with `since` of the changes since an earlier one, as a
   * file for `WorldsEngine.restore`. Requires a token of an administrator. OVERLOADED while another
   * one is made.
   */
  backupStream(request: BackupRequest = {}): AsyncIterable<Uint8Array> {
    requireRequest('backupStream', request, REQUEST_FIELDS.backup);
    const { since, signal } = request;
    const { transport } = this;
    return (async function* () {
      yield* (await transport.send(`/backup${queryString({ since })}`, { signal })).chunks();
    })();
  }

  // --- SPARQL

  async sparql(request: SparqlRequest): Promise<SparqlResults | null> {
    const answer = await this.asked('sparql', undefined, request);
    if (answer.status === 204) {
      await answer.discard();
      return null;
    }
    await answer.requireType(RESULTS_TYPE);
    return parsedResults(new TextDecoder().decode(await answer.bytes())) as SparqlResults;
  }

  async query(request: SparqlRequest): Promise<QueryResult> {
    const answer = await this.asked('query', undefined, request);
    if (answer.status !== 204) return readOnce(await queryAnswer(answer));
    await answer.discard();
    return { type: 'update', ...changesOf(answer.headers) };
  }

  async select(request: SparqlRequest): Promise<SelectResult> {
    const result = await queryAnswer(await this.asked('select', 'select', request));
    if (result.type === 'bindings') return new SelectResult(result.variables, result.batches);
    throw unexpected('solutions', result);
  }

  async ask(request: SparqlRequest): Promise<boolean> {
    const result = await queryAnswer(await this.asked('ask', 'ask', request));
    if (result.type === 'boolean') return result.value;
    throw unexpected('a boolean', result);
  }

  async construct(request: SparqlRequest): Promise<QuadsResult> {
    const result = await queryAnswer(await this.asked('construct', 'construct', request));
    if (result.type === 'quads') return new QuadsResult(result.batches, result.prefixes);
    throw unexpected('triples', result);
  }

  async update(request: SparqlRequest): Promise<UpdateResult> {
    const answer = await this.asked('update', 'update', request);
    await answer.discard();
    return changesOf(answer.headers);
  }

  async explain(request: ExplainRequest): Promise<QueryPlan> {
    requireRequest('explain', request, REQUEST_FIELDS.explain);
    const { analyze, ...rest } = request;
    const answer = await this.sent('explain', rest, { explain: analyze ? 'analyze' : 'plan' }, true);
    return answer.json<QueryPlan>();
  }

  // --- search

  async search(request: SearchRequest): Promise<TripleSearchResult[]> {
    requireRequest('search', request, REQUEST_FIELDS.search);
    const { sources, namespace, signal, ...fields } = request;
    const scope = scopeOf('search', { sources, namespace }, this.settings.defaultNamespace);
    const answer = await this.transport.send(`${scope.path}/search`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...PREFER_REVISION },
      body: JSON.stringify({ ...fields, ...scope.body }),
      isIdempotent: true,
      signal,
    });
    const hits = await answer.json<TripleSearchResult[]>();
    return hits.map((hit) => ({ ...hit, world: worldAnswer(hit.world) }));
  }

  /**
   * Counts the hits of a search by type of the subject, by predicate and by world: of all hits, or
   * of the best 1000 if there are more.
   */
  async searchFacets(request: SearchRequest): Promise<SearchFacets> {
    requireRequest('searchFacets', request, REQUEST_FIELDS.search);
    const { sources, namespace, signal, explain, ...fields } = request;
    const scope = scopeOf('searchFacets', { sources, namespace }, this.settings.defaultNamespace);
    const answer = await this.transport.send(`${scope.path}/search`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ ...fields, ...scope.body, limit: 1, facets: true }),
      isIdempotent: true,
      signal,
    });
    return (await answer.json<{ readonly facets: SearchFacets }>()).facets;
  }

  // --- what there is

  /**
   * Returns the classes and predicates of a world with counts, and which classes are linked by
   * which predicates. The limits of the server apply.
   */
  async schema(request: SchemaRequest): Promise<WorldSchema> {
    requireRequest('schema', request, REQUEST_FIELDS.schema);
    const { source, limit, consistency, signal } = request;
    const path = `${worldPath(this.world(source, 'schema'))}/schema${queryString({ limit, consistency })}`;
    const answer = await this.transport.send(path, { signal });
    const { quads, classes, predicates, links, totals } = await answer.json<WorldSchema>();
    return { quads, classes, predicates, links, totals };
  }

  /**
   * Returns the form of a text, the prefixes that it declares, and its first error. Runs nothing.
   * Needs permission to read or write the world, or the namespace, whose endpoint checks the text.
   */
  async validate(
    request: PrepareRequest & { readonly source?: WorldSource | undefined; readonly namespace?: string | undefined },
  ): Promise<SparqlValidation> {
    requireRequest('validate', request, REQUEST_FIELDS.validate);
    const { query, baseIri, source, namespace, signal } = request;
    const { path } = scopeOf(
      'validate',
      { sources: source === undefined ? undefined : [source], namespace },
      this.settings.defaultNamespace,
    );
    const answer = await this.transport.send(`${path}/sparql`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ query: String(query), baseIri, validate: true }),
      isIdempotent: true,
      signal,
    });
    return validationOf(await answer.json<WireValidation>());
  }

  // --- changes

  /**
   * Yields the commits of a namespace or a world as the server makes them durable, until the caller
   * stops iterating. When the connection breaks, or the server stops, the feed is continued where
   * it was, so that no change is missed; the same change may arrive twice if the connection broke
   * while it was sent.
   *
   * Throws TRUNCATED if the server no longer knows the changes after the position: read the worlds
   * again, then continue after `error.revision` or, where that is not told, with a feed that was
   * opened before the worlds were read. Throws NOT_FOUND, PERMISSION_DENIED, UNAUTHENTICATED,
   * ABORTED; UNAVAILABLE and TIMEOUT if the server cannot be reached again.
   */
  async *changes(request: FollowRequest = {}): AsyncGenerator<RemoteChange> {
    requireRequest('changes', request, REQUEST_FIELDS.changes);
    const { source, namespace, after, maxQuads, follow, signal } = request;
    const home = this.namespace(namespace, 'changes');
    const place = source === undefined ? `/namespaces/${home}` : worldPath(this.world(source, 'changes'));
    if (source !== undefined && namespace !== undefined)
      throw new WorldsError('INVALID_ARGUMENT', 'changes: name either a source or a namespace');
    const fields = { quads: maxQuads, follow: follow === undefined ? undefined : String(follow) };
    yield* followChanges({
      open: (position) =>
        this.transport.send(`${place}/changes${queryString({ ...fields, after: position })}`, { signal }),
      after: after === undefined ? undefined : String(after),
      retry: this.settings.retry,
      pause: (delayMs) => this.transport.pause(delayMs, signal),
    });
  }

  // --- the client

  /**
   * Sends a request to a path of the HTTP interface, for what has no method here: with credentials,
   * repetition and errors as in all methods. Returns a successful response with its body unread.
   */
  async request(path: string, request: ClientRequest = {}): Promise<Response> {
    if (!path.startsWith('/')) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `request: path: expected a path below the url, such as /stats, found ${JSON.stringify(path.slice(0, 200))}.`,
      );
    }
    const answer = await this.transport.send(path, request);
    return fetchResponse(answer, { isHead: request.method === 'HEAD' });
  }

  /** Ends all requests that are running. Later calls throw INVALID_ARGUMENT. */
  async close(): Promise<void> {
    this.transport.close();
  }

  /** Like {@link close}; called by `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private get importPlace(): ImportPlace {
    const { transport, settings } = this;
    return {
      transport,
      world: (source, operation) => this.world(source, operation),
      streamUploads: settings.streamUploads,
    };
  }

  private namespace(namespace: string | undefined, operation: string): string {
    return namespaceOf(namespace, this.settings.defaultNamespace, `${operation}: namespace`);
  }

  private world(source: unknown, operation: string) {
    const { defaultNamespace } = this.settings;
    return worldOf(source, `${operation}: source`, { namespace: defaultNamespace, defaultNamespace });
  }

  private async discarded(path: string, request: ClientRequest) {
    const answer = await this.transport.send(path, request);
    await answer.discard();
    return answer;
  }

  private exported(request: ExportRequest) {
    requireRequest('export', request, REQUEST_FIELDS.export);
    const { source, graph, at, signal, contentType = 'application/n-quads', ...fields } = request;
    const world = this.world(source, 'export');
    const body = {
      ...fields,
      contentType,
      graph: graph === undefined ? undefined : graphText(graph, 'export'),
      at: momentText(at),
    };
    return this.transport.send(`${worldPath(world)}/export`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(body),
      isIdempotent: true,
      signal,
    });
  }

  /** Sends a text of some form. Only texts that cannot be updates are repeated. */
  private asked(operation: string, form: Form, request: SparqlRequest) {
    requireRequest(operation, request, REQUEST_FIELDS.sparql);
    return this.sent(operation, request, { form }, form !== undefined && form !== 'update');
  }

  private sent(operation: string, request: SparqlRequest, more: object, isIdempotent: boolean) {
    const { transport } = this;
    const { defaultNamespace } = this.settings;
    return sendSparql({ transport, defaultNamespace, operation, more, isIdempotent }, request);
  }
}

function changesOf(headers: Headers): UpdateResult {
  return {
    inserted: countOf(headers, 'rdf-worlds-inserted'),
    deleted: countOf(headers, 'rdf-worlds-deleted'),
    revision: countOf(headers, 'rdf-worlds-revision'),
  };
}

function unexpected(what: string, { type }: QueryResult): WorldsError {
  return new WorldsError('UNSUPPORTED', `The server answered with ${type} where ${what} were expected.`);
}
