import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WorldsClient } from '@rdf-worlds/client';
import type { WorldsEngine } from '@rdf-worlds/core';
import { type AuditEntry, createWorldsHandler, staticTokens, type WorldsHandlerOptions } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type McpMountOptions, type McpServerOptions, mcpMount } from '../src/index.ts';
import { anEngine, callTool, aClient as inMemoryClient, textOf } from './a-client.ts';

const ACME = 'token-of-acme-0123456789';
const GLOBEX = 'token-of-globex-0123456789';
const READER = 'token-of-a-reader-0123456789';

const authenticate = staticTokens([
  { token: ACME, id: 'acme', namespace: 'acme' },
  { token: GLOBEX, id: 'globex', namespace: 'globex' },
  { token: READER, id: 'reader', grants: [{ namespace: 'acme', world: 'open', read: true }] },
]);

/** Serves an engine with MCP, and returns the address of it. */
async function served(
  engine: WorldsEngine,
  { mount = {}, ...options }: Partial<WorldsHandlerOptions> & { mount?: McpMountOptions } = {},
): Promise<URL> {
  const handler = createWorldsHandler(engine, { authenticate, mounts: [mcpMount(mount)], ...options });
  const server = createServer(nodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

async function aClient(url: URL, token: string): Promise<Client> {
  const headers = { authorization: `Bearer ${token}` };
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

async function tenants(): Promise<WorldsEngine> {
  const engine = await anEngine();
  for (const [namespace, slug] of [
    ['acme', 'open'],
    ['acme', 'secret'],
    ['globex', 'open'],
  ] as const) {
    await engine.createWorld({ namespace, slug });
    await engine.import({
      source: { namespace, slug },
      contentType: 'text/turtle',
      data: `<urn:rdf-worlds:entity:It> <http://www.w3.org/2000/01/rdf-schema#label> "It" ; <urn:is> "${namespace} ${slug}" .`,
    });
  }
  return engine;
}

it('serves every kind of request to the tenant of the token', async () => {
  const url = await served(await tenants());
  const client = await aClient(url, ACME);
  expect(client.getServerVersion()).toMatchObject({ name: 'rdf-worlds' });
  expect((await client.listTools()).tools).toHaveLength(14);
  expect(textOf(await callTool(client, 'list_worlds'))).toBe('open\nsecret');
  expect(textOf(await callTool(client, 'look', { world: 'open', entity: 'It' }))).toContain('<urn:is> "acme open"');
  expect(textOf(await callTool(client, 'query', { query: 'SELECT ?what { ?it <urn:is> ?what } ORDER BY ?what' }))).toBe(
    '?what\n"acme open"\n"acme secret"\n(2 rows)',
  );
  const facts = [{ subject: 'Ada', predicate: 'age', value: 36 }];
  expect((await callTool(client, 'remember', { world: 'open', facts })).isError).toBeUndefined();
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'world://acme/open',
    'world://acme/secret',
  ]);
  expect((await client.getPrompt({ name: 'recall', arguments: { question: 'Who?' } })).messages).toHaveLength(1);
  const other = await aClient(url, GLOBEX);
  expect(textOf(await callTool(other, 'search', { query: 'acme globex open secret' }))).toContain('"globex open"');
  expect(textOf(await callTool(other, 'search', { query: 'acme globex open secret' }))).not.toContain('acme open');
});

it('gives a token with a grant on one world nothing else', async () => {
  const client = await aClient(await served(await tenants()), READER);
  expect(textOf(await callTool(client, 'list_worlds'))).toMatch(/^There are no worlds/);
  const open = await callTool(client, 'look', { world: 'acme/open', entity: 'It' });
  expect(textOf(open)).toContain('"acme open"');
  const facts = [{ subject: 'Ada', predicate: 'age', value: 36 }];
  const refusals: readonly (readonly [string, object])[] = [
    ['look', { world: 'acme/secret', entity: 'It' }],
    ['look', { world: 'acme/missing', entity: 'It' }],
    ['query', { query: 'SELECT * { ?s ?p ?o }', worlds: ['acme/open', 'acme/secret'] }],
    ['search', { query: 'secret', worlds: ['acme/secret'] }],
    ['find_entity', { name: 'It', worlds: ['globex/open'] }],
    ['remember', { world: 'acme/open', facts }],
    ['forget', { world: 'acme/open', entity: 'It' }],
    ['import_document', { world: 'acme/open', document: '' }],
    ['create_world', { world: 'acme/new' }],
  ];
  for (const [name, input] of refusals) {
    const result = await callTool(client, name, input);
    expect([name, input, textOf(result)]).toEqual([
      name,
      input,
      expect.stringMatching(/^PERMISSION_DENIED: You may not /),
    ]);
  }
});

it('refuses what no token allows, and streams that it does not have', async () => {
  const url = await served(await tenants());
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const send = (method: string, headers: Record<string, string>, body?: string) =>
    fetch(url, { method, headers, body });
  const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const bearer = { authorization: `Bearer ${ACME}` };
  expect((await send('POST', type, message)).status).toBe(401);
  expect((await send('POST', { ...type, authorization: 'Bearer wrong-token-0123456789' }, message)).status).toBe(401);
  expect((await send('GET', { ...type, ...bearer })).status).toBe(405);
  expect((await send('DELETE', bearer)).status).toBe(405);
  expect((await send('POST', { ...type, ...bearer }, '{')).status).toBe(400);
  expect((await send('POST', { ...type, ...bearer }, '[]')).status).toBeLessThan(500);
  expect((await send('POST', { ...type, ...bearer }, JSON.stringify(Array(60).fill(JSON.parse(message))))).status).toBe(
    400,
  );
  expect((await send('POST', { ...bearer, 'content-type': 'text/plain', accept: type.accept }, message)).status).toBe(
    415,
  );
  expect((await send('POST', { ...type, ...bearer }, `"${'x'.repeat(2 << 20)}"`)).status).toBe(413);
  expect((await send('POST', { ...type, ...bearer }, message)).status).toBe(200);
});

it('loses nothing of two clients of one server', async () => {
  const engine = await anEngine();
  await engine.createWorld({ namespace: 'acme', slug: 'memory' });
  const url = await served(engine, { mount: { compat: 'memory', worlds: ['memory'] } });
  const clients = [await aClient(url, ACME), await aClient(url, ACME)];
  await callTool(clients[0]!, 'create_entities', {
    entities: [{ name: 'Ada', entityType: 'person', observations: [] }],
  });
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      callTool(clients[i % 2]!, 'add_observations', { observations: [{ entityName: 'Ada', contents: [`note ${i}`] }] }),
    ),
  );
  const graph = (await callTool(clients[1]!, 'read_graph')).structuredContent as {
    entities: { observations: string[] }[];
  };
  expect(graph.entities[0]!.observations).toHaveLength(60);
});

