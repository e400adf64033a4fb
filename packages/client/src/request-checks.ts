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
  ReadRequest,
  SearchRequest,
  SparqlRequest,
  UpdateWorldRequest,
  WriteRequest,
} from '@rdf-worlds/core';
import { fieldsOf, isAbortSignal, requireKnownFields, tagOf, WorldsError } from '@rdf-worlds/core/remote';

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
  at: true,
  signal: true,
  timeoutMs: true,
  maxRows: true,
  maxMemoryBytes: true,
  canonicalOrder: true,
} as const;

/** Fields without a route: the client refuses them as unknown. */
type Local = 'consistency';

/** The fields of a request but for those without a route. */
const remoteFields = <Request>(fields: Record<Exclude<keyof Request, Local>, true>) =>
  fieldsOf<Omit<Request, Local>>(fields as Record<keyof Omit<Request, Local>, true>);

/** The fields of a request but for those without a route, and `at`, which has none here. */
const presentFields = <Request>(fields: Record<Exclude<keyof Request, Local | 'at'>, true>) =>
  remoteFields<Omit<Request, 'at'>>(fields as Record<Exclude<keyof Omit<Request, 'at'>, Local>, true>);

/** The fields of each request, in the order of the engine's messages. */
export const REQUEST_FIELDS = {
  createWorld: remoteFields<CreateWorldRequest>({
    slug: true,
    namespace: true,
    label: true,
    description: true,
    ifExists: true,
  }),
  read: remoteFields<ReadRequest>({ source: true, at: true }),
  listWorlds: presentFields<ListWorldsRequest>({ namespace: true, page: true, pageSize: true }),
  namespace: remoteFields<NamespaceRequest>({ namespace: true }),
  updateWorld: remoteFields<UpdateWorldRequest>({ source: true, label: true, description: true, ifRevision: true }),
  deleteWorld: remoteFields<DeleteWorldRequest>({ source: true, ifRevision: true }),
  document: remoteFields<ImportDocument>(document),
  import: remoteFields<ImportRequest>({ ...importFields, ...document }),
  importAll: remoteFields<ImportAllRequest>({ ...importFields, documents: true }),
  write: remoteFields<WriteRequest>({ source: true, insert: true, delete: true, ifRevision: true, signal: true }),
  export: remoteFields<ExportRequest>({
    source: true,
    at: true,
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
  graph: remoteFields<GraphRequest>({ source: true, graph: true, at: true }),
  deleteGraph: presentFields<DeleteGraphRequest>({ source: true, graph: true, ifRevision: true, signal: true }),
  quads: remoteFields<QuadsRequest>({
    source: true,
    at: true,
    subject: true,
    predicate: true,
    object: true,
    graph: true,
    signal: true,
  }),
  getEntity: remoteFields<EntityRequest>({
    source: true,
    at: true,
    entity: true,
    prefixes: true,
    context: true,
    graph: true,
    signal: true,
  }),
  sparql: remoteFields<SparqlRequest>({ ...sparql, ifRevision: true, blind: true }),
  explain: remoteFields<ExplainRequest>({ ...sparql, analyze: true }),
  search: presentFields<SearchRequest>({
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
  const { signal, ifRevision, at } = request as { signal?: unknown; ifRevision?: unknown; at?: unknown };
  if (at !== undefined && !(Number.isSafeInteger(at) && (at as number) >= 0) && !isValidDate(at))
    throw new WorldsError('INVALID_ARGUMENT', `${operation}: at: expected a revision or a valid Date`);
  if (signal !== undefined && !isAbortSignal(signal))
    throw new WorldsError('INVALID_ARGUMENT', `${operation}: signal: expected an AbortSignal`);
  if (ifRevision !== undefined && !(Number.isSafeInteger(ifRevision) && (ifRevision as number) >= 0)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: ifRevision: expected a revision, a whole number of 0 or more; it is NaN in results for callers that may not read the whole namespace.`,
    );
  }
}

function isValidDate(value: unknown): boolean {
  return tagOf(value) === 'Date' && !Number.isNaN((value as Date).getTime());
}
