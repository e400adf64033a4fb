import type { Readable } from 'node:stream';
import type * as RDF from '@rdfjs/types';
import { objectStream } from '#platform';
import type { QueryPlan } from '../contracts/query-plan.ts';
import { isObject, kindOf } from '../model/passed-value.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { CanonicalForm } from './canonicalize-world.ts';
import type { DiffRow, WorldDiff } from './diff-worlds.ts';
import type {
  CanonicalizeRequest,
  DeleteGraphRequest,
  DiffRequest,
  EntityRequest,
  ExplainRequest,
  ExportRequest,
  ForkRequest,
  GraphRequest,
  ImportAllRequest,
  ImportRequest,
  IsomorphicRequest,
  QuadsRequest,
  ReadRequest,
  SearchRequest,
  SparqlRequest,
  UpdateWorldRequest,
  WriteRequest,
} from './engine-requests.ts';
import type { Entity } from './entity.ts';
import type { QuadsResult, SelectResult } from './query-results.ts';
import { exampleOfWorld } from './request-examples.ts';
import type { World, WorldSource } from './world.ts';
import type { WorldDataset } from './world-dataset.ts';
import { WorldStore } from './world-store.ts';
import type { WorldsEngine } from './worlds-engine.ts';

type Scoped<Request> = Omit<Request, 'source' | 'sources' | 'namespace'>;

/**
 * The operations of the engine for one world; also an RDF/JS Source. Stores only the name, so the
 * world need not exist yet.
 */
export class WorldHandle implements RDF.Source {
  /** The name of the world, as passed to `engine.world`. */
  readonly source: WorldSource;
  private readonly engine: WorldsEngine;

  constructor(engine: WorldsEngine, source: WorldSource) {
    this.engine = engine;
    this.source = source;
  }

  /** Returns the name, so that a handle can be logged: the engine of a handle is no part of it. */
  toJSON(): { readonly source: WorldSource } {
    return { source: this.source };
  }

  /** Returns the record of the world, or null. */
  get(): Promise<World | null>;
  /** Returns the properties of an entity; see `engine.getEntity`. */
  get(entity: EntityRequest['entity'], options?: Omit<Scoped<EntityRequest>, 'entity'>): Promise<Entity | undefined>;
  // Counts the arguments: an IRI that is undefined by mistake must not return the record.
  get(...request: [] | [EntityRequest['entity'], Omit<Scoped<EntityRequest>, 'entity'>?]): Promise<unknown> {
    if (request.length === 0) return this.engine.getWorld({ source: this.source });
    const [entity, options] = request;
    return this.engine.getEntity({ ...options, entity, source: this.source });
  }

  /** Changes the record of the world; see {@link WorldsEngine.updateWorld}. */
  updateWorld(request: Scoped<UpdateWorldRequest>): Promise<World> {
    return this.engine.updateWorld({ ...named('updateWorld', request), source: this.source });
  }

  /** Deletes the world with all its data; see {@link WorldsEngine.deleteWorld}. */
  deleteWorld(): Promise<void> {
    return this.engine.deleteWorld({ source: this.source });
  }

  /** Imports a document or quads as one commit; see {@link WorldsEngine.import}. */
  import(request: Scoped<ImportRequest>) {
    return this.engine.import({ ...named('import', request), source: this.source });
  }

  /** Imports several documents as one commit; see {@link WorldsEngine.importAll}. */
  importAll(request: Scoped<ImportAllRequest>) {
    return this.engine.importAll({ ...named('importAll', request), source: this.source });
  }

  /** Deletes, then inserts quads as one commit; see {@link WorldsEngine.write}. */
  write(request: Scoped<WriteRequest>) {
    return this.engine.write({ ...named('write', request), source: this.source });
  }

  /** Creates a world as a copy of this one; see {@link WorldsEngine.fork}. */
  fork(request: Scoped<ForkRequest>): Promise<World> {
    return this.engine.fork({ ...named('fork', request), source: this.source });
  }

  /** Compares two states; see {@link WorldsEngine.diff}. */
  diff(request: Scoped<DiffRequest>): Promise<WorldDiff> {
    return this.engine.diff({ ...named('diff', request), source: this.source });
  }

  /** Yields the rows of a difference; see {@link WorldsEngine.diffStream}. */
  diffStream(request: Scoped<DiffRequest>): AsyncGenerator<DiffRow> {
    return this.engine.diffStream({ ...named('diffStream', request), source: this.source });
  }

  /** Serializes the world, or one `graph` of it; see {@link WorldsEngine.export}. */
  export(request: Scoped<ExportRequest> = {}): Promise<Uint8Array> {
    return this.engine.export({ ...named('export', request), source: this.source });
  }

