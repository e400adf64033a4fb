import { afterEach, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import type { Caller } from './callers.ts';
import { bearer } from './callers.ts';
import { ask } from './exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';
import type { WireJson } from './wire-json.ts';

let server: RunningServer | undefined;
afterEach(async () => {
  letGo();
  await server?.close();
  server = undefined;
});

/** Queries that are in the engine, and stay there until they are let go. */
let held: (() => void)[] = [];
const letGo = () => {
  for (const release of held.splice(0)) release();
};

const LIMITS = {
  maxConcurrentRequests: 4,
  maxConcurrentRequestsPerCaller: 2,
  maxQueuedRequests: 3,
  maxQueuedRequestsPerCaller: 2,
};

async function start(limits: object = {}): Promise<RunningServer> {
  held = [];
  server = await startServer({
    handler: { limits: { ...LIMITS, ...limits } },
    wrapEngine: (engine) =>
      new Proxy(engine, {
        get(target, name) {
          const value = Reflect.get(target, name, target);
          if (name !== 'stats') return typeof value === 'function' ? value.bind(target) : value;
          return async (request: WireJson) => {
            await new Promise<void>((resolve) => held.push(resolve));
            return target.stats(request);
          };
        },
      }),
  });
  await server.engine.createWorld({ slug: 'w', namespace: 'alpha' });
  return server;
}

const slow = (running: RunningServer, as: Caller = 'alice', path = '/stats') =>
  ask(running, { method: 'GET', path, as });
const arrived = async (count: number) => {
  while (held.length < count) await new Promise(setImmediate);
};
/** Long enough for requests that were sent to be in the service. */
const settled = async () => {
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  await new Promise((resolve) => setTimeout(resolve, 50));
};

describe('requests of one caller', () => {
  it('run up to the cap, then wait, then get 429, while other callers are unaffected', async () => {
    const running = await start();
    const waiting = Array.from({ length: 4 }, () => slow(running));
    await arrived(2);
    await settled();
    expect(held).toHaveLength(2);
    const refused = await slow(running);
    expectError(refused, 429);
    expect(refused.headers.get('retry-after')).toBe('2');
    // Another one is answered meanwhile.
    expect((await ask(running, { method: 'GET', path: '/worlds', as: 'bob' })).status).toBe(200);
    letGo();
    await arrived(2);
    letGo();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
    expect((await ask(running, { method: 'GET', path: '/worlds', as: 'alice' })).status).toBe(200);
  });

  it('end at their deadline while they wait, and free their place in the queue', async () => {
    const running = await start({ timeoutMs: 300, maxConcurrentRequestsPerCaller: 1 });
    const first = slow(running);
    await arrived(1);
    expectError(await slow(running), 503);
    letGo();
    await first;
    expect((await ask(running, { method: 'GET', path: '/worlds', as: 'alice' })).status).toBe(200);
  });

  it('leave the queue when their client disconnects', async () => {
    const running = await start({ maxConcurrentRequestsPerCaller: 1, maxQueuedRequestsPerCaller: 1 });
    const first = slow(running);
    await arrived(1);
    const client = new AbortController();
    const headers = { authorization: bearer('alice') };
    const gone = fetch(`${running.origin}/stats`, { headers, signal: client.signal }).catch(() => undefined);
    await settled();
    expectError(await slow(running), 429);
    client.abort();
    await gone;
    await settled();
    const second = slow(running);
    await settled();
    letGo();
    await first;
    await arrived(1);
    letGo();
    expect((await second).status).toBe(200);
  });
});

describe('requests of all callers', () => {
  it('are 503 when the queue is full, except for a caller with no running request', async () => {
    const running = await start({ maxConcurrentRequests: 2 });
    const waiting = [
      ...Array.from({ length: 3 }, () => slow(running)),
      ...Array.from({ length: 3 }, () => slow(running, 'gita', '/namespaces/gamma/stats')),
    ];
    // Two of the first, and one of the other above the number.
    await arrived(3);
    await settled();
    expect(held).toHaveLength(3);
    const refused = await slow(running);
    expectError(refused, 503);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await ask(running, { method: 'GET', path: '/worlds', as: 'bob' })).status).toBe(200);
    while (held.length > 0) {
      letGo();
      await settled();
    }
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  });

  it('take no slot before the body has arrived, and free it after HEAD and after streams', async () => {
    const running = await start({ maxConcurrentRequestsPerCaller: 1, maxQueuedRequestsPerCaller: 0 });
    const sockets = Array.from({ length: 3 }, () => {
      const client = new AbortController();
      const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"slug":')) });
      const headers = { authorization: bearer('alice'), 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body, duplex: 'half', signal: client.signal } as RequestInit;
      return { client, done: fetch(`${running.origin}/worlds`, init).catch(() => undefined) };
    });
    await settled();
    await running.engine.import({
      source: 'alpha/w',
      data: Array.from({ length: 20_000 }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .\n`).join(''),
    });
    const query = encodeURIComponent('CONSTRUCT WHERE { ?s ?p ?o }');
    for (const method of ['GET', 'HEAD', 'GET', 'HEAD', 'GET']) {
      const answer = await ask(running, { method, path: `/worlds/w/sparql?query=${query}`, as: 'alice' });
      expect(answer.status).toBe(200);
    }
    for (const { client } of sockets) client.abort();
    await Promise.all(sockets.map(({ done }) => done));
  });
});
