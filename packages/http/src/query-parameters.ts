import { WorldsError } from '@rdf-worlds/core';
import { misspeltName } from '@rdf-worlds/core/internal';
import type { z } from 'zod';
import type { OperationName } from './route-info.ts';
import {
  ConsistencyQuery,
  CreateWorldParams,
  DeleteWorldBody,
  DiffPostBody,
  ExportPostBody,
  ForkPostBody,
  ImportPostBody,
  ImportQuery,
  MomentQuery,
  SearchPostBody,
  SparqlPostBody,
  UpdateWorldParams,
} from './schemas.ts';

interface Parameters {
  /** Names in the query string. */
  readonly url?: readonly string[];
  /** The JSON body, whose fields are no parameters of the URL. */
  readonly body?: z.ZodObject;
}

const CONSISTENCY = Object.keys(ConsistencyQuery.shape);
const PAST = Object.keys(MomentQuery.shape);
const GRAPH = ['graph', 'default'];
const FEED = ['after', 'quads', 'follow', ...CONSISTENCY];

/** Parameters of the SPARQL 1.1 Protocol (2.1 and 2.2), and ours, in the URL or in a form. */
export const PROTOCOL_PARAMETERS: readonly string[] = [
  'query',
  'update',
  'default-graph-uri',
  'named-graph-uri',
  'using-graph-uri',
  'using-named-graph-uri',
  ...PAST,
];
const SPARQL: Parameters = { url: PROTOCOL_PARAMETERS, body: SparqlPostBody };

/** The query parameters of each operation. A test compares them with the OpenAPI document. */
export const OPERATION_PARAMETERS: Readonly<Record<OperationName, Parameters>> = {
  listWorlds: { url: ['page', 'pageSize', ...CONSISTENCY] },
  createWorld: { body: CreateWorldParams },
  getWorld: { url: PAST },
  updateWorld: { body: UpdateWorldParams },
  deleteWorld: { body: DeleteWorldBody },
  exportWorld: { body: ExportPostBody },
  importWorld: { url: Object.keys(ImportQuery.shape), body: ImportPostBody },
  forkWorld: { body: ForkPostBody },
  diffWorlds: { body: DiffPostBody },
  sparqlWorld: SPARQL,
  sparqlCollection: SPARQL,
  querySparqlWorld: SPARQL,
  querySparqlCollection: SPARQL,
  searchWorld: { body: SearchPostBody },
  searchCollection: { body: SearchPostBody },
  listNamespaces: {},
  namespaceStats: {},
  worldStats: {},
  getGraph: { url: [...GRAPH, ...PAST] },
  putGraph: { url: GRAPH },
  postGraph: { url: GRAPH },
  deleteGraph: { url: GRAPH },
  backup: { url: ['since'] },
  namespaceChanges: { url: FEED },
  worldChanges: { url: FEED },
  serverActivity: {},
  worldSchema: { url: ['limit', ...CONSISTENCY] },
};

/**
 * Throws `INVALID_ARGUMENT` for an unknown query parameter that is a misspelling of a known one, or
 * a field of the JSON body. Others are ignored, because clients and caches add their own.
 */
export function requireIntendedParameters(operation: OperationName, query: URLSearchParams): void {
  if (query.size === 0) return;
  const { url = [], body } = OPERATION_PARAMETERS[operation];
  requireSpelling(url, query);
  if (!body) return;
  for (const name of query.keys()) {
    if (!url.includes(name) && Object.hasOwn(body.shape, name))
      invalid(`${name}: it is a field of the JSON body, not a parameter of the URL; send it in the body.`);
  }
}

/** Unknown parameters that are compared with the known ones: a form may have 100,000. */
const MAX_COMPARED = 1_000;

/** Throws `INVALID_ARGUMENT` for an unknown parameter that is a misspelling of a known one. */
export function requireSpelling(known: readonly string[], query: URLSearchParams): void {
  let compared = 0;
  for (const name of query.keys()) {
    if (known.includes(name)) continue;
    if (++compared > MAX_COMPARED) return;
    const meant = misspeltName(name, known);
    if (meant !== undefined)
      invalid(`The URL or form: there is no parameter ${JSON.stringify(name)}; did you mean ${meant}?`);
  }
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}
