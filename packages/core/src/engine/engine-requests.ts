import type * as RDF from '@rdfjs/types';
import type { CanonicalHash } from '../canonical/canonical-work.ts';
import type { RdfDirection } from '../formats/rdf-direction.ts';
import type { FieldOptions } from '../search/fields/field-weights.ts';
import type { FeedbackOptions, Fusion } from '../search/ranking-options.ts';
import type { GraphName } from './graph-name.ts';
import type { ImportData } from './import-data.ts';
import type { ImportProgress } from './read-documents.ts';
import type { SparqlText } from './sparql-text.ts';
import type { TermValue } from './term-value.ts';
import type { World, WorldSource } from './world.ts';

/** What the methods of the engine take. `requests.ts` checks the same shapes at run time. */

/** Names one world. */
export interface SourceRequest {
  readonly source: WorldSource;
}

/** Names the worlds of a query or search. */
export interface ScopeRequest {
  /** These worlds, and no others. Without them: all worlds of `namespace`. */
  readonly sources?: readonly WorldSource[] | undefined;
  /** Where sources without a namespace live; the engine's default namespace when not given. */
  readonly namespace?: string | undefined;
}

export interface CreateWorldRequest {
  readonly slug: string;
  readonly namespace?: string | undefined;
  readonly label?: string | undefined;
  readonly description?: string | null | undefined;
  /**
   * What to do when the world exists: throw ALREADY_EXISTS (the default), or return it unchanged.
   */
  readonly ifExists?: 'error' | 'return' | undefined;
}

export interface ListWorldsRequest {
  readonly namespace?: string | undefined;
  /** From 1; 1 when not given. */
  readonly page?: number | undefined;
  /** 1 to 100; 20 when not given. */
  readonly pageSize?: number | undefined;
}

export interface UpdateWorldRequest extends SourceRequest {
  readonly label?: string | undefined;
  readonly description?: string | null | undefined;
  /** CONFLICT unless the world is at this revision. */
  readonly ifRevision?: number | undefined;
}

export interface DeleteWorldRequest extends SourceRequest {
  /** CONFLICT unless the world is at this revision. */
  readonly ifRevision?: number | undefined;
}

/** One document, or RDF/JS quads, to import. */
export interface ImportDocument {
  readonly data: ImportData;
  /**
   * The media type of a document. When not given: that of a Response or Blob, or of the extension
   * of a file's name; application/n-quads where nothing tells. `notes` of the result say what was
   * taken.
   */
  readonly contentType?: string | undefined;
  /** Where relative IRIs resolve. Without it they are INVALID_RDF. */
  readonly baseIri?: string | undefined;
  /**
   * JSON-LD only: a context in which the document is read, before its own. It turns plain JSON into
   * RDF.
   */
  readonly context?: unknown;
  /**
   * JSON-LD only: what a value with `@direction` becomes: a literal with a datatype of the i18n
   * namespace, a blank node that is a compound literal, or (`dir-lang-string`) a literal of RDF 1.2
   * with a base direction. Ignored when not given, as JSON-LD has it, with a note.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /** Whether bytes that begin as gzip does are decompressed; true when not given. */
  readonly decompress?: boolean | undefined;
}

