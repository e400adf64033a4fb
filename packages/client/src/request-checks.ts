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
  ImportDocument,
  ImportRequest,
  ListWorldsRequest,
  NamespaceRequest,
  QuadsRequest,
  ReadRequest,
  SchemaRequest,
  SearchRequest,
  SparqlRequest,
  UpdateWorldRequest,
  WriteRequest,
} from '@rdf-worlds/core';
import { fieldsOf, isAbortSignal, requireKnownFields, tagOf, WorldsError } from '@rdf-worlds/core/remote';
import type { FollowRequest } from './follow-changes.ts';

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
  consistency: true,
  signal: true,
  timeoutMs: true,
  maxRows: true,
  maxMemoryBytes: true,
  canonicalOrder: true,
} as const;

/**
 * The fields of a request but for `at`, which has no route here: the client refuses it as unknown.
 */
const presentFields = <Request>(fields: Record<keyof Omit<Request, 'at'>, true>) =>
  fieldsOf<Omit<Request, 'at'>>(fields);

/** The fields of each request, in the order of the engine's messages. */
export const REQUEST_FIELDS = {
  createWorld: fieldsOf<CreateWorldRequest>({
    slug: true,
    namespace: true,
    label: true,
    description: true,
    ifExists: true,
  }),
  getWorld: fieldsOf<GetWorldRequest>({ source: true, at: true, consistency: true }),
  listWorlds: presentFields<ListWorldsRequest>({ namespace: true, page: true, pageSize: true, consistency: true }),
  namespace: fieldsOf<NamespaceRequest>({ namespace: true }),
  updateWorld: fieldsOf<UpdateWorldRequest>({ source: true, label: true, description: true, ifRevision: true }),
  deleteWorld: fieldsOf<DeleteWorldRequest>({ source: true, ifRevision: true }),
  document: fieldsOf<ImportDocument>(document),
  import: fieldsOf<ImportRequest>({ ...importFields, ...document }),
  importAll: fieldsOf<ImportAllRequest>({ ...importFields, documents: true }),
  write: fieldsOf<WriteRequest>({ source: true, insert: true, delete: true, ifRevision: true, signal: true }),
  export: fieldsOf<ExportRequest>({
    source: true,
    at: true,
    consistency: true,
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
  graph: fieldsOf<GraphRequest>({ source: true, graph: true, at: true }),
  deleteGraph: presentFields<DeleteGraphRequest>({ source: true, graph: true, ifRevision: true, signal: true }),
  quads: fieldsOf<QuadsRequest>({
    source: true,
    at: true,
    consistency: true,
    subject: true,
    predicate: true,
    object: true,
    graph: true,
    signal: true,
  }),
  getEntity: fieldsOf<EntityRequest>({
    source: true,
    at: true,
    consistency: true,
    entity: true,
    prefixes: true,
    context: true,
    graph: true,
    signal: true,
  }),
  fork: fieldsOf<ForkRequest>({
    source: true,
    at: true,
    slug: true,
    label: true,
    description: true,
    signal: true,
  }),
  diff: fieldsOf<DiffRequest>({ source: true, from: true, to: true, maxMemoryBytes: true, signal: true }),
  diffTo: fieldsOf<ReadRequest>({ source: true, at: true }),
  worldQuotas: fieldsOf<{ source: unknown }>({ source: true }),
  backup: fieldsOf<{ since: unknown; signal: unknown }>({ since: true, signal: true }),
  sparql: fieldsOf<SparqlRequest>({ ...sparql, ifRevision: true, blind: true }),
  explain: fieldsOf<ExplainRequest>({ ...sparql, analyze: true }),
  schema: fieldsOf<Omit<SchemaRequest, 'maxMemoryBytes'>>({
    source: true,
    limit: true,
    consistency: true,
    signal: true,
  }),
  validate: ['query', 'baseIri', 'source', 'namespace', 'signal'],
  changes: fieldsOf<FollowRequest>({
    source: true,
    namespace: true,
    after: true,
    maxQuads: true,
    follow: true,
    signal: true,
  }),
  search: presentFields<SearchRequest>({
    query: true,
    sources: true,
    namespace: true,
    consistency: true,
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
 * Throws INVALID_ARGUMENT for what the server would not notice: a value that is not a request, an
 * unknown field, an invalid signal or revision. The server checks the rest.
 */
export function requireRequest(operation: string, request: unknown, fields: readonly string[]): void {
  if (typeof request !== 'object' || request === null)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: expected a request object, not ${request === null ? 'null' : typeof request}.`,
    );
  requireKnownFields(request, fields, operation);
  const { signal, ifRevision, at } = request as { signal?: unknown; ifRevision?: unknown; at?: unknown };
  requireMoment(at, `${operation}: at`);
  if (signal !== undefined && !isAbortSignal(signal))
    throw new WorldsError('INVALID_ARGUMENT', `${operation}: signal: expected an AbortSignal`);
  if (ifRevision !== undefined && !(Number.isSafeInteger(ifRevision) && (ifRevision as number) >= 0)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${operation}: ifRevision: expected a revision, a whole number of 0 or more; it is NaN in results for callers that may not read the whole namespace.`,
    );
  }
}

/**
 * Throws INVALID_ARGUMENT that names `field` for anything but a revision, a valid date or
 * undefined.
 */
export function requireMoment(at: unknown, field: string): void {
  if (at !== undefined && !(Number.isSafeInteger(at) && (at as number) >= 0) && !isDate(at))
    throw new WorldsError('INVALID_ARGUMENT', `${field}: expected a revision or a valid Date`);
}

/** Whether a value is a valid date. */
export function isDate(value: unknown): value is Date {
  return tagOf(value) === 'Date' && !Number.isNaN((value as Date).getTime());
}
