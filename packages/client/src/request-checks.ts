import type {
  CreateWorldRequest,
  DeleteGraphRequest,
  DeleteWorldRequest,
  EntityRequest,
  ExplainRequest,
  ExportRequest,
  GraphRequest,
  ImportAllRequest,
  ImportDocument,
  ImportRequest,
  ListWorldsRequest,
  NamespaceRequest,
  QuadsRequest,
  SearchRequest,
  SourceRequest,
  SparqlRequest,
  UpdateWorldRequest,
  WriteRequest,
} from '@rdf-worlds/core';
import { fieldsOf, isAbortSignal, requireKnownFields, WorldsError } from '@rdf-worlds/core/remote';

const document = {
  data: true,
  contentType: true,
  baseIri: true,
  context: true,
  rdfDirection: true,
  decompress: true,
} as const;
const importFields = {
  source: true,
  graph: true,
  mode: true,
  ifRevision: true,
  signal: true,
  onProgress: true,
} as const;
const sparql = {
  query: true,
  sources: true,
  namespace: true,
  defaultGraphUris: true,
  namedGraphUris: true,
  bindings: true,
  baseIri: true,
  signal: true,
  timeoutMs: true,
  maxRows: true,
  maxMemoryBytes: true,
  canonicalOrder: true,
} as const;

/**
 * The fields of a request but for `at`: the server answers for the present only, so the client
 * refuses it as unknown.
 */
const remoteFields = <Request>(fields: Record<Exclude<keyof Request, 'at' | 'consistency'>, true>) =>
  fieldsOf<Omit<Request, 'at' | 'consistency'>>(fields as Record<keyof Omit<Request, 'at' | 'consistency'>, true>);

/** The fields of each request, in the order of the engine's messages. */
export const REQUEST_FIELDS = {
  createWorld: remoteFields<CreateWorldRequest>({
    slug: true,
    namespace: true,
    label: true,
    description: true,
    ifExists: true,
  }),
  source: remoteFields<SourceRequest>({ source: true }),
  listWorlds: remoteFields<ListWorldsRequest>({ namespace: true, page: true, pageSize: true }),
  namespace: remoteFields<NamespaceRequest>({ namespace: true }),
  updateWorld: remoteFields<UpdateWorldRequest>({ source: true, label: true, description: true, ifRevision: true }),
  deleteWorld: remoteFields<DeleteWorldRequest>({ source: true, ifRevision: true }),
  document: remoteFields<ImportDocument>(document),
  import: remoteFields<ImportRequest>({ ...importFields, ...document }),
  importAll: remoteFields<ImportAllRequest>({ ...importFields, documents: true }),
  write: remoteFields<WriteRequest>({ source: true, insert: true, delete: true, ifRevision: true, signal: true }),
  export: remoteFields<ExportRequest>({
    source: true,
    contentType: true,
    graph: true,
    prefixes: true,
    rdfDirection: true,
    context: true,
    frame: true,
    framing: true,
    canonicalOrder: true,
    signal: true,
  }),
  graph: remoteFields<GraphRequest>({ source: true, graph: true }),
  deleteGraph: remoteFields<DeleteGraphRequest>({ source: true, graph: true, ifRevision: true, signal: true }),
  quads: remoteFields<QuadsRequest>({
    source: true,
    subject: true,
    predicate: true,
    object: true,
    graph: true,
    signal: true,
  }),
  getEntity: remoteFields<EntityRequest>({
    source: true,
    entity: true,
    prefixes: true,
    context: true,
    graph: true,
    signal: true,
  }),
  sparql: remoteFields<SparqlRequest>({ ...sparql, ifRevision: true, blind: true }),
  explain: remoteFields<ExplainRequest>({ ...sparql, analyze: true }),
  search: remoteFields<SearchRequest>({
    query: true,
    sources: true,
    namespace: true,
    limit: true,
    subjects: true,
    predicates: true,
    types: true,
    fusion: true,
    fields: true,
    feedback: true,
    prefix: true,
    explain: true,
    canonicalOrder: true,
    signal: true,
  }),
} as const;

/**
 * Throws INVALID_ARGUMENT for what the server would not notice: a value that is no request, an
 * unknown field, a signal that is none, a revision that is none. The server checks the rest.
 */
export function requireRequest(operation: string, request: unknown, fields: readonly string[]): void {
  if (typeof request !== 'object' || request === null)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: expected a request object, not ${request === null ? 'null' : typeof request}.`,
    );
  requireKnownFields(request, fields, operation);
  const { signal, ifRevision } = request as { signal?: unknown; ifRevision?: unknown };
  if (signal !== undefined && !isAbortSignal(signal))
    throw new WorldsError('INVALID_ARGUMENT', `${operation}: signal: expected an AbortSignal`);
  if (ifRevision !== undefined && !(Number.isSafeInteger(ifRevision) && (ifRevision as number) >= 0)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: ifRevision: expected a revision, a whole number of 0 or more; it is NaN in results for callers that may not read the whole namespace.`,
    );
  }
}
