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
  readonly tag: string;
  readonly query?: z.ZodObject;
  /** The query string where the address itself names the graph. */
  readonly queryByAddress?: z.ZodObject;
  readonly body?: Body;
  /** Successful answers by status. */
  readonly answers: Readonly<Record<number, ResponseConfig>>;
}

const text = z.string();

const json = (schema: z.ZodType, required = true): Body => ({
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
  description: `Number of quads ${what}; absent for callers without read permission.`,
});
/** Describes an answer without a body, with headers that count the changes. */
const changed = (description: string): ResponseConfig => ({
  description,
  headers: { 'RDF-Worlds-Inserted': count('inserted'), 'RDF-Worlds-Deleted': count('deleted') },
});
/** Describes the answer of an import. */
const imported = (description: string): ResponseConfig => ({
  description,
  headers: {
    'RDF-Worlds-Inserted': count('inserted'),
    'RDF-Worlds-Deleted': count('deleted'),
    'RDF-Worlds-Notes': {
      schema: { type: 'string' as const },
      description: 'Notes on oddities of the documents, as a JSON array of strings; absent if there are none.',
    },
  },
});

const page = z.int().optional().meta({ default: 1 });
const pageSize = z.int().max(100).optional().meta({ default: 20 });
const graphQuery = z.object({
  graph: text.optional().meta({ description: 'The IRI of a named graph.' }),
  default: text.optional().meta({ description: 'Without a value: the default graph.' }),
});
const sparqlQuery = z.object({
  query: text
    .optional()
    .meta({ description: 'A SPARQL 1.1 query. If absent, the response is the service description.' }),
  'default-graph-uri': z.array(text).optional(),
  'named-graph-uri': z.array(text).optional(),
  ...MomentQuery.shape,
});
const graphBody: Body = { required: true, content: documents(GRAPH_TYPES) };
const importBody: Body = {
  required: true,
  content: {
    'application/json': { schema: ImportPostBody },
    ...graphBody.content,
    ...documents(['application/rdf-patch']),
  },
};

/** The interface's JSON body and the forms of SPARQL 1.1 Protocol 2.1.2, 2.1.3, 2.2.1 and 2.2.2. */
const sparqlBody: Body = {
  required: true,
  content: {
    'application/json': { schema: SparqlPostBody },
    ...documents(['application/sparql-query', 'application/sparql-update', 'application/x-www-form-urlencoded']),
  },
};

const queryAnswer: ResponseConfig = {
  description: 'The result of the query, or the service description if there is no query.',
  content: {
    ...documents([...SOLUTION_TYPES, ...GRAPH_TYPES, ...DESCRIPTION_TYPES]),
    [SPARQL_JSON]: { schema: SparqlResults },
  },
};

/** The result of a query, or its plan if the JSON body has `explain`. */
const explainedAnswer: ResponseConfig = {
  ...queryAnswer,
  description: `${queryAnswer.description} With \`explain\`, the plan as application/json; with \`validate\`, what is wrong with the text.`,
  content: { ...queryAnswer.content, 'application/json': { schema: z.union([QueryPlan, SparqlValidation]) } },
};

const sparql = (summary: string): OperationDescription => ({
  summary,
  tag: 'SPARQL',
  body: sparqlBody,
  answers: { 200: explainedAnswer, 204: changed('The update succeeded.') },
});
const querySparql = (summary: string, query: z.ZodObject): OperationDescription => ({
  summary,
  tag: 'SPARQL',
  query,
  answers: { 200: queryAnswer },
});
const changes = (summary: string): OperationDescription => ({
  summary,
  tag: 'Changes',
  query: z.object({
    after: text.optional().meta({
      description:
        'The id of an event, after which the feed starts; for callers that may read the whole namespace, also a revision. The header Last-Event-ID takes precedence. Default: now.',
    }),
    quads: z.int().min(0).optional().meta({ description: 'Maximum number of quads that are sent of one change.' }),
    follow: z.enum(['true', 'false']).optional().meta({
      default: 'true',
      description: 'Whether to wait for new changes; false ends the feed after the last one.',
    }),
    ...ConsistencyQuery.shape,
  }),
  answers: {
    200: {
      description: 'Server-sent events: `open`, `change`, `quads` and `end`.',
      content: documents(['text/event-stream']),
    },
  },
});
const search = (summary: string): OperationDescription => ({
  summary,
  tag: 'Search',
  body: json(SearchPostBody),
  answers: { 200: answer('The hits, best first.', z.union([z.array(TripleSearchResult), FacetedHits])) },
});

