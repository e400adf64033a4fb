import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { OPERATIONS, type OperationDescription } from './openapi-operations.ts';
import { ErrorBody } from './result-schemas.ts';
import { ROUTES, type Route } from './routes.ts';

const DESCRIPTION = `Worlds are RDF datasets with a name inside a namespace. This service creates, lists, changes and deletes them, imports and exports RDF,
runs SPARQL 1.1 queries and updates over one world or all worlds of a namespace, and searches triples. As a namespace \`_\` stands for the caller's default one.`;

const ERROR_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
};

const FAMILIES = [
  { prefix: '', suffix: '', parameters: {} },
  {
    prefix: '/namespaces/{namespace}',
    suffix: 'InNamespace',
    parameters: { namespace: z.string().meta({ description: 'A namespace, or `_`.' }) },
  },
] as const;

/** The OpenAPI 3.1 document of the service at a public address, made of the table of routes and the schemas that check requests. */
export function openapiDocument(publicUrl: string): object {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' });
  for (const { prefix, suffix, parameters } of FAMILIES) {
    for (const route of documentedRoutes()) {
      const variables = /\{slug\}/.test(route.path) ? { ...parameters, slug: z.string() } : parameters;
      const isNamespaced = prefix !== '';
      registry.registerPath(
        pathOf(route, `${prefix}${route.path}`, `${route.operation}${suffix}`, variables, isNamespaced),
      );
    }
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
    tags: [{ name: 'Worlds' }, { name: 'Data' }, { name: 'SPARQL' }, { name: 'Search' }, { name: 'Graph store' }],
  });
}

/**
 * OpenAPI has no path that takes slashes, and knows one operation for a path and a method: graphs named by their address, and the query by GET over a
 * collection, whose path is also a world's, are described where they can be.
 */
function documentedRoutes(): readonly Route[] {
  return ROUTES.filter(({ path, when }) => !path.includes('*') && !when);
}

function pathOf(
  route: Route,
  path: string,
  operationId: string,
  parameters: Record<string, z.ZodType>,
  isNamespaced: boolean,
): RouteConfig {
  const operation: OperationDescription = OPERATIONS[route.operation];
  const { summary, tag, query, body, answers } = operation;
  const statuses = new Set(route.statuses);
  if (isNamespaced) statuses.add(403);
  const responses: RouteConfig['responses'] = {};
  for (const status of [...statuses].sort()) {
    responses[status] = answers[status] ?? { description: ERROR_TEXTS[status], ...errorContent() };
  }
  responses['default'] = { description: 'Any other failure: 405, 408, 413, 500, 503.', ...errorContent() };
  return {
    method: route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete',
    path,
    operationId,
    summary,
    tags: [tag],
    request: {
      ...(Object.keys(parameters).length > 0 && { params: z.object(parameters) }),
      ...(query && { query }),
      ...(body && { body }),
    },
    responses,
  };
}

function errorContent() {
  return { content: { 'application/json': { schema: ErrorBody } } };
}
