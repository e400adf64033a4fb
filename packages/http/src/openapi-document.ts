import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { OPERATIONS, type OperationDescription } from './openapi-operations.ts';
import { ErrorBody } from './result-schemas.ts';
import { ROUTES, type Route } from './routes.ts';

const DESCRIPTION = `A world is a named RDF dataset in a namespace. This service creates, lists, changes and deletes worlds, imports and exports RDF, runs SPARQL 1.1 queries and updates over one world or all worlds of a namespace, searches triples, and streams changes.

**Namespaces.** Routes below \`/namespaces/{namespace}\` name a namespace. The same routes without this prefix use the caller's default namespace, which \`_\` also denotes.

**Errors.** The body of an error is \`{"error": {"message": "..."}}\`. The header \`RDF-Worlds-Error\` contains the error code and, as parameters, further fields of the error, for example \`INVALID_SPARQL; line=1; column=7\`. In addition to its own statuses, an operation can return these:

| status | reason |
|---|---|
| 405 | The route does not support the method. |
| 408 | The body stopped arriving, or took too long. |
| 409 | The world is not at the revision that the header \`RDF-Worlds-If-Revision\` of a write requires. |
| 412 | A condition of the request, \`If-Match\` or \`If-None-Match\`, is false. Nothing was changed. |
| 413 | The body is too large, or has too many values or parts, or names too many worlds. |
| 415 | The service runs without credentials, and the \`Content-Type\` is one that HTML forms can send. |
| 429 | The caller has sent too many requests. |
| 431 | The headers are too large. |
| 500 | The server has failed. |
| 503 | The server is overloaded, the deadline has passed, or the storage or an embedder has failed. |
| 507 | The change would exceed a quota. |

**Unknown fields.** Unknown fields and parameters are ignored, unless they are probably a misspelling of a known one; then the response is 400.`;

/** Descriptions of error responses; see `errors` of an operation for others. */
const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'The request is invalid, not supported, or exceeds a limit; the message says where and why.',
  401: 'The credentials are missing or invalid.',
  403: 'The caller does not have the required permission.',
  404: 'There is no such world.',
  409: 'A world with this name already exists.',
  410: 'The requested moment is no longer kept.',
};
const INVALID_OR_UNKNOWN =
  'The request is invalid, not supported, or exceeds a limit, or there is no such world; the message says where and why.';

const REST_OF_ADDRESS = z.string().meta({
  description:
    'The rest of the URL path; it may contain slashes. The IRI of the graph is the URL of the graph with the prefix `/namespaces/{namespace}`, whether the request has this prefix or not.',
});
const SLUG = z.string().meta({ description: 'Name of the world within its namespace.' });

const FAMILIES: readonly Family[] = [
  { prefix: '', suffix: '', parameters: {} },
  {
    prefix: '/namespaces/{namespace}',
    suffix: 'InNamespace',
    parameters: {
      namespace: z.string().meta({ description: 'Name of a namespace, or `_` for the caller’s default namespace.' }),
    },
  },
];

/**
 * Returns the OpenAPI 3.1 document of the service, generated from the route table and the schemas
 * that validate requests.
 */
export function openapiDocument(publicUrl: string): object {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token that the service accepts, in the header `Authorization: Bearer <token>`.',
  });
  for (const { prefix, suffix, parameters } of FAMILIES) {
    for (const route of ROUTES)
      if (prefix === '' || !route.isGlobal) registry.registerPath(pathOf(route, { prefix, suffix, parameters }));
  }
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'RDF Worlds',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Worlds', description: 'Worlds, with their schemas and statistics.' },
      { name: 'Data', description: 'Import and export of RDF documents.' },
      { name: 'Time', description: 'Forks of worlds, and comparison of states.' },
      { name: 'Changes', description: 'Change feeds, as server-sent events.' },
      { name: 'SPARQL', description: 'SPARQL 1.1 queries and updates.' },
      { name: 'Search', description: 'Full-text and vector search.' },
      {
        name: 'Graph store',
        description: 'Single graphs of a world, by SPARQL 1.1 Graph Store HTTP Protocol. A world is a graph store.',
      },
      { name: 'Operation', description: 'The caller, the activity of the server, and backups.' },
    ],
  });
}

interface Family {
  readonly prefix: string;
  readonly suffix: string;
  readonly parameters: Readonly<Record<string, z.ZodType>>;
}

function pathOf(route: Route, { prefix, suffix, parameters }: Family): RouteConfig {
  const operation: OperationDescription = OPERATIONS[route.operation];
  const { summary, description, tag, body, answers, errors } = operation;
  const statuses = new Set(route.statuses);
  if (prefix !== '') statuses.add(403);
  // OpenAPI 3.1 cannot express a path parameter with slashes; its description says so.
  const isByAddress = route.path.endsWith('/{graph*}');
  const query = isByAddress ? operation.queryByAddress : operation.query;
  const variables = {
    ...parameters,
    ...(route.path.includes('{slug}') && { slug: SLUG }),
    ...(isByAddress && { graph: REST_OF_ADDRESS }),
  };
  const errorTexts = route.unknownWorld === 400 ? { ...ERROR_TEXTS, 400: INVALID_OR_UNKNOWN } : ERROR_TEXTS;
  const responses: RouteConfig['responses'] = {};
  for (const status of [...statuses].sort()) {
    responses[status] = answers[status] ?? {
      description: errors?.[status] ?? errorTexts[status],
      ...errorContent(),
    };
  }
  responses['default'] = {
    description:
      'Any other error, such as 405, 408, 409, 412, 413, 415, 429, 431, 500, 503 or 507. The description of the service lists the reasons.',
    ...errorContent(),
  };
  return {
    method: route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete',
    path: prefix + route.path.replace('{graph*}', '{graph}'),
    operationId: route.operation + (isByAddress ? 'ByAddress' : '') + suffix,
    summary: isByAddress ? `${summary}, named by the path` : summary,
    ...(description && { description }),
    tags: [tag],
    request: {
      ...(Object.keys(variables).length > 0 && { params: z.object(variables) }),
      ...(query && { query }),
      ...(body && { body }),
    },
    responses,
  };
}

function errorContent() {
  return { content: { 'application/json': { schema: ErrorBody } } };
}
