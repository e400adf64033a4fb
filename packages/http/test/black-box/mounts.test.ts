import { createServer, type RequestListener } from 'node:http';
import { createWorldsHandler } from '@rdf-worlds/http';
import { worldsRouter } from '@rdf-worlds/http/express';
import { nodeListener } from '@rdf-worlds/http/node';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectNoContent, expectSelectResults } from './answer-shapes.ts';
import { type Asked, ask } from './exchange.ts';
import { OPERATIONS } from './operations.ts';
import { listen, PUBLIC_URL, type RunningServer, type ServerOptions, startServer } from './running-server.ts';

/** Every way to serve; `prefix` stands before the routes. */
const MOUNTS: { name: string; prefix: string; options: ServerOptions }[] = [
  { name: 'node:http', prefix: '', options: {} },
  { name: 'node:http under a base path', prefix: '/rdf/v1', options: { handler: { basePath: '/rdf/v1' } } },
  {
    name: 'a handler of a promise of an engine',
    prefix: '',
    options: { listener: (engine, options) => nodeListener(createWorldsHandler(Promise.resolve(engine), options)) },
  },
  {
    name: 'node:http with something of the host around the handler',
    prefix: '',
    options: {
      listener: (engine, options) => {
        const handler = createWorldsHandler(engine, options);
        return nodeListener((request) => handler(request));
      },
    },
  },
  {
    name: 'Express',
    prefix: '',
    options: { listener: (engine, options) => express().use(worldsRouter(engine, options)) as RequestListener },
  },
  {
    name: 'Express after express.json()',
    prefix: '',
    options: {
      listener: (engine, options) =>
        express()
          .use(express.json({ limit: '100mb' }))
          .use(worldsRouter(engine, options)) as RequestListener,
    },
  },
  {
    name: 'Express after express.json(), urlencoded() and text()',
    prefix: '',
    options: {
      listener: (engine, options) =>
        express()
          .use(express.json(), express.urlencoded({ extended: true }), express.text({ type: 'application/sparql-*' }))
          .use(worldsRouter(engine, options)) as RequestListener,
    },
  },
  {
    name: 'Express before express.json()',
    prefix: '',
    options: {
      listener: (engine, options) =>
        express().use(worldsRouter(engine, options)).use(express.json()) as RequestListener,
    },
  },
  {
    name: 'Express under a prefix',
    prefix: '/api/kg',
    options: {
      listener: (engine, options) => express().use('/api/kg', worldsRouter(engine, options)) as RequestListener,
    },
  },
];

const DATA = '<urn:ada> <urn:made> "the analytical engine" .\n';

