import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { DESCRIPTION_TYPES, EXPORT_TYPES, GRAPH_TYPES, SOLUTION_TYPES, SPARQL_JSON } from './media-type.ts';
import {
  CallerDescription,
  FacetedHits,
  NamespaceStats,
  QueryPlan,
  ServerActivity,
  SparqlResults,
  SparqlValidation,
  TripleSearchResult,
  WorldSchema,
  WorldStats,
} from './result-schemas.ts';
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
  World,
} from './schemas.ts';

type RequestParts = NonNullable<RouteConfig['request']>;
type Body = NonNullable<RequestParts['body']>;

/** The part of an operation's OpenAPI description that is not in its route. */
export interface OperationDescription {
  readonly summary: string;
  /** Scope, required permissions and side effects, where the summary does not tell. */
  readonly description?: string;
  readonly tag: string;
  readonly query?: z.ZodObject;
  /** The query string where the address itself names the graph. */
  readonly queryByAddress?: z.ZodObject;
  readonly body?: Body;
  /** Successful answers by status. */
  readonly answers: Readonly<Record<number, ResponseConfig>>;
  /** Descriptions of error statuses that differ from the general ones. */
  readonly errors?: Readonly<Record<number, string>>;
}

const text = z.string();

const json = (description: string, schema: z.ZodType, required = true): Body => ({
  description,
  required,
  content: { 'application/json': { schema } },
});
const answer = (description: string, schema: z.ZodType): ResponseConfig => ({
  description,
  content: { 'application/json': { schema } },
});
const documents = (mediaTypes: readonly string[]) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: text }]));
const empty = (description: string): ResponseConfig => ({ description });
const count = (what: string) => ({
  schema: { type: 'integer' as const, minimum: 0 },
  description: `Number of ${what}. Absent for callers without read permission.`,
});
/** Describes an answer without a body, with headers that count the changes. */
const changed = (description: string): ResponseConfig => ({
  description,
  headers: { 'RDF-Worlds-Inserted': count('inserted quads'), 'RDF-Worlds-Deleted': count('deleted quads') },
});
const importHeaders = {
  'RDF-Worlds-Inserted': count('inserted quads'),
  'RDF-Worlds-Deleted': count('deleted quads'),
  'RDF-Worlds-Notes': {
    schema: { type: 'string' as const },
    description:
      'Notes on unusual content, such as JSON-LD without triples, as a JSON array of strings. Absent if there are none.',
  },
};
/** Describes the answer of a write of documents. */
const imported = (description: string): ResponseConfig => ({ description, headers: importHeaders });

const page = z
  .int()
  .optional()
  .meta({ default: 1, description: 'Page number, starting at 1. Smaller values are read as 1.' });
const pageSize = z.int().max(100).optional().meta({
  default: 20,
  description: 'Worlds per page, from 1 to 100. Values out of range are replaced by the nearest of these.',
});
const graphQuery = z.object({
  graph: text.optional().meta({ description: 'Absolute IRI of a named graph. Pass either `graph` or `default`.' }),
  default: text.optional().meta({ description: 'Selects the default graph. Has no value: `?default`.' }),
});
const defaultGraphs = z
  .array(text)
  .optional()
  .meta({ description: 'IRI of a graph to merge into the default graph; may be repeated. Overrides FROM.' });
const namedGraphs = z
  .array(text)
  .optional()
  .meta({ description: 'IRI of a named graph; may be repeated. Overrides FROM NAMED.' });
const sparqlQuery = z.object({
  query: text
    .optional()
    .meta({ description: 'A SPARQL 1.1 query. If it is absent or empty, the response is the service description.' }),
  'default-graph-uri': defaultGraphs,
  'named-graph-uri': namedGraphs,
  ...MomentQuery.shape,
});
const graphBody: Body = {
  description:
    'An RDF document with the triples of the graph, or several as multipart/form-data. A document with named graphs gets 400.',
  required: true,
  content: documents(GRAPH_TYPES),
};
const importBody: Body = {
  description:
    'An RDF document, with its media type as `Content-Type`, or several as multipart/form-data. Or JSON that contains a document in base64. All documents are imported in one commit, or none. A document of the type application/rdf-patch can also delete quads.',
  required: true,
  content: {
    'application/json': { schema: ImportPostBody },
    ...graphBody.content,
    ...documents(['application/rdf-patch']),
  },
};

