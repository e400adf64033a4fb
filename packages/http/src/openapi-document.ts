import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { OPERATIONS, type OperationDescription } from './openapi-operations.ts';
import { ErrorBody } from './result-schemas.ts';
import { ROUTES, type Route } from './routes.ts';

const DESCRIPTION = `A world is a named RDF dataset in a namespace. This service creates, lists, changes and deletes worlds, imports and exports RDF,
runs SPARQL 1.1 queries and updates over one world or all worlds of a namespace, and searches triples. The namespace \`_\` denotes the caller's default namespace.`;

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
};

const REST_OF_ADDRESS = z.string().meta({
  description: 'The rest of the URL, including slashes; the whole URL is the IRI of the graph.',
});

const FAMILIES: readonly Family[] = [
  { prefix: '', suffix: '', parameters: {} },
  {
    prefix: '/namespaces/{namespace}',
    suffix: 'InNamespace',
    parameters: { namespace: z.string().meta({ description: 'A namespace, or `_`.' }) },
  },
];

/**
 * Returns the OpenAPI 3.1 document of the service, generated from the route table and the schemas
 * that validate requests.
 */
export function openapiDocument(publicUrl: string): object {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
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
      { name: 'Worlds' },
      { name: 'Data' },
      { name: 'SPARQL' },
      { name: 'Search' },
      { name: 'Graph store' },
      { name: 'Operation' },
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
  const { summary, tag, body, answers } = operation;
  const statuses = new Set(route.statuses);
  if (prefix !== '') statuses.add(403);
  // OpenAPI 3.1 cannot express a path parameter with slashes; its description says so.
  const isByAddress = route.path.endsWith('/{graph*}');
  const query = isByAddress ? operation.queryByAddress : operation.query;
  const variables = {
    ...parameters,
    ...(route.path.includes('{slug}') && { slug: z.string() }),
    ...(isByAddress && { graph: REST_OF_ADDRESS }),
  };
  const responses: RouteConfig['responses'] = {};
  for (const status of [...statuses].sort()) {
    responses[status] = answers[status] ?? { description: ERROR_TEXTS[status], ...errorContent() };
  }
  responses['default'] = {
    description: 'Any other failure: 405, 408, 412, 413, 415, 429, 431, 500, 503, 507.',
    ...errorContent(),
  };
  return {
    method: route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete',
    path: prefix + route.path.replace('{graph*}', '{graph}'),
    operationId: route.operation + (isByAddress ? 'ByAddress' : '') + suffix,
    summary: isByAddress ? `${summary}, named by its address` : summary,
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