/** Where an import goes, and how. */
export interface ImportOptions extends SourceRequest {
  /**
   * The graph that all triples go into; it exists afterwards, be it empty. INVALID_RDF when the
   * document has named graphs.
   */
  readonly graph?: GraphName | undefined;
  /**
   * `merge`, the default, adds. `replace` leaves exactly what is imported: in `graph`, or without
   * one in the whole world, whose other graphs go. What was there goes in the same commit.
   */
  readonly mode?: 'merge' | 'replace' | undefined;
  /** CONFLICT unless the world is at this revision when the import commits. */
  readonly ifRevision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

export interface ImportRequest extends ImportOptions, ImportDocument {}

export interface ImportAllRequest extends ImportOptions {
  readonly documents: readonly ImportDocument[];
}

/** Names one graph of one world. */
export interface GraphRequest extends SourceRequest {
  readonly graph: GraphName;
}

export interface DeleteGraphRequest extends GraphRequest {
  /** CONFLICT unless the world is at this revision. */
  readonly ifRevision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WriteRequest extends SourceRequest {
  /** RDF/JS quads: an array, a DatasetCore, any iterable. */
  readonly insert?: Iterable<RDF.Quad> | undefined;
  readonly delete?: Iterable<RDF.Quad> | undefined;
  readonly ifRevision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names one namespace. */
export interface NamespaceRequest {
  /** The engine's default namespace when not given. */
  readonly namespace?: string | undefined;
}

export interface ChangesRequest {
  /** The engine's default namespace when not given. */
  readonly namespace?: string | undefined;
  /**
   * The revision after which the changes begin, as a change, `getNamespace` or `error.revision` of
   * TRUNCATED gave it; the namespace's present one when not given.
   */
  readonly after?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CommitStatusRequest {
  /** The engine's default namespace when not given. */
  readonly namespace?: string | undefined;
  /** The `commit` of the IN_DOUBT error. */
  readonly commit: string;
}

export interface CompactRequest {
  /** All namespaces when not given. */
  readonly namespace?: string | undefined;
  /**
   * Lets go, too, of what is only kept because `changes` may be asked for it; `changes` then begins
   * at the present revision. Not when not given.
   */
  readonly forgetChanges?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A stream of Node's or of the Web's that takes bytes. */
export type ByteSink = NodeJS.WritableStream | WritableStream<Uint8Array>;

/** Told of each namespace before it is looked at. */
export interface CheckProgress {
  readonly namespace: string;
  /** How many have been looked at before it. */
  readonly done: number;
  /** How many are looked at in all. */
  readonly total: number;
}

export interface CheckRequest {
  /** The one to verify; all when not given. */
  readonly namespace?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}

export interface SalvageRequest {
  /** The default namespace when not given. */
  readonly namespace?: string | undefined;
  /**
   * Whether a damaged namespace whose acknowledged state is proven is repaired; not when not given.
   */
  readonly repair?: boolean | undefined;
  /**
   * Takes the state that is proven, as N-Quads: one stream for all worlds, each after a comment
   * that names it, or a function that gives a stream for each world. The streams are ended.
   */
  readonly output?: ByteSink | ((world: World) => ByteSink | Promise<ByteSink>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ExportRequest extends SourceRequest {
  /** application/n-quads when not given. */
  readonly contentType?: string | undefined;
  /**
   * One graph, as the default graph of the document. NOT_FOUND when the world has no such graph.
   */
  readonly graph?: GraphName | undefined;
  /** Prefix to namespace IRI, for Turtle, TriG and N3. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /**
   * JSON-LD only: what becomes `@direction` besides literals with a base direction of their own:
   * see `import`.
   */
  readonly rdfDirection?: RdfDirection | undefined;
  /**
   * JSON-LD only: a context - an object, an array of contexts, or a document with `@context` - that
   * the document is compacted with; it is in expanded form otherwise. INVALID_ARGUMENT for what is
   * no context, for a remote one without the engine's `documentLoader`, and for another format;
   * UNSUPPORTED for data that the context leaves no name for.
   */
  readonly context?: unknown;
  /**
   * Makes the document, its order included, depend on the world's own data alone, as
   * `canonicalOrder` of a query does. Takes memory in proportion to the world; off unless true.
   */
  readonly canonicalOrder?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names a world, or one graph of it. */
export interface WorldGraphRequest extends SourceRequest {
  /** One graph, as a default graph. NOT_FOUND when the world has no such graph. */
  readonly graph?: GraphName | undefined;
}

/** What a request may take that compares blank nodes by what is said of them. */
export interface CanonicalBounds {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds, after which the call throws TIMEOUT; no limit by default. */
  readonly timeoutMs?: number | undefined;
  /**
   * Limit in bytes for what the request keeps while it runs, which is several times the size of the
   * data as N-Quads; LIMIT_EXCEEDED above it. Half of the engine's `memoryPool` when not given.
   */
  readonly maxMemoryBytes?: number | undefined;
}

export interface CanonicalizeRequest extends WorldGraphRequest, CanonicalBounds {
  /** What blank nodes are told apart with, and the hash of the whole; SHA-256 when not given. */
  readonly algorithm?: CanonicalHash | undefined;
}

export interface IsomorphicRequest extends WorldGraphRequest, CanonicalBounds {
  /** What is compared with `source`. */
  readonly to: WorldGraphRequest;
}

export interface QuadsRequest extends SourceRequest {
  readonly subject?: RDF.Term | null | undefined;
  readonly predicate?: RDF.Term | null | undefined;
  readonly object?: RDF.Term | null | undefined;
  readonly graph?: RDF.Term | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface EntityRequest extends SourceRequest {
  /**
   * The IRI of the entity, the `_:label` of a blank node as this library gave it out, or the term
   * of either.
   */
  readonly entity: string | RDF.NamedNode | RDF.BlankNode;
  /** Prefix name (without `:`) to namespace IRI: a predicate in it becomes `prefix:name`. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /**
   * Names of predicates, as the simple terms of a JSON-LD context:
   * `{ name: 'http://xmlns.com/foaf/0.1/name' }`. A value that ends in `/`, `#` or another
   * delimiter is a prefix too, other values may use it, and `@vocab` is the namespace of predicates
   * that go without one.
   */
  readonly context?: Readonly<Record<string, string>> | undefined;
  /** One graph of the world; all of them when not given. */
  readonly graph?: GraphName | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SparqlRequest extends ScopeRequest {
  /** A query or an update request. */
  readonly query: string | SparqlText;
  /** Graphs that make the default graph, in place of FROM (of USING in an update). */
  readonly defaultGraphUris?: readonly string[] | undefined;
  /** Named graphs, in place of FROM NAMED (of USING NAMED in an update). */
  readonly namedGraphUris?: readonly string[] | undefined;
  /**
   * Values for variables of the text, by name: terms that are never parsed, so that nothing can be
   * injected.
   */
  readonly bindings?: Readonly<Record<string, TermValue>> | ReadonlyMap<string, TermValue> | undefined;
  /** Where relative IRIs of the text resolve. */
  readonly baseIri?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds, after which the call throws TIMEOUT; no limit by default. */
  readonly timeoutMs?: number | undefined;
  /** LIMIT_EXCEEDED when there are more rows or triples; no limit when not given. */
  readonly maxRows?: number | undefined;
  /**
   * Limit in bytes for what the request keeps while it runs: rows, values, computed terms, and what
   * an update is about to write; LIMIT_EXCEEDED above it. Half of the engine's `memoryPool` when
   * not given, and never more than the whole. OVERLOADED when other requests leave too little of
   * the pool.
   */
  readonly maxMemoryBytes?: number | undefined;
  /** For updates: CONFLICT unless the target world is at this revision. */
  readonly ifRevision?: number | undefined;
  /**
   * Makes the answer, its order included, depend on the data of its worlds alone, as terms: for
   * callers that must not infer what other worlds of the namespace hold. Rows without ORDER BY are
   * sorted, so none comes before the last is found; off unless true. SPARQL engines other than the
   * library's own ignore it.
   */
  readonly canonicalOrder?: boolean | undefined;
  /**
   * For updates: PERMISSION_DENIED unless no outcome can tell what the worlds hold, as with INSERT
   * DATA and DELETE DATA. For callers that may write and not read. Without it any update runs.
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

export interface ExplainRequest extends Omit<SparqlRequest, 'ifRevision' | 'blind'> {
  /**
   * Runs the query to its end, without giving its rows, and adds what each operator did. Updates
   * are not run: INVALID_ARGUMENT.
   */
  readonly analyze?: boolean | undefined;
}

export interface SearchRequest extends ScopeRequest {
  readonly query: string;
  /** 20 when not given, at most 1000. */
  readonly limit?: number | undefined;
  /** Only triples with one of these subjects: IRIs, or labels of blank nodes. */
  readonly subjects?: readonly string[] | undefined;
  /** Only triples with one of these predicates. */
  readonly predicates?: readonly string[] | undefined;
  /** Only triples whose subject has one of these types in its world. */
  readonly types?: readonly string[] | undefined;
  /** How the text and the vector ranking are joined; as the engine is set up when not given. */
  readonly fusion?: Fusion | undefined;
  /**
   * What a word counts for in the names around a text, `false` for the text alone; as the engine is
   * set up when not given.
   */
  readonly fields?: FieldOptions | undefined;
  /** Whether the best hits tell what else to look for; as the engine is set up when not given. */
  readonly feedback?: boolean | FeedbackOptions | undefined;
  /**
   * Whether the last word of the query may be unfinished, as while somebody types: it then also
   * finds words that begin with it, which rank below the word itself; as the text index is set up
   * when not given.
   */
  readonly prefix?: boolean | undefined;
  /** Whether each hit says why it is one. */
  readonly explain?: boolean | undefined;
  /**
   * Makes hits, ranks and scores depend on the data of the searched worlds alone, as
   * `canonicalOrder` of a query does. Waits for pending vectors, and finds by text alone with an
   * embedder that learns; off unless true.
   */
  readonly canonicalOrder?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ServiceDescriptionRequest extends ScopeRequest {
  /** The public address of the endpoint; an absolute IRI. */
  readonly endpointUrl: string;
  /** text/turtle when not given. */
  readonly contentType?: string | undefined;
}

export interface BackupOptions {
  /**
   * The token of an earlier backup of this engine or storage: writes only what changed since. A
   * full backup when not given.
   */
  readonly since?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackupResult {
  /**
   * For the `since` of a later backup: opaque, without spaces, about 200 characters per namespace.
   * `backupToken` reads it from the backup, too.
   */
  readonly token: string;
}