export const OPERATIONS: Readonly<Record<OperationName, OperationDescription>> = {
  listWorlds: {
    summary: 'List the worlds of a namespace that the caller may read',
    tag: 'Worlds',
    query: z.object({ page, pageSize, ...ConsistencyQuery.shape }),
    answers: {
      200: {
        ...answer('A page of worlds, by slug.', z.array(World)),
        headers: {
          'RDF-Worlds-Elsewhere': {
            schema: { type: 'string' as const },
            description:
              'Names of other namespaces with worlds that the caller may read, at most ten, separated by commas; only if the first page of the namespace of a caller who named none is empty.',
          },
        },
      },
    },
  },
  createWorld: {
    summary: 'Create a world',
    tag: 'Worlds',
    body: json(CreateWorldParams),
    answers: { 201: answer('The new world.', World) },
  },
  getWorld: {
    summary: 'Get a world',
    tag: 'Worlds',
    query: MomentQuery,
    answers: { 200: answer('The world.', World) },
  },
  updateWorld: {
    summary: 'Change the given fields of a world',
    tag: 'Worlds',
    body: json(UpdateWorldParams),
    answers: { 204: empty('Changed.') },
  },
  deleteWorld: {
    summary: 'Delete a world and all its data',
    tag: 'Worlds',
    body: json(DeleteWorldBody, false),
    answers: { 204: empty('Deleted.') },
  },
  exportWorld: {
    summary: 'Export a world as RDF',
    tag: 'Data',
    body: json(ExportPostBody, false),
    answers: { 200: { description: 'The document.', content: documents(EXPORT_TYPES) } },
  },
  forkWorld: {
    summary: 'Create a world as a copy of another one, now or as of a moment',
    tag: 'Time',
    body: json(ForkPostBody),
    answers: { 201: answer('The new world.', World) },
  },
  diffWorlds: {
    summary: 'Compare a world with itself at another moment, or with another world',
    tag: 'Time',
    body: json(DiffPostBody, false),
    answers: {
      200: {
        description: 'What changes the first state into the second.',
        content: documents(['application/rdf-patch']),
      },
    },
  },
  importWorld: {
    summary: 'Import RDF into a world',
    tag: 'Data',
    query: ImportQuery,
    body: importBody,
    answers: { 204: imported('Imported, in one commit.') },
  },
  sparqlWorld: sparql('Query or update a world'),
  sparqlCollection: sparql('Query all worlds of a namespace that the caller may read'),
  querySparqlWorld: querySparql('Query a world', sparqlQuery),
  querySparqlCollection: querySparql(
    'Query all worlds of a namespace that the caller may read',
    sparqlQuery.extend({
      query: text.meta({
        description: 'A SPARQL 1.1 query. If absent, the response is the world with the slug `sparql`.',
      }),
    }),
  ),
  searchWorld: search('Search the triples of a world'),
  searchCollection: search('Search the triples of all worlds of a namespace that the caller may read'),
  namespaceChanges: changes('Follow the changes of a namespace'),
  worldChanges: changes('Follow the changes of a world'),
  worldSchema: {
    summary: 'Get the classes, predicates and links of a world, with counts',
    tag: 'Worlds',
    query: z.object({
      limit: z.int().min(0).optional().meta({ description: 'Maximum length of each list.' }),
      ...ConsistencyQuery.shape,
    }),
    answers: { 200: answer('The schema.', WorldSchema) },
  },
  namespaceStats: {
    summary: 'Get the size and quotas of a namespace',
    tag: 'Worlds',
    answers: { 200: answer('The statistics.', NamespaceStats) },
  },
  worldStats: {
    summary: 'Get the quota use of a world',
    tag: 'Worlds',
    answers: { 200: answer('The statistics.', WorldStats) },
  },
  getGraph: {
    summary: 'Get a graph',
    tag: 'Graph store',
    query: graphQuery.extend(MomentQuery.shape),
    queryByAddress: MomentQuery,
    answers: { 200: { description: 'Its triples.', content: documents(GRAPH_TYPES) } },
  },
  putGraph: {
    summary: 'Replace a graph',
    tag: 'Graph store',
    query: graphQuery,
    body: graphBody,
    answers: { 201: imported('The graph is new.'), 204: imported('Replaced.') },
  },
  postGraph: {
    summary: 'Add to a graph',
    tag: 'Graph store',
    query: graphQuery,
    body: graphBody,
    answers: {
      201: imported(
        'The graph is new. If the URL names no graph, a new graph is always created, and Location names it.',
      ),
      204: imported('Added.'),
    },
  },
  listNamespaces: {
    summary: 'Describe the caller and its namespaces',
    tag: 'Operation',
    answers: { 200: answer('The caller, and the namespaces in which it may read or write.', CallerDescription) },
  },
  serverActivity: {
    summary: 'See what the server does, for callers with admin',
    tag: 'Operation',
    answers: { 200: answer('Running requests, slow queries, memory and background problems.', ServerActivity) },
  },
  backup: {
    summary: 'Back up all worlds, for callers with admin',
    tag: 'Operation',
    query: z.object({
      since: text.optional().meta({ description: 'The token of an earlier backup, to back up only later changes.' }),
    }),
    answers: {
      200: {
        description:
          'The backup, streamed; `rdf-worlds restore` creates a directory from it. Only one backup runs at a time; others get 503.',
        content: { 'application/octet-stream': { schema: text } },
      },
    },
  },
  deleteGraph: {
    summary: 'Delete a graph',
    tag: 'Graph store',
    query: graphQuery,
    answers: { 204: empty('Deleted.') },
  },
};
