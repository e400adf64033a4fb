import { MemoryStorage, WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createWorldsHandler, type WorldsHandler } from '../src/index.ts';
import { Activity } from '../src/observation/activity.ts';
import { RequestRecord } from '../src/observation/request-record.ts';

let engine: WorldsEngine;
let handler: WorldsHandler;
const authenticate = (token: string) => ({
  id: token,
  defaultNamespace: 'acme',
  grants: [{ namespace: 'acme', read: true, write: true }],
  admin: token === 'admin',
});

beforeAll(async () => {
  engine = await WorldsEngine.open({ storage: new MemoryStorage() });
  await engine.createWorld({ slug: 'w', namespace: 'acme' });
  await engine.import({ source: 'acme/w', data: '<urn:s> <urn:p> "a secret" .' });
  handler = createWorldsHandler(engine, { authenticate });
});
afterAll(() => engine.close());

const ask = (
  path: string,
  { as = 'admin', query, to = handler }: { as?: string; query?: string; to?: WorldsHandler } = {},
) =>
  to(
    new Request(`http://x${path}`, {
      method: query ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${as}`, ...(query && { 'content-type': 'application/json' }) },
      body: query && JSON.stringify({ query }),
    }),
  );

describe('GET /activity', () => {
  it('tells admins what is running, what was slow, and what the memory is for', async () => {
    const feed = await ask('/changes', { as: 'reader' });
    const text = 'SELECT * { ?s ?p "a secret" } # of mine';
    await (await ask('/worlds/w/sparql', { as: 'reader', query: text })).text();
    const response = await ask('/activity');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = await response.text();
    const activity = JSON.parse(body);
    expect(activity).toMatchObject({
      health: { status: 'ok', problems: [] },
      memory: { terms: expect.any(Number), quads: expect.any(Number), requests: expect.any(Number) },
      ...{ feeds: 1, waiting: 0, namespacesInMemory: 1 },
      namespaces: [{ namespace: 'acme', worlds: 1, revision: 2, memoryBytes: expect.any(Number) }],
      running: [{ operation: 'namespaceChanges', principal: 'reader', namespace: 'acme' }],
      slowest: [
        {
          ...{ operation: 'sparqlWorld', principal: 'reader', namespace: 'acme', worlds: ['acme/w'], status: 200 },
          ...{ rows: 1, query: 'SELECT * { ?s ?p ? }' },
        },
      ],
    });
    // Neither data nor tokens.
    expect(body).not.toContain('secret');
    await feed.body!.cancel();
    expect(JSON.parse(await (await ask('/activity')).text()).running).toEqual([]);
  });

  it('is for admins only, and can be switched off', async () => {
    expect((await ask('/activity', { as: 'reader' })).status).toBe(403);
    expect((await handler(new Request('http://x/activity'))).status).toBe(401);
    const silent = createWorldsHandler(engine, { authenticate, activity: false });
    expect((await ask('/activity', { to: silent })).status).toBe(404);
  });
});

describe('the slowest queries', () => {
  const ended = (activity: Activity, workMs: number, text: string) => {
    const record = new RequestRecord(text, 'POST', undefined);
    record.query = { text, sources: [] };
    record.workMs = workMs;
    activity.ended(record);
  };

  it('are the slowest 50 of the last hour', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const activity = new Activity();
      for (let n = 0; n < 200; n++) ended(activity, (n * 37) % 200, `ASK { <urn:${(n * 37) % 200}> ?p ?o }`);
      const works = () => activity.slowest().map(({ workMs }) => workMs);
      expect(works()).toEqual(Array.from({ length: 50 }, (_, n) => 199 - n));
      vi.advanceTimersByTime(3_599_000);
      ended(activity, 1, 'ASK {}');
      expect(works()).not.toContain(1);
      vi.advanceTimersByTime(2_000);
      ended(activity, 2, 'ASK {}');
      expect(works()).toEqual([2]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('have short texts', () => {
    const activity = new Activity();
    ended(activity, 1, `ASK { ?s <urn:${'x'.repeat(5000)}> ?o }`);
    expect(activity.slowest()[0].query!.length).toBeLessThan(1010);
  });
});
