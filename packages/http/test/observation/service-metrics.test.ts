import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens } from '../../src/index.ts';
import { METRICS, metricsListener, ServiceMetrics, type ServiceMetricsOptions } from '../../src/metrics.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'a', namespace: 'acme' });
});
afterEach(() => engine.close());

const authenticate = staticTokens([
  { token: 'the-token-of-acme', namespace: 'acme' },
  { token: 'the-token-of-root', admin: true },
]);

function started(options: ServiceMetricsOptions = {}, of: WorldsEngine | Promise<WorldsEngine> = engine) {
  const metrics = new ServiceMetrics({ process: false, ...options });
  const handler = createWorldsHandler(of, { authenticate, metrics });
  const ask = (path: string, { token = 'the-token-of-acme', ...init }: RequestInit & { token?: string } = {}) =>
    handler(new Request(`http://x${path}`, { ...init, headers: { authorization: `Bearer ${token}` } }));
  return { metrics, ask };
}

/** The samples whose lines begin so, by what follows. */
function samples(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

describe('metrics', () => {
  it('count requests by route, method and status, and never by what a client sends', async () => {
    const { metrics, ask } = started();
    await ask('/worlds/a');
    await ask('/worlds/nothing');
    await ask('/namespaces/beta/worlds/secret');
    await ask('/worlds/a', { token: 'a-token-that-is-wrong' });
    await ask('/some/other/path');
    await ask('/worlds/a', { method: 'PROPFIND' });
    await (await ask('/worlds/a/sparql?query=SELECT+*+%7B%7D')).text();
    const text = await metrics.text();
    expect(samples(text, 'rdf_worlds_http_requests_total')).toEqual({
      '{route="/worlds/{slug}",method="GET",status="200"}': 1,
      '{route="/worlds/{slug}",method="GET",status="404"}': 1,
      '{route="/worlds/{slug}",method="GET",status="403"}': 1,
      '{route="/worlds/{slug}",method="GET",status="401"}': 1,
      '{route="none",method="GET",status="404"}': 1,
      '{route="none",method="other",status="405"}': 1,
      '{route="/worlds/{slug}/sparql",method="GET",status="200"}': 1,
    });
    expect(samples(text, 'rdf_worlds_http_request_duration_seconds_count')).toMatchObject({
      '{route="/worlds/{slug}",method="GET"}': 4,
    });
    expect(samples(text, 'rdf_worlds_http_rows_total')).toEqual({ '{route="/worlds/{slug}/sparql"}': 1 });
    expect(samples(text, 'rdf_worlds_http_requests_in_flight')).toEqual({ '': 0 });
    expect(text).not.toMatch(/secret|beta|PROPFIND|other\/path/);
  });

  it('tell how many requests have a slot and wait for one', async () => {
    const metrics = new ServiceMetrics({ process: false });
    const limits = { maxConcurrentRequests: 2, maxConcurrentRequestsPerCaller: 2 };
    const handler = createWorldsHandler(engine, { authenticate, metrics, limits });
    const feeding = new AbortController();
    // An answer that is not read keeps its slot.
    const asked = Array.from({ length: 5 }, () =>
      handler(
        new Request('http://x/worlds/a/sparql', {
          method: 'POST',
          headers: { authorization: 'Bearer the-token-of-acme', 'content-type': 'application/sparql-query' },
          body: `SELECT * { ${'abcdef'.replace(/./g, (name) => `VALUES ?${name} { 1 2 3 4 5 6 7 8 9 } `)} }`,
          signal: feeding.signal,
        }),
      ),
    );
    const first = await Promise.race(asked);
    const busy = await metrics.text();
    expect(samples(busy, 'rdf_worlds_http_requests_running')).toEqual({ '': 2 });
    expect(samples(busy, 'rdf_worlds_http_queue_depth')).toEqual({ '{queue="requests"}': 3, '{queue="uploads"}': 0 });
    await first.body?.cancel();
    feeding.abort();
    await Promise.allSettled(asked.map(async (answer) => (await answer).body?.cancel()));
    const idle = await metrics.text();
    expect(samples(idle, 'rdf_worlds_http_requests_running')).toEqual({ '': 0 });
    expect(samples(idle, 'rdf_worlds_http_queue_depth')).toEqual({ '{queue="requests"}': 0, '{queue="uploads"}': 0 });
  });

  it('tell the state of the engine', async () => {
    const { metrics } = started();
    await engine.update({ sources: ['acme/a'], query: 'INSERT DATA { <urn:a> <urn:p> 1 }' });
    const text = await metrics.text();
    expect(samples(text, 'rdf_worlds_ready')).toEqual({ '': 1 });
    expect(samples(text, 'rdf_worlds_commits_total')).toEqual({ '': 2 });
    expect(Object.keys(samples(text, 'rdf_worlds_memory_bytes'))).toHaveLength(5);
    expect(samples(text, 'rdf_worlds_background_failures_total')['{activity="checkpoint"}']).toBe(0);
    // A second reading counts nothing twice.
    expect(samples(await metrics.text(), 'rdf_worlds_commits_total')).toEqual({ '': 2 });
    expect(samples(await started({}, Promise.reject(new Error('x'))).metrics.text(), 'rdf_worlds_ready')).toEqual({
      '': 0,
    });
  });

  it('are those of the table, plus process metrics by default', async () => {
    const named = (text: string) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
    const all = Object.entries(METRICS).map(([name, { type }]) => [name, type]);
    expect(named(await started({ byNamespace: true }).metrics.text()).sort()).toEqual(all.sort());
    const withProcess = await started({ process: true }).metrics.text();
    expect(withProcess).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(withProcess).toMatch(/^process_resident_memory_bytes /m);
  });

  it('count by namespace only on request, and never the namespace of a refused request', async () => {
    const plain = started();
    await plain.ask('/worlds/a');
    expect(await plain.metrics.text()).not.toContain('acme');
    const { metrics, ask } = started({ byNamespace: true });
    for (const namespace of ['_', 'acme', 'beta']) await ask(`/namespaces/${namespace}/worlds/a`);
    expect(samples(await metrics.text(), 'rdf_worlds_namespace_requests_total')).toEqual({ '{namespace="acme"}': 2 });
  });

  it('have at most a thousand namespaces', async () => {
    const { metrics, ask } = started({ byNamespace: true });
    for (let n = 0; n < 1_100; n++) await ask(`/namespaces/n${n}/worlds`, { token: 'the-token-of-root' });
    const counted = samples(await metrics.text(), 'rdf_worlds_namespace_requests_total');
    expect(Object.keys(counted)).toHaveLength(1_001);
    expect(counted['{namespace="other"}']).toBe(100);
  });
});

describe('/metrics', () => {
  it('answers admins, and nobody else', async () => {
    const { ask } = started();
    expect((await ask('/metrics', { token: 'a-token-that-is-wrong' })).status).toBe(401);
    const refused = await ask('/metrics');
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: { message: 'You may not read the metrics; only callers with admin may.' } },
    ]);
    const answer = await ask('/metrics', { token: 'the-token-of-root' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=/),
    ]);
    expect(await answer.text()).toContain('rdf_worlds_ready 1');
    expect((await ask('/metrics', { token: 'the-token-of-root', method: 'POST' })).status).toBe(405);
  });

  it('is nothing without the option', async () => {
    const handler = createWorldsHandler(engine, { authenticate });
    const headers = { authorization: 'Bearer the-token-of-root' };
    expect((await handler(new Request('http://x/metrics', { headers }))).status).toBe(404);
  });

  it('answers everybody on a port of its own', async () => {
    const { metrics } = started();
    const server = createServer(metricsListener(metrics)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await (await fetch(`${origin}/metrics`)).text()).toContain('rdf_worlds_ready 1');
      expect((await fetch(`${origin}/worlds`)).status).toBe(404);
      expect((await fetch(`${origin}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
