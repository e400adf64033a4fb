import type * as RDF from '@rdfjs/types';
import type { CanonicalHash } from '../canonical/canonical-work.ts';
import type { FramingOptions } from '../formats/jsonld/frame.ts';
import type { RdfDirection } from '../formats/rdf-direction.ts';
import type { FieldOptions } from '../search/fields/field-weights.ts';
import type { FeedbackOptions, Fusion } from '../search/ranking-options.ts';
import type { GraphName } from './graph-name.ts';
import type { Moment } from './history/moment.ts';
import type { ImportData } from './import-data.ts';
import type { ImportProgress } from './read-documents.ts';
import type { SparqlText } from './sparql-text.ts';
import type { TermValue } from './term-value.ts';
import type { World, WorldSource } from './world.ts';

/** Parameters of the engine's methods. `requests.ts` validates the same shapes at run time. */

/** Names one world. */
export interface SourceRequest {
  /** The world, by name or by record; see {@link WorldSource}. */
  readonly source: WorldSource;
}

/** Names one world, now or in the past. */
export interface ReadRequest extends SourceRequest {
  /**
   * Reads the past: the state after the commit of a revision of the namespace, or after the last
   * commit up to a date. Throws TRUNCATED if the engine's `history` no longer reaches back that
   * far, INVALID_ARGUMENT for the future, NOT_FOUND for a world that did not exist then. Default:
   * now.
   */
  readonly at?: Moment | undefined;
}

/**
 * How recent the state is that a call reads from a storage that other processes write to: `bounded`
 * is what this engine has read, at most moments old and never older than its own writes; `latest`
 * includes every commit that was acknowledged before the call, anywhere, and costs one more look at
 * the storage.
 */
export type Consistency = 'bounded' | 'latest';

/** Says how recent the state must be. */
export interface ConsistencyRequest {
  /** Default: `bounded`. Without other processes, both are the same. */
  readonly consistency?: Consistency | undefined;
}

/** Names a world to get. */
export interface GetWorldRequest extends ReadRequest, ConsistencyRequest {}

/** Names the worlds of a query or search. */
export interface ScopeRequest {
  /** The worlds to use. Default: all worlds of `namespace`. */
  readonly sources?: readonly WorldSource[] | undefined;
  /** Namespace of sources that name none. Default: the engine's default namespace. */
  readonly namespace?: string | undefined;
}

/** Names a new world and its record. */
export interface CreateWorldRequest {
  /**
   * Name within the namespace: a letter or digit, then up to 127 letters, digits and characters of
   * `._~-`.
   */
  readonly slug: string;
  /** Default: the engine's default namespace. Created with its first world. */
  readonly namespace?: string | undefined;
  /** Name for people. Absent from the record if omitted. */
  readonly label?: string | undefined;
  /** Text for people. Absent from the record if omitted; null is stored as null. */
  readonly description?: string | null | undefined;
  /**
   * What to do if the world exists: throw ALREADY_EXISTS (`error`, the default) or return it
   * unchanged.
   */
  readonly ifExists?: 'error' | 'return' | undefined;
}

/** Selects one page of the worlds of a namespace. Pages out of range are clamped. */
export interface ListWorldsRequest extends ConsistencyRequest {
  /** Default: the engine's default namespace. */
  readonly namespace?: string | undefined;
  /** Page number, starting at 1. Default: 1. */
  readonly page?: number | undefined;
  /** Worlds per page, 1 to 100. Default: 20. */
  readonly pageSize?: number | undefined;
  /** Reads the past; see {@link ReadRequest}. */
  readonly at?: Moment | undefined;
}

/** Names a world, and gives new values for its record. */
export interface UpdateWorldRequest extends SourceRequest {
  /** New label. Default: unchanged. */
  readonly label?: string | undefined;
  /** New description; null is stored as null. Default: unchanged. */
  readonly description?: string | null | undefined;
  /** Throws CONFLICT unless the world is at this revision. */
  readonly ifRevision?: number | undefined;
}

/** Names the world to delete. */
export interface DeleteWorldRequest extends SourceRequest {
  /** Throws CONFLICT unless the world is at this revision. */
  readonly ifRevision?: number | undefined;
}

