import type * as RDF from '@rdfjs/types';
import type { QueryPlan } from '../contracts/query-plan.ts';
import type { DeleteGraphResult } from './delete-graph.ts';
import type { DiffRow, WorldDiff } from './diff-worlds.ts';
import type {
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
  ListWorldsRequest,
  NamespaceRequest,
  QuadsRequest,
  SearchRequest,
  SparqlRequest,
  UpdateWorldRequest,
  WriteRequest,
} from './engine-requests.ts';
import type { Entity } from './entity.ts';
import type { ImportResult } from './import-world.ts';
import type { QuadsResult, QueryResult, SelectResult, UpdateResult } from './query-results.ts';
import type { SparqlResults } from './sparql-results.ts';
import type { TripleSearchResult } from './triple-search-result.ts';
import type { World } from './world.ts';
import type { WriteResult } from './write-quads.ts';

/**
 * What an application does with worlds, wherever they are: in this process (`WorldsEngine`), or on
 * a server (`WorldsClient` of `@rdf-worlds/client`). Code that takes a `Worlds` runs on both.
 *
 * Requests, results, streams, errors and their codes are the same; `worldsContract` of
 * `@rdf-worlds/testkit` is their definition as tests. The methods are documented at
 * {@link WorldsEngine}. What only one of them can do, such as opening a storage or reading a world
 * synchronously, is not part of this interface.
 */
export interface Worlds extends AsyncDisposable {
  /** Creates a world. Throws ALREADY_EXISTS, unless `ifExists` is 'return'. */
  createWorld(request: CreateWorldRequest): Promise<World>;
  /** Returns the world of a source, or null. */
  getWorld(request: GetWorldRequest): Promise<World | null>;
  /** Returns one page of a namespace's worlds, ordered by slug. */
  listWorlds(request?: ListWorldsRequest): Promise<World[]>;
  /** Iterates over all worlds of a namespace, ordered by slug. */
  worlds(request?: NamespaceRequest): AsyncGenerator<World>;
  /** Changes the given fields of a world's record. */
  updateWorld(request: UpdateWorldRequest): Promise<World>;
  /** Deletes a world with all its data. */
  deleteWorld(request: DeleteWorldRequest): Promise<void>;

  /** Imports a document or RDF/JS quads into a world as one commit. */
  import(request: ImportRequest): Promise<ImportResult>;
  /** Imports any number of documents as one commit. */
  importAll(request: ImportAllRequest): Promise<ImportResult>;
  /** Deletes, then inserts quads, as one commit. */
  write(request: WriteRequest): Promise<WriteResult>;
  /** Serializes a world, or one graph of it. */
  export(request: ExportRequest): Promise<Uint8Array>;
  /** Like {@link export}, but yields chunks while serializing. */
  exportStream(request: ExportRequest): AsyncIterable<Uint8Array>;
  /** Returns whether a world has a graph, even an empty one. */
  hasGraph(request: GraphRequest): Promise<boolean>;
  /** Deletes a graph with its quads, as one commit. */
  deleteGraph(request: DeleteGraphRequest): Promise<DeleteGraphResult>;
  /** Iterates over the quads of a world that match a pattern. */
  quads(request: QuadsRequest): AsyncGenerator<RDF.Quad>;
  /** Returns the properties of an entity as an object; undefined if there are none. */
  getEntity(request: EntityRequest): Promise<Entity | undefined>;

  /** Runs a query or an update with a result in SPARQL JSON; null for an update. */
  sparql(request: SparqlRequest): Promise<SparqlResults | null>;
  /** Runs a query or an update with a result in batches. */
  query(request: SparqlRequest): Promise<QueryResult>;
  /** Runs a SELECT query. */
  select(request: SparqlRequest): Promise<SelectResult>;
  /** Runs an ASK query. */
  ask(request: SparqlRequest): Promise<boolean>;
  /** Runs a CONSTRUCT or DESCRIBE query. */
  construct(request: SparqlRequest): Promise<QuadsResult>;
  /** Runs an update request atomically: all its operations or none. */
  update(request: SparqlRequest): Promise<UpdateResult>;
  /** Returns the plan of a query or an update. Changes nothing. */
  explain(request: ExplainRequest): Promise<QueryPlan>;

  /** Returns the triples that best match a text. */
  search(request: SearchRequest): Promise<TripleSearchResult[]>;

  /** Creates a world as a copy of another one, now or at a moment, as one commit. */
  fork(request: ForkRequest): Promise<World>;
  /** Returns what changes one state of a world into another, or one world into another. */
  diff(request: DiffRequest): Promise<WorldDiff>;
  /** Like {@link diff}, but yields rows while they are read, deleted quads first. */
  diffStream(request: DiffRequest): AsyncGenerator<DiffRow>;

  /** Ends the use of these worlds. Later calls throw INVALID_ARGUMENT. */
  close(): Promise<void>;
}