describe.each(MOUNTS)('$name', ({ prefix, options }) => {
  let server: RunningServer;
  let made = 0;
  beforeAll(async () => {
    server = await startServer(options);
  });
  afterAll(() => server.close());
  const alice = (method: string, path: string, more: Partial<Asked> = {}) =>
    ask(server, { method, path: prefix + path, as: 'alice', ...more });
  async function freshWorld(): Promise<string> {
    const slug = `w${++made}`;
    await server.engine.createWorld({ slug, namespace: 'alpha' });
    await server.engine.import({ source: `alpha/${slug}`, data: DATA });
    return slug;
  }

  it.each(OPERATIONS)('$title', async (operation) => {
    const slug = await freshWorld();
    const path = operation.path('alpha', slug);
    const json = operation.body === 'none' ? undefined : operation.good!(slug);
    expect((await ask(server, { method: operation.method, path: prefix + path, json })).status).toBe(401);
    const answer = await alice(operation.method, path, { json });
    expect(answer.status, answer.text).toBe(operation.success);
  });

  it('the forms of SPARQL 1.1 Protocol', async () => {
    const path = `/worlds/${await freshWorld()}/sparql`;
    const query = 'SELECT ?o { ?s ?p ?o }';
    for (const answer of [
      await alice('GET', `${path}?query=${encodeURIComponent(query)}`),
      await alice('POST', path, { body: new URLSearchParams({ query }) }),
      await alice('POST', path, { body: query, headers: { 'content-type': 'application/sparql-query' } }),
    ])
      expect(expectSelectResults(answer).bindings).toEqual([
        { o: { type: 'literal', value: 'the analytical engine' } },
      ]);
    const update = 'INSERT DATA { <urn:s> <urn:p> "é + & = %" }';
    expectNoContent(await alice('POST', path, { body: new URLSearchParams({ update }) }));
    expect((await alice('POST', path, { json: { query } })).text).toContain('é + & = %');
  });

  it('graph URLs', async () => {
    const path = `/worlds/${await freshWorld()}/graphs?default`;
    const body = '<urn:s> <urn:p> "a graph" .\n';
    const headers = { 'content-type': 'application/n-triples' };
    expect([200, 204]).toContain((await alice('PUT', path, { body, headers })).status);
    expect((await alice('GET', path, { accept: 'application/n-triples' })).text).toBe(body);
  });

  it('error responses', async () => {
    const slug = await freshWorld();
    expectError(await alice('GET', '/worlds/nowhere'), 404);
    expectError(await alice('POST', `/worlds/${slug}/sparql`, { json: { query: 7 } }), 400);
    expectError(await alice('GET', '/namespaces/beta/worlds'), 403);
    const encoded = { body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'x-none' } };
    const answer = await alice('POST', `/worlds/${slug}/sparql`, encoded);
    // A parser of the host that stands before may refuse it with an answer of its own.
    expect([400, 415]).toContain(answer.status);
  });

  it('the base IRI is the public URL', async () => {
    const path = `/worlds/${await freshWorld()}/sparql`;
    const answer = await alice('POST', path, { json: { query: 'SELECT (IRI("x") AS ?o) {}' } });
    expect(expectSelectResults(answer).bindings[0].o.value.startsWith(`${PUBLIC_URL}/`)).toBe(true);
  });
});

it('leaves paths outside the service to Express', async () => {
  const seen: string[] = [];
  const server = await startServer({
    listener: (engine, options) =>
      express()
        .use(worldsRouter(engine, options))
        .use((request, response) => {
          seen.push(request.url);
          response.status(418).send('the host');
        }) as RequestListener,
  });
  try {
    for (const path of ['/', '/health', '/worldsx', '/static/worlds/ada']) {
      const answer = await ask(server, { method: 'GET', path });
      expect([answer.status, answer.text], path).toEqual([418, 'the host']);
    }
    expect(seen).toHaveLength(4);
    // A path of the service stays with it, whatever the answer.
    for (const path of ['/worlds', '/worlds/x', '/namespaces/alpha/worlds'])
      expect((await ask(server, { method: 'GET', path })).status).toBe(401);
    expect(seen).toHaveLength(4);
  } finally {
    await server.close();
  }
});

it('an engine that fails to open is a server error without internal details', async () => {
  const engine = Promise.reject(new Error('secret path /etc/x'));
  engine.catch(() => {});
  const handler = createWorldsHandler(engine, { authenticate: () => ({ id: 'x', grants: [], admin: true }) });
  const server = createServer(nodeListener(handler));
  const port = await listen(server);
  try {
    const answer = await ask(
      { origin: `http://127.0.0.1:${port}` },
      { method: 'GET', path: '/worlds', headers: { authorization: 'Bearer x' } },
    );
    expect(expectError(answer, [500, 503])).not.toContain('secret');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('an unexpected error is 500 without details in the body, and is logged completely', async () => {
  const server = await startServer({
    wrapEngine: (engine) =>
      new Proxy(engine, {
        get(target, name) {
          const value = Reflect.get(target, name, target);
          if (name === 'getWorld' || name === 'listWorlds' || name === 'worlds')
            return () => {
              throw new TypeError('the innards of it');
            };
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
  });
  try {
    const answer = await ask(server, { method: 'GET', path: '/worlds/ada', as: 'alice' });
    expect(expectError(answer, 500)).not.toContain('innards');
    expect(answer.text).not.toMatch(/\.ts|at /);
    expect(server.log.text()).toContain('the innards of it');
  } finally {
    await server.close();
  }
});