/** A document or RDF/JS quads to import. */
export interface ImportDocument {
  /** The document, or RDF/JS quads; see {@link ImportData} for the accepted types. */
  readonly data: ImportData;
  /**
   * Media type of the document. Default: the type of a Response or Blob, else that of the file
   * name's extension, else application/n-quads. `notes` of the result report the type that was
   * assumed.
   */
  readonly contentType?: string | undefined;
  /** Base IRI for relative IRIs. Without it, relative IRIs throw INVALID_RDF. */
  readonly baseIri?: string | undefined;
  /**
   * JSON-LD only: a context that is applied before the document's own. Turns plain JSON into RDF.
   */
  readonly context?: unknown;
  /**
   * JSON-LD only: how values with `@direction` are represented: as a literal with a datatype of the
   * i18n namespace, as a compound literal (a blank node), or (`dir-lang-string`) as an RDF 1.2
   * literal with a base direction. Default: the direction is dropped, as JSON-LD specifies, and a
   * note is added to the result.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /**
   * Whether gzip-compressed data, recognized by its first bytes, is decompressed. Default: true.
   */
  readonly decompress?: boolean | undefined;
}

/** Target and mode of an import. */
export interface ImportOptions extends SourceRequest {
  /**
   * Graph for all triples. It is created even if the document is empty. Throws INVALID_RDF if the
   * document has named graphs.
   */
  readonly graph?: GraphName | undefined;
  /**
   * `merge` (default) adds to the existing data. `replace` deletes the existing data of `graph`, or
   * of the whole world if no graph is given, in the same commit.
   */
  readonly mode?: 'merge' | 'replace' | undefined;
  /** Throws CONFLICT unless the world is at this revision when the import commits. */
  readonly ifRevision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called repeatedly while documents are read, and once after the last, before the commit. An
   * exception aborts the import.
   */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** One document to import, and its target. */
export interface ImportRequest extends ImportOptions, ImportDocument {}

/** Documents to import as one commit, and their target. */
export interface ImportAllRequest extends ImportOptions {
  /** Read in this order. May be empty: with `mode: 'replace'`, the import then only deletes. */
  readonly documents: readonly ImportDocument[];
}

/** Names one graph of a world. */
export interface GraphRequest extends ReadRequest {
  /** The graph, by absolute IRI or term; `dataFactory.defaultGraph()` names the default graph. */
  readonly graph: GraphName;
}

/** Names the graph to delete. */
export interface DeleteGraphRequest extends Omit<GraphRequest, 'at'> {
  /** Throws CONFLICT unless the world is at this revision. */
  readonly ifRevision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Quads to delete and to insert, in this order. */
export interface WriteRequest extends SourceRequest {
  /** RDF/JS quads: an array, a DatasetCore or any other iterable. */
  readonly insert?: Iterable<RDF.Quad> | undefined;
  /** As `insert`. Quads that the world lacks are ignored. */
  readonly delete?: Iterable<RDF.Quad> | undefined;
  /** Throws CONFLICT unless the world is at this revision. */
  readonly ifRevision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names one namespace. */
export interface NamespaceRequest {
  /** Default: the engine's default namespace. */
  readonly namespace?: string | undefined;
}

/** Selects the commits of a change feed. */
export interface ChangesRequest {
  /** Default: the engine's default namespace. */
  readonly namespace?: string | undefined;
  /**
   * Revision after which the changes start, from an earlier change, `getNamespace` or
   * `error.revision` of a TRUNCATED error. Default: the current revision of the namespace.
   */
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names the world whose schema is counted. */
export interface SchemaRequest {
  readonly source: WorldSource;
  /** Maximum length of each list. */
  readonly limit?: number | undefined;
  readonly consistency?: Consistency | undefined;
  /** Memory limit. Default: half of the engine's pool for requests. */
  readonly maxMemoryBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far to follow the commits of other processes. */
export interface CatchUpRequest {
  /** Default: the engine's default namespace. */
  readonly namespace?: string | undefined;
  /**
   * Revision of the namespace that suffices. If this engine has reached it, the storage is not
   * read. Default: the head.
   */
  readonly revision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names a commit whose outcome is unknown. */
export interface CommitStatusRequest {
  /** Default: the engine's default namespace. */
  readonly namespace?: string | undefined;
  /** The `commit` field of the IN_DOUBT error. */
  readonly commit: string;
}

/** Reported by `check` and `compact` before each namespace. */
export interface CheckProgress {
  /** The namespace that is next. */
  readonly namespace: string;
  /** Number of namespaces already done. */
  readonly done: number;
  /** Total number of namespaces. */
  readonly total: number;
}

/** Selects what to compact. */
export interface CompactRequest {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /**
   * Also discards data that is kept only for `changes`, which can then start no earlier than the
   * current revision. Default: false.
   */
  readonly forgetChanges?: boolean | undefined;
  /**
   * Also discards the engine's `history`: `at` can then read nothing older than the current
   * revision. Together with `forgetChanges`, deleted data is erased. Default: false.
   */
  readonly forgetHistory?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each namespace is compacted. An exception aborts the compaction. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

/** A writable stream of bytes, of Node.js or the Web Streams API. */
export type ByteSink = NodeJS.WritableStream | WritableStream<Uint8Array>;

/** Selects what to verify. */
export interface CheckRequest {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each namespace is checked. An exception aborts the check. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

/** Names a damaged namespace, and what to do with the state that is recovered. */
export interface SalvageRequest {
  /** Default: the engine's default namespace. */
  readonly namespace?: string | undefined;
  /**
   * Whether to repair a damaged namespace, if its acknowledged state can be proven. Default: false.
   */
  readonly repair?: boolean | undefined;
  /**
   * Receives the proven state as N-Quads: either one stream for all worlds, where a comment with
   * the name precedes each world, or a function that returns a stream per world. The streams are
   * ended.
   */
  readonly output?: ByteSink | ((world: World) => ByteSink | Promise<ByteSink>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names a world or one graph of it, and the format to serialize it in. */
export interface ExportRequest extends ReadRequest, ConsistencyRequest {
  /** Default: application/n-quads. */
  readonly contentType?: string | undefined;
  /**
   * Exports a single graph, as the default graph of the document. Throws NOT_FOUND if the world has
   * no such graph.
   */
  readonly graph?: GraphName | undefined;
  /** Prefix name (without `:`) to namespace IRI, for Turtle, TriG and N3. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /**
   * JSON-LD only: which representations become `@direction`, in addition to RDF 1.2 literals with a
   * base direction; see `ImportDocument.rdfDirection`.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /**
   * JSON-LD only: compacts the document with this context, which is an object, an array of
   * contexts, or a document with `@context`. Default: expanded form. Throws INVALID_ARGUMENT for an
   * invalid context, for a remote one without the engine's `documentLoader`, and for other formats.
   * Throws UNSUPPORTED for data that the context leaves no name for.
   */
  readonly context?: unknown;
  /**
   * JSON-LD only: exports the nodes that match this frame, an object, nested in each other as the
   * frame describes (JSON-LD 1.1 Framing) and compacted with its `@context` or with `context`.
   * Frames all graphs as one, or the default graph if the frame has `@graph` at the top. Throws
   * INVALID_ARGUMENT for an invalid frame or a context given twice, and as for `context`;
   * LIMIT_EXCEEDED for nodes embedded in more than `maxFrameDepth` others.
   */
  readonly frame?: unknown;
  /** Flags for `frame`. Throws INVALID_ARGUMENT without a `frame`. */
  readonly framing?: FramingOptions | undefined;
  /**
   * Makes the document, including its order, depend only on the data of the world; see
   * `SparqlRequest.canonicalOrder`. Uses memory proportional to the size of the world. Default:
   * false.
   */
  readonly canonicalOrder?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names a world or one graph of it. */
export interface WorldGraphRequest extends ReadRequest {
  /**
   * A single graph, treated as a default graph. Throws NOT_FOUND if the world has no such graph.
   */
  readonly graph?: GraphName | undefined;
}

/** Limits of a request that compares or canonicalizes blank nodes. */
export interface CanonicalBounds {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the call throws TIMEOUT. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Memory limit in bytes for the running request, which needs several times the size of the data
   * as N-Quads. Exceeding it throws LIMIT_EXCEEDED. Default: half of the engine's `memoryPool`.
   */
  readonly maxMemoryBytes?: number | undefined;
}

/** Names a world or one graph of it, to canonicalize. */
export interface CanonicalizeRequest extends WorldGraphRequest, CanonicalBounds {
  /** Hash function for blank nodes and for the whole dataset. Default: SHA-256. */
  readonly algorithm?: CanonicalHash | undefined;
}

/** Names two worlds or graphs to compare. */
export interface IsomorphicRequest extends WorldGraphRequest, CanonicalBounds {
  /** The world or graph to compare with `source`. */
  readonly to: WorldGraphRequest;
}

/** A pattern of quads in one world. Null, undefined and variables match any term. */
export interface QuadsRequest extends ReadRequest, ConsistencyRequest {
  readonly subject?: RDF.Term | null | undefined;
  readonly predicate?: RDF.Term | null | undefined;
  readonly object?: RDF.Term | null | undefined;
  /** `dataFactory.defaultGraph()` matches the default graph only. */
  readonly graph?: RDF.Term | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names an entity in one world, and how its properties are named in the result. */
export interface EntityRequest extends ReadRequest, ConsistencyRequest {
  /**
   * IRI of the entity, the label (`_:...`) of a blank node as returned by this library, or an
   * RDF/JS term.
   */
  readonly entity: string | RDF.NamedNode | RDF.BlankNode;
  /**
   * Prefix name (without `:`) to namespace IRI. Predicates in the namespace are named
   * `prefix:name`.
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /**
   * Names of predicates, as in a JSON-LD context with simple terms:
   * `{ name: 'http://xmlns.com/foaf/0.1/name' }`. A value that ends in `/`, `#` or another
   * delimiter also defines a prefix, which other values may use. `@vocab` is the namespace of
   * predicates without a prefix.
   */
  readonly context?: Readonly<Record<string, string>> | undefined;
  /** A single graph of the world. Default: all graphs. */
  readonly graph?: GraphName | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names a world to copy, and the copy. */
export interface ForkRequest extends ReadRequest {
  /** Name of the new world, in the namespace of the source. */
  readonly slug: string;
  /** Name for people. Default: that of the source. */
  readonly label?: string | undefined;
  /** Text for people; null is stored as null. Default: that of the source. */
  readonly description?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names two states to compare: of one world, or of two. */
export interface DiffRequest extends SourceRequest {
  /** When `source` is compared: a revision or a date; see {@link ReadRequest}. Default: now. */
  readonly from?: Moment | undefined;
  /**
   * What it is compared with: `source` at another moment, or another world, now or at a moment.
   * Default: `source`, now.
   */
  readonly to?: Moment | ReadRequest | undefined;
  /**
   * Memory limit in bytes while the difference is computed. Exceeding it throws LIMIT_EXCEEDED.
   * Default: half of the engine's `memoryPool`.
   */
  readonly maxMemoryBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A query or an update, the worlds it runs over, and the limits of the run. */
export interface SparqlRequest extends ScopeRequest, ConsistencyRequest {
  /** A query or an update. */
  readonly query: string | SparqlText;
  /** Graphs merged into the default graph; override FROM (USING in an update). */
  readonly defaultGraphUris?: readonly string[] | undefined;
  /** Named graphs; override FROM NAMED (USING NAMED in an update). */
  readonly namedGraphUris?: readonly string[] | undefined;
  /**
   * Values for variables of the text, by name. They are passed as terms and never parsed, which
   * prevents injection.
   */
  readonly bindings?: Readonly<Record<string, TermValue>> | ReadonlyMap<string, TermValue> | undefined;
  /** Base IRI for relative IRIs in the text. */
  readonly baseIri?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the call throws TIMEOUT. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of rows or triples; exceeding it throws LIMIT_EXCEEDED. Default: no limit. */
  readonly maxRows?: number | undefined;
  /**
   * Memory limit in bytes for the running request: rows, values, computed terms, and the pending
   * changes of an update. Exceeding it throws LIMIT_EXCEEDED. Default: half of the engine's
   * `memoryPool`; never more than the whole pool. Throws OVERLOADED if other requests leave too
   * little of the pool.
   */
  readonly maxMemoryBytes?: number | undefined;
  /** Updates only: throws CONFLICT unless the target world is at this revision. */
  readonly ifRevision?: number | undefined;
  /**
   * Queries only: reads the past, as in {@link ReadRequest}. A revision belongs to one namespace,
   * so sources in several need a date. `SERVICE <urn:rdf-worlds:search>` throws UNSUPPORTED then,
   * because only the present is indexed. Updates throw INVALID_ARGUMENT.
   */
  readonly at?: Moment | undefined;
  /**
   * Makes the result, including its order, depend only on the terms in the requested worlds, for
   * callers that must not infer what other worlds of the namespace contain. Rows without ORDER BY
   * are sorted, so the first row is returned only after the last is computed. Default: false.
   * Custom SPARQL engines ignore it.
   */
  readonly canonicalOrder?: boolean | undefined;
  /**
   * Updates only: throws PERMISSION_DENIED unless the outcome cannot reveal what the worlds
   * contain, as with INSERT DATA and DELETE DATA. For callers with permission to write but not to
   * read. Default: false, any update runs.
   */
  readonly blind?: boolean | undefined;
}

/** A text to prepare. */
export interface PrepareRequest extends Pick<SparqlRequest, 'query' | 'baseIri'> {
  /** Ends the parsing of a long text. */
  readonly signal?: AbortSignal | undefined;
}

/** A run of a prepared text. */
export type RunRequest = Omit<SparqlRequest, 'query' | 'baseIri'>;

/** A query or an update to plan, with the options of a run. */
export interface ExplainRequest extends Omit<SparqlRequest, 'ifRevision' | 'blind'> {
  /**
   * Runs the query to completion, discards its rows, and adds statistics of each operator to the
   * plan. Updates are not run and throw INVALID_ARGUMENT.
   */
  readonly analyze?: boolean | undefined;
}

/** A text to search for, filters on the hits, and options of their ranking. */
export interface SearchRequest extends ScopeRequest, ConsistencyRequest {
  /** The text to search for. Finds nothing if it has no letter and no digit. */
  readonly query: string;
  /** Maximum number of hits, at most 1000. Default: 20. */
  readonly limit?: number | undefined;
  /** UNSUPPORTED: only the present is indexed. Query the past, or fork it and search the fork. */
  readonly at?: undefined;
  /** Restricts hits to these subjects: IRIs or labels of blank nodes. */
  readonly subjects?: readonly string[] | undefined;
  /** Restricts hits to these predicates. */
  readonly predicates?: readonly string[] | undefined;
  /** Restricts hits to subjects that have one of these types in the same world. */
  readonly types?: readonly string[] | undefined;
  /** How text ranks and vector ranks are combined. Default: the engine's option `fusion`. */
  readonly fusion?: Fusion | undefined;
  /**
   * Weights of the names around a text, or `false` to search only the text. Default: the engine's
   * option `fields`.
   */
  readonly fields?: FieldOptions | undefined;
  /**
   * Whether to expand the query with terms from the best hits (pseudo-relevance feedback). Default:
   * the engine's option `feedback`.
   */
  readonly feedback?: boolean | FeedbackOptions | undefined;
  /**
   * Whether the last word of the query also matches words that start with it, for search as you
   * type. Such matches rank below exact ones. Default: the setting of the text index.
   */
  readonly prefix?: boolean | undefined;
  /** Whether each hit explains why it matched. */
  readonly explain?: boolean | undefined;
  /**
   * Makes hits, ranks and scores depend only on the data of the searched worlds; see
   * `SparqlRequest.canonicalOrder`. Waits for pending vectors; with a trainable embedder, searches
   * full text only. Default: false.
   */
  readonly canonicalOrder?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names the worlds of an endpoint to describe. */
export interface ServiceDescriptionRequest extends ScopeRequest {
  /** Public address of the endpoint; an absolute IRI. */
  readonly endpointUrl: string;
  /** Default: text/turtle. */
  readonly contentType?: string | undefined;
}

/** Selects a full or an incremental backup. */
export interface BackupOptions {
  /**
   * Token of an earlier backup of this engine or storage. Only changes since then are written.
   * Default: a full backup.
   */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a backup returns when it is complete. */
export interface BackupResult {
  /**
   * Token for `since` of a later backup: opaque, without spaces, about 200 characters per
   * namespace. `backupToken` also reads it from the backup.
   */
  readonly token: string;
}