it('tells the progress of an import over HTTP', async () => {
  const client = await aClient(await served(await tenants()), ACME);
  const document = Array.from({ length: 10_000 }, (_, i) => `<urn:s${i}> <urn:p> ${i} .`).join('\n');
  const steps: number[] = [];
  await client.callTool({ name: 'import_document', arguments: { world: 'open', document } }, undefined, {
    onprogress: ({ progress }) => steps.push(progress),
  });
  expect(steps.at(-1)).toBe(10_000);
});

/** An engine whose searches last until they are cancelled. */
function neverFound(engine: WorldsEngine): { engine: WorldsEngine; searches: { cancelled: number; running: number } } {
  const searches = { cancelled: 0, running: 0 };
  const search: WorldsEngine['search'] = ({ signal }) =>
    new Promise((_, reject) => {
      searches.running++;
      signal!.addEventListener('abort', () => {
        searches.cancelled++;
        reject(signal!.reason as Error);
      });
    });
  const proxy = new Proxy(engine, {
    get(target, name) {
      if (name === 'search') return search;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  return { engine: proxy, searches };
}

it('cancels a call when its client says so, and only for that client', async () => {
  const { engine, searches } = neverFound(await tenants());
  const url = await served(engine);
  const [one, two] = [await aClient(url, ACME), await aClient(url, GLOBEX)];
  const [first, second] = [new AbortController(), new AbortController()];
  const call = (client: Client, signal: AbortSignal) =>
    client.callTool({ name: 'search', arguments: { query: 'x' } }, undefined, { signal });
  const calls = [call(one, first.signal), call(two, second.signal)];
  await vi.waitFor(() => expect(searches.running).toBe(2), { timeout: 30_000 });
  first.abort('no longer needed');
  await expect(calls[0]).rejects.toThrow();
  await vi.waitFor(() => expect(searches.cancelled).toBe(1), { timeout: 30_000 });
  second.abort();
  await expect(calls[1]).rejects.toThrow();
  await vi.waitFor(() => expect(searches.cancelled).toBe(2), { timeout: 30_000 });
});

it('writes changes to the audit log, with the worlds', async () => {
  const entries: AuditEntry[] = [];
  const url = await served(await tenants(), { auditLog: (entry) => entries.push(entry) });
  const client = await aClient(url, ACME);
  await callTool(client, 'look', { world: 'open', entity: 'It' });
  expect(entries).toEqual([]);
  await callTool(client, 'remember', { world: 'open', facts: [{ subject: 'Ada', predicate: 'age', value: 36 }] });
  await vi.waitFor(
    () => expect(entries).toMatchObject([{ event: 'write', principal: 'acme', worlds: ['acme/open'] }]),
    { timeout: 30_000 },
  );
});

it('refuses options and paths that cannot work', async () => {
  const engine = await anEngine();
  expect(() => mcpMount({ readonly: true } as never)).toThrow('did you mean readOnly?');
  for (const path of ['/worlds', '/namespaces', '/openapi.json', '/metrics', '/healthz', '/a/b', 'mcp', '/', '/..'])
    expect(() => createWorldsHandler(engine, { authenticate, mounts: [mcpMount({ path })] }), path).toThrow(
      /^mounts: /,
    );
  expect(() => createWorldsHandler(engine, { authenticate, mounts: [mcpMount(), mcpMount()] })).toThrow('two mounts');
});

it('works on the worlds of a server, too', async () => {
  const engine = await anEngine();
  await engine.createWorld({ namespace: 'acme', slug: 'notes' });
  const { origin } = await served(engine);
  const connect = async (options: McpServerOptions) => {
    const worlds = new WorldsClient({ url: origin, token: ACME });
    onTestFinished(() => worlds.close());
    return inMemoryClient(worlds, { namespace: 'acme', worlds: ['notes'], ...options });
  };
  const [one, two] = [await connect({}), await connect({})];
  const acme = { subject: 'Ada', predicate: 'employer', object: 'Acme' };
  const calls: readonly (readonly [string, object, RegExp])[] = [
    ['remember', { facts: [{ ...acme, from: '2020' }], source: 'a call' }, /^Recorded 1 fact/],
    ['remember', { document: 'e:Ada schema:address [ schema:addressLocality "London" ] .' }, /^Recorded 2 facts/],
    ['find_entity', { name: 'Adda' }, /^e:Ada "Ada" \(similar name/],
    ['look', { entity: 'Ada' }, /v:employer e:Acme \(Acme\) {2}\[fact:\S+; valid 2020-01-01 to now; source a call/],
    ['search', { query: 'London' }, /schema:addressLocality "London"/],
    ['describe_world', {}, /v:employer 1/],
    ['query', { query: 'ASK { e:Ada v:employer e:Acme }' }, /^true$/],
    ['query', { query: 'DESCRIBE e:Ada' }, /e:Ada v:employer e:Acme \./],
    [
      'correct',
      { old: acme, kind: 'changed', object: 'Initech', since: '2025' },
      /recorded: e:Ada v:employer e:Initech/,
    ],
    ['history', { entity: 'Ada', predicate: 'employer' }, /RETRACTED/],
    ['state_at', { entity: 'Ada', valid_at: '2024' }, /v:employer e:Acme/],
    ['import_document', { document: '<urn:a> <urn:b> 1 .' }, /^Stored 1 new quads/],
    ['forget', { entity: 'Ada', erase: true }, /^Erased /],
  ];
  for (const [name, input, expected] of calls) {
    const result = await callTool(one, name, input);
    expect([name, textOf(result)]).toEqual([name, expect.stringMatching(expected)]);
  }
  const update = await callTool(one, 'query', { query: 'DROP ALL' });
  expect([update.isError, textOf(update)]).toEqual([true, expect.stringContaining('this tool only reads')]);
  // The two have no lock in common; the server's revisions keep them apart.
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      callTool(i % 2 ? one : two, 'remember', { facts: [{ subject: 'Ada', predicate: 'seen', value: i }] }),
    ),
  );
  expect(textOf(await callTool(one, 'query', { query: 'SELECT (COUNT(*) AS ?n) { e:Ada v:seen ?i }' }))).toContain(
    '\n20\n',
  );
});
