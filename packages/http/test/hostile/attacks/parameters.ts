import { OPERATION_PARAMETERS } from '../../../src/query-parameters.ts';
import { ROUTES, type Route } from '../../../src/routes.ts';
import { type Attack, type HostileRequest, json } from '../attack.ts';

/** Whatever a parameter means, a long text is refused soon, or ignored. */
const STATUSES = [200, 201, 204, 400, 403, 404, 409, 410, 413, 431, 503] as const;
/** Without which a body is refused before its other fields are looked at. */
const REQUIRED: Readonly<Record<string, unknown>> = {
  createWorld: { slug: 'new' },
  forkWorld: { slug: 'new' },
  importWorld: { data: '' },
  sparqlWorld: { query: 'SELECT * { ?s ?p ?o }' },
  sparqlCollection: { query: 'SELECT * { ?s ?p ?o }' },
  searchWorld: { query: 'text' },
  searchCollection: { query: 'text' },
};

const pathOf = ({ path, isGlobal }: Route, isNamespaced: boolean) =>
  `${isNamespaced && !isGlobal ? '/namespaces/mallet' : ''}${path.replace('{slug}', 'w').replace('{graph*}', 'a/b')}`;

/**
 * Every route with every parameter that it knows, and with one that it does not, in both families.
 */
export const PARAMETERS: readonly Attack[] = ROUTES.flatMap((route) => {
  const { method, operation, path } = route;
  const { url = [], body } = OPERATION_PARAMETERS[operation];
  const named = (name: string, at: (size: number) => HostileRequest): Attack => ({
    name: `parameter: ${method} ${path}: ${name}`,
    route: operation,
    at,
    statuses: STATUSES,
  });
  const inUrl = (name: string, i: number) =>
    named(`?${name}${i === 0 ? ', in a namespace' : ''}`, (size) => ({
      method,
      path: `${pathOf(route, i % 2 === 0)}?${method === 'GET' && path.endsWith('/sparql') ? 'query=ASK{}&' : ''}${name}=${'x'.repeat(900 * size)}`,
      ...(method === 'PUT' || method === 'POST' ? { body: '' } : {}),
      isEndless: operation.endsWith('Changes'),
    }));
  const inBody = (name: string, i: number) =>
    named(`"${name}"`, (size) =>
      json(method, pathOf(route, i % 2 === 0), {
        ...(REQUIRED[operation] as object | undefined),
        [name]: i % 3 === 0 ? Array.from({ length: 4_000 * size }, () => 'x') : 'x'.repeat(50_000 * size),
      }),
    );
  return [
    ...['unknown', 'unknown', ...url].map((name, i) => inUrl(name, i)),
    ...Object.keys(body?.shape ?? {}).map((name, i) => inBody(name, i)),
  ];
});