  /** Serializes the world in chunks of bytes; see {@link WorldsEngine.exportStream}. */
  exportStream(request: Scoped<ExportRequest> = {}): AsyncIterable<Uint8Array> {
    return this.engine.exportStream({ ...named('exportStream', request), source: this.source });
  }

  /** Returns the canonical form of the world; see `engine.canonicalize`. */
  canonicalize(request: Scoped<CanonicalizeRequest> = {}): Promise<CanonicalForm> {
    return this.engine.canonicalize({ ...named('canonicalize', request), source: this.source });
  }

  /** Returns the hash of the canonical form; see `engine.hash`. */
  hash(request: Scoped<CanonicalizeRequest> = {}): Promise<string> {
    return this.engine.hash({ ...named('hash', request), source: this.source });
  }

  /** Returns whether this world and another are isomorphic; see `engine.isIsomorphic`. */
  isIsomorphic(request: Scoped<IsomorphicRequest>): Promise<boolean> {
    return this.engine.isIsomorphic({ ...named('isIsomorphic', request), source: this.source });
  }

  /**
   * Returns whether the world has a graph, even an empty one; see {@link WorldsEngine.hasGraph}.
   */
  hasGraph(request: Scoped<GraphRequest>): Promise<boolean> {
    return this.engine.hasGraph({ ...named('hasGraph', request), source: this.source });
  }

  /** Deletes a graph with its quads; see {@link WorldsEngine.deleteGraph}. */
  deleteGraph(request: Scoped<DeleteGraphRequest>) {
    return this.engine.deleteGraph({ ...named('deleteGraph', request), source: this.source });
  }

  /** Iterates over the quads that match a pattern; see {@link WorldsEngine.quads}. */
  quads(request: Scoped<QuadsRequest> = {}): AsyncIterable<RDF.Quad> {
    return this.engine.quads({ ...named('quads', request), source: this.source });
  }

  /** Runs a query or an update with a result in SPARQL JSON; see {@link WorldsEngine.sparql}. */
  sparql(request: Scoped<SparqlRequest>) {
    return this.engine.sparql({ ...named('sparql', request), sources: [this.source] });
  }

  /** Runs a SELECT query over the world; see {@link WorldsEngine.select}. */
  select(request: Scoped<SparqlRequest>): Promise<SelectResult> {
    return this.engine.select({ ...named('select', request), sources: [this.source] });
  }

  /** Runs an ASK query over the world; see {@link WorldsEngine.ask}. */
  ask(request: Scoped<SparqlRequest>) {
    return this.engine.ask({ ...named('ask', request), sources: [this.source] });
  }

  /** Runs a CONSTRUCT or DESCRIBE query over the world; see {@link WorldsEngine.construct}. */
  construct(request: Scoped<SparqlRequest>): Promise<QuadsResult> {
    return this.engine.construct({ ...named('construct', request), sources: [this.source] });
  }

  /** Runs an update on the world atomically; see {@link WorldsEngine.update}. */
  update(request: Scoped<SparqlRequest>) {
    return this.engine.update({ ...named('update', request), sources: [this.source] });
  }

  /** Runs a query or an update with a result in batches; see {@link WorldsEngine.query}. */
  query(request: Scoped<SparqlRequest>) {
    return this.engine.query({ ...named('query', request), sources: [this.source] });
  }

  /** Returns the plan of a query or an update; see {@link WorldsEngine.explain}. */
  explain(request: Scoped<ExplainRequest>): Promise<QueryPlan> {
    return this.engine.explain({ ...named('explain', request), sources: [this.source] });
  }

  /** Returns the triples of the world that best match a text; see {@link WorldsEngine.search}. */
  search(request: Scoped<SearchRequest>) {
    return this.engine.search({ ...named('search', request), sources: [this.source] });
  }

  /** Returns a snapshot of the world as an RDF/JS DatasetCore; see `engine.dataset`. */
  dataset(request: Scoped<ReadRequest> = {}): Promise<WorldDataset> {
    return this.engine.dataset({ ...named('dataset', request), source: this.source });
  }

  /** Returns the world as an RDF/JS Store. Each change is one commit. */
  store(): WorldStore {
    return new WorldStore(this);
  }

  /** RDF/JS Source: streams the quads that match. null and undefined match any term. */
  match(
    subject?: RDF.Term | null,
    predicate?: RDF.Term | null,
    object?: RDF.Term | null,
    graph?: RDF.Term | null,
  ): RDF.Stream<RDF.Quad> & Readable {
    return objectStream(this.quads({ subject, predicate, object, graph })) as RDF.Stream<RDF.Quad> & Readable;
  }
}

/**
 * Returns the request. Throws INVALID_ARGUMENT for a value that is not an object, such as a text.
 */
function named<Request>(operation: string, request: Request): Request {
  if (request === undefined || isObject(request)) return request;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `world.${operation}: expected a request object, not ${kindOf(request)}; write ${exampleOfWorld(operation)}.`,
  );
}
