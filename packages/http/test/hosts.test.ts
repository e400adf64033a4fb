import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const TOKEN = 'a-token-of-this-test';
const HEADERS = { authorization: `Bearer ${TOKEN}` };
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json' };
const DATA = '<urn:ada> <urn:made> "the analytical engine" .\n';

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface Host {
  readonly ask: Ask;
  close(): Promise<void>;
}

interface ServerExample {
  readonly engine: WorldsEngine;
  readonly server: Server;
}

type FetchHandler = (request: Request) => Response | Promise<Response>;

/** An example that listens on a port of its own. */
async function listening(example: ServerExample): Promise<Host> {
  const { server, engine } = example;
  await vi.waitUntil(() => server.listening, { timeout: 30_000 });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ask: (path, init) => fetch(origin + path, init),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.close();
    },
  };
}

/**
 * An example that hands its `fetch` to a runtime, for which something stands in that keeps it;
 * `npm run hosts` runs it on the runtime itself.
 */
async function handedOver(
  runtime: string,
  standIn: (keep: (handler: FetchHandler) => void) => object,
  load: () => Promise<{ engine: WorldsEngine }>,
): Promise<Host> {
  let handler: FetchHandler | undefined;
  vi.stubGlobal(
    runtime,
    standIn((given) => {
      handler = given;
    }),
  );
  const { engine } = await load();
  return {
    ask: async (path, init) => handler!(new Request(`http://127.0.0.1:3000${path}`, init)),
    async close() {
      vi.unstubAllGlobals();
      await engine.close();
    },
  };
}

/** By address, since TypeScript knows no globals of other runtimes. */
const load = (file: string) =>
  import(/* @vite-ignore */ new URL(`../../../examples/hosts/${file}`, import.meta.url).href) as Promise<{
    engine: WorldsEngine;
  }>;

const HOSTS: { name: string; start: () => Promise<Host> }[] = [
  { name: 'Hono', start: async () => listening(await import('../../../examples/hosts/hono.ts')) },
  { name: 'Fastify', start: async () => listening(await import('../../../examples/hosts/fastify.ts')) },
  {
    name: 'what the example of Bun hands to the runtime',
    start: () =>
      handedOver(
        'Bun',
        (keep) => ({
          serve({ fetch }: { fetch: FetchHandler }) {
            keep(fetch);
            return { url: new URL('http://127.0.0.1:3000') };
          },
        }),
        () => load('bun.mjs'),
      ),
  },
  {
    name: 'what the example of Deno hands to the runtime',
    start: () =>
      handedOver(
        'Deno',
        (keep) => ({ serve: (_options: object, handler: FetchHandler) => keep(handler) }),
        () => load('deno.mjs'),
      ),
  },
];

describe.each(HOSTS)('$name', ({ start }) => {
  let host: Host;
  beforeAll(async () => {
    vi.stubEnv('WORLDS_TOKEN', TOKEN);
    vi.stubEnv('PORT', '0');
    host = await start();
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await host?.close();
  });

  it('answers what is its own', async () => {
    const answer = await host.ask('/');
    expect([answer.status, await answer.text()]).toEqual([200, 'The host itself.']);
  });

  it('serves worlds below its prefix', async () => {
    const { ask } = host;
    expect((await ask('/api/worlds')).status).toBe(401);
    expect((await ask('/api/openapi.json')).status).toBe(200);
    const created = await ask('/api/worlds', { method: 'POST', headers: JSON_HEADERS, body: '{"slug":"people"}' });
    expect(created.status, await created.clone().text()).toBe(201);
    const data = Buffer.from(DATA).toString('base64');
    const body = JSON.stringify({ data });
    expect((await ask('/api/worlds/people/import', { method: 'POST', headers: JSON_HEADERS, body })).status).toBe(204);
    const exported = await ask('/api/worlds/people/export', { method: 'POST', headers: HEADERS });
    expect(await exported.text()).toBe(DATA);
    expect((await ask('/api/worlds/people', { method: 'HEAD', headers: HEADERS })).status).toBe(200);
    expect((await ask('/api/worlds', { method: 'OPTIONS' })).headers.get('allow')).toContain('POST');
    expect((await ask('/api/nothing', { headers: HEADERS })).status).toBe(404);
  });

  it('leaves bodies of every type to the service', async () => {
    const { ask } = host;
    const url = '/api/worlds/people/sparql';
    const query = 'SELECT ?o { <urn:ada> <urn:made> ?o }';
    for (const init of [
      { body: JSON.stringify({ query }), headers: JSON_HEADERS },
      { body: new URLSearchParams({ query }), headers: HEADERS },
      { body: query, headers: { ...HEADERS, 'content-type': 'application/sparql-query' } },
    ]) {
      const answer = await ask(url, { method: 'POST', ...init });
      expect(answer.status, await answer.clone().text()).toBe(200);
      expect(await answer.text()).toContain('the analytical engine');
    }
    const broken = await ask(url, { method: 'POST', headers: JSON_HEADERS, body: '{"query":' });
    expect(broken.status).toBe(400);
    expect((await broken.json()) as object).toEqual({ error: { message: expect.stringContaining('JSON') } });
    const removed = await ask('/api/worlds/people', { method: 'DELETE', headers: JSON_HEADERS, body: '{}' });
    expect(removed.status).toBe(204);
  });
});