/** The interface's JSON body and the forms of SPARQL 1.1 Protocol 2.1.2, 2.1.3, 2.2.1 and 2.2.2. */
const sparqlBody: Body = {
  description:
    'A query or an update: in JSON, as plain text, or as a form. With a JSON body, which has more options, the URL must not have parameters of the SPARQL Protocol.',
  required: true,
  content: {
    'application/json': { schema: SparqlPostBody },
    'application/sparql-query': {
      schema: text.meta({
        description:
          'A query. The URL may have the parameters `default-graph-uri`, `named-graph-uri`, `at` and `consistency`.',
      }),
    },
    'application/sparql-update': {
      schema: text.meta({
        description: 'An update. The URL may have the parameters `using-graph-uri` and `using-named-graph-uri`.',
      }),
    },
    'application/x-www-form-urlencoded': {
      schema: text.meta({
        description:
          'A form with either `query` or `update`. It may also have the parameters that the URL of a query or an update may have.',
      }),
    },
  },
};

const queryAnswer: ResponseConfig = {
  description:
    'The result of the query, or the service description if there is no query. `Accept` selects the media type. The default is application/sparql-results+json for SELECT and ASK, and text/turtle for CONSTRUCT, DESCRIBE and the service description.',
  content: {
    ...documents([...SOLUTION_TYPES, ...GRAPH_TYPES, ...DESCRIPTION_TYPES]),
    [SPARQL_JSON]: { schema: SparqlResults },
  },
};

/** The result of a query, or, with a JSON body, what `explain` or `validate` asks for. */
const explainedAnswer: ResponseConfig = {
  ...queryAnswer,
  description: `${queryAnswer.description} If the body is JSON, CONSTRUCT and DESCRIBE return application/sparql-results+json with \`results.quads\`, unless \`Accept\` prefers an RDF format; \`explain\` returns the plan, and \`validate\` the first error of the text, both as application/json.`,
  content: { ...queryAnswer.content, 'application/json': { schema: z.union([QueryPlan, SparqlValidation]) } },
};

const sparql = (summary: string, description: string): OperationDescription => ({
  summary,
  description,
  tag: 'SPARQL',
  body: sparqlBody,
  answers: { 200: explainedAnswer, 204: changed('The update was committed.') },
});
const querySparql = (summary: string, query: z.ZodObject): OperationDescription => ({
  summary,
  tag: 'SPARQL',
  query,
  answers: { 200: queryAnswer },
});
const changes = (summary: string, error404: string): OperationDescription => ({
  summary,
  description:
    'Sends each commit as a server-sent event, as soon as it is durable. Callers get the changes of the worlds that they may read.',
  tag: 'Changes',
  query: z.object({
    after: text.optional().meta({
      description:
        'Id of the event after which the feed starts. Callers that may read the whole namespace may also pass a revision, such as 0. The header `Last-Event-ID` takes precedence. Default: the feed starts now.',
    }),
    quads: z.int().min(0).optional().meta({
      description: 'Maximum number of quads to send for each change. Default and maximum: `maxRows` of the service.',
    }),
    follow: z.enum(['true', 'false']).optional().meta({
      default: 'true',
      description: '`true`: the feed stays open and waits for new changes. `false`: it ends after the last change.',
    }),
    ...ConsistencyQuery.shape,
  }),
  answers: {
    200: {
      description:
        'Server-sent events: `open` has the position where the feed starts, `change` describes a commit, `quads` has more quads of the preceding change, and `end` says why the server ends the feed.',
      content: documents(['text/event-stream']),
    },
  },
  errors: { 404: error404 },
});
const search = (summary: string, description: string): OperationDescription => ({
  summary,
  description,
  tag: 'Search',
  body: json('The text to search for, filters, and ranking options.', SearchPostBody),
  answers: {
    200: answer(
      'The hits, best first. With `facets`, an object with `hits` and `facets`.',
      z.union([z.array(TripleSearchResult), FacetedHits]),
    ),
  },
});

const ALL_WORLDS = 'Covers all worlds of the namespace that the caller may read, unless `sources` names worlds.';
const ONE_WORLD = 'Covers the world of the path, unless `sources` names other worlds.';
const UPDATED_WORLD =
  'An update writes one world: the only one that the request covers, or the one with `"write": true`.';

export const OPERATIONS: Readonly<Record<OperationName, OperationDescription>> = {
  listWorlds: {
    summary: 'List the worlds of a namespace that the caller may read',
    tag: 'Worlds',
    query: z.object({ page, pageSize, ...ConsistencyQuery.shape }),
    answers: {
      200: {
        ...answer('A page of worlds, sorted by slug.', z.array(World)),
        headers: {
          'RDF-Worlds-Elsewhere': {
            schema: { type: 'string' as const },
            description:
              'Names of other namespaces with worlds that the caller may read, at most ten, separated by commas. Only if the path names no namespace and the first page is empty.',
          },
        },
      },
    },
  },
  createWorld: {
    summary: 'Create a world',
    tag: 'Worlds',
    body: json('The name of the world, and texts for people.', CreateWorldParams),
    answers: { 201: answer('The new world.', World) },
    errors: { 400: 'The body is invalid; the message names the field.' },
  },
  getWorld: {
    summary: 'Get the record of a world',
    tag: 'Worlds',
    query: MomentQuery,
    answers: { 200: answer('The record of the world.', World) },
  },
  updateWorld: {
    summary: 'Change the label or description of a world',
    tag: 'Worlds',
    body: json('The fields to change. Others keep their values.', UpdateWorldParams),
    answers: { 204: empty('The world was changed.') },
  },
  deleteWorld: {
    summary: 'Delete a world and all its data',
    tag: 'Worlds',
    body: json('Only needed to name another world than that of the path.', DeleteWorldBody, false),
    answers: { 204: empty('The world and its data were deleted.') },
  },
  exportWorld: {
    summary: 'Export a world as RDF',
    tag: 'Data',
    body: json('Format and content of the document. Default: the whole world, now.', ExportPostBody, false),
    answers: {
      200: {
        description: 'The document, streamed. Turtle, N-Triples and N3 contain only the default graph.',
        content: documents(EXPORT_TYPES),
      },
    },
  },
  forkWorld: {
    summary: 'Create a world as a copy of another world, now or at a past moment',
    description: 'Requires `read` on the source and `write` on the new world.',
    tag: 'Time',
    body: json('The name of the new world, and the state to copy.', ForkPostBody),
    answers: { 201: answer('The new world.', World) },
  },
  diffWorlds: {
    summary: 'Compare two states of a world, or two worlds',
    description: 'Requires `read` on both worlds.',
    tag: 'Time',
    body: json('The two states to compare. Both default to the world of the path, now.', DiffPostBody, false),
    answers: {
      200: {
        description: 'The changes that turn the first state into the second.',
        content: documents(['application/rdf-patch']),
      },
    },
  },
  importWorld: {
    summary: 'Import RDF into a world',
    tag: 'Data',
    query: ImportQuery,
    body: importBody,
    answers: {
      204: {
        description: 'The documents were imported, in one commit.',
        headers: {
          ...importHeaders,
          'RDF-Worlds-Quads': {
            schema: { type: 'integer' as const, minimum: 0 },
            description: 'Number of quads in the documents.',
          },
          'RDF-Worlds-Created-Graphs': count('named graphs that did not exist before'),
        },
      },
    },
  },
  sparqlWorld: sparql('Query or update a world', `${ONE_WORLD} ${UPDATED_WORLD}`),
  sparqlCollection: sparql('Query or update the worlds of a namespace', `${ALL_WORLDS} ${UPDATED_WORLD}`),
  querySparqlWorld: querySparql('Query a world', sparqlQuery),
  querySparqlCollection: querySparql(
    'Query all worlds of a namespace that the caller may read',
    sparqlQuery.extend({
      query: text.meta({
        description:
          'A SPARQL 1.1 query. If it is empty, the response is the service description. Without the parameter, the path denotes the world with the slug `sparql`.',
      }),
    }),
  ),
  searchWorld: search('Search the triples of a world', ONE_WORLD),
  searchCollection: search('Search the triples of the worlds of a namespace', ALL_WORLDS),
  namespaceChanges: changes('Follow the changes of a namespace', 'The namespace has no worlds.'),
  worldChanges: changes(
    'Follow the changes of a world',
    'The namespace has no worlds, or the request has no position and there is no such world.',
  ),
  worldSchema: {
    summary: 'Get the classes, predicates and links of a world, with counts',
    description:
      'Counts the quads of all graphs. The first request for a revision reads the whole world; later ones are answered from a cache.',
    tag: 'Worlds',
    query: z.object({
      limit: z.int().min(0).optional().meta({
        description:
          'Maximum length of each list. At most, and by default, the lists have 2,000 classes, 20,000 predicates and 5,000 links.',
      }),
      ...ConsistencyQuery.shape,
    }),
    answers: { 200: answer('The schema, with the highest counts first.', WorldSchema) },
  },
  namespaceStats: {
    summary: 'Get the size of a namespace and the use of its quotas',
    description: 'Requires `read` on the whole namespace.',
    tag: 'Worlds',
    answers: { 200: answer('The numbers of worlds and quads, and the use of quotas.', NamespaceStats) },
  },
  worldStats: {
    summary: 'Get the use of the quotas of a world',
    tag: 'Worlds',
    answers: { 200: answer('The use of quotas.', WorldStats) },
  },
  getGraph: {
    summary: 'Get a graph',
    tag: 'Graph store',
    query: graphQuery.extend(MomentQuery.shape),
    queryByAddress: MomentQuery,
    answers: {
      200: {
        description: 'The triples of the graph, in Turtle unless `Accept` selects another type.',
        content: documents(GRAPH_TYPES),
      },
    },
    errors: { 404: 'There is no such world or graph. The default graph always exists.' },
  },
  putGraph: {
    summary: 'Create or replace a graph',
    tag: 'Graph store',
    query: graphQuery,
    body: graphBody,
    answers: {
      201: imported('The graph was created.'),
      204: imported('The graph was replaced. Callers without read permission get 204 for a new graph, too.'),
    },
  },
  postGraph: {
    summary: 'Add triples to a graph',
    tag: 'Graph store',
    query: graphQuery,
    body: graphBody,
    answers: {
      201: imported(
        'The graph was created. This includes a request whose URL names no graph: the header `Location` then has the IRI of the new graph, and the numbers of quads are absent.',
      ),
      204: imported(
        'The triples were added. If the URL names the graph, callers without read permission get 204 for a new graph, too.',
      ),
    },
  },
  listNamespaces: {
    summary: 'Describe the caller and its namespaces',
    tag: 'Operation',
    answers: {
      200: answer('The caller, and the namespaces in which it may read or write.', CallerDescription),
    },
  },
  serverActivity: {
    summary: 'Show what the server is doing',
    description: 'Requires `admin`, because it covers all tenants.',
    tag: 'Operation',
    answers: { 200: answer('Running requests, slow queries, memory and background problems.', ServerActivity) },
    errors: { 404: 'The server does not report its activity.' },
  },
  backup: {
    summary: 'Back up all worlds',
    description:
      'Requires `admin`. Reads and writes continue during the backup. While another backup is in progress, the response is 503.',
    tag: 'Operation',
    query: z.object({
      since: text.optional().meta({
        description: 'Token of an earlier backup. The backup then contains only later changes. Default: a full backup.',
      }),
    }),
    answers: {
      200: {
        description:
          'The backup, streamed. `rdf-worlds restore` creates a directory from it. It ends with a hash, so that a truncated backup is detected.',
        content: { 'application/octet-stream': { schema: text } },
      },
    },
  },
  deleteGraph: {
    summary: 'Delete a graph',
    tag: 'Graph store',
    query: graphQuery,
    answers: { 204: changed('The graph was deleted.') },
    errors: { 404: 'There is no such world or graph.' },
  },
};
