import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PreparedSparql, WorldsEngine } from '@rdf-worlds/core';
import { throwIfAborted } from '@rdf-worlds/core/plugin';
import { createWorldsHandler } from '@rdf-worlds/http';
import { worldsRouter } from '@rdf-worlds/http/express';
import { nodeListener } from '@rdf-worlds/http/node';
import express from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { bearer } from './callers.ts';
import { type Asked, ask } from './exchange.ts';
import { ENDLESS_PATTERN, wideWorld } from './graph-walk.ts';
import type { LogBook } from './log-book.ts';
import { FAMILIES } from './operations.ts';
import { type RunningServer, type ServerOptions, startServer } from './running-server.ts';
import { base64 } from './service-fixture.ts';
import type { WireJson } from './wire-json.ts';

// `timeoutMs` of the limits: for every operation whose work grows with the data, before its answer
// and in the middle of it. What is slow here waits for the deadline, however late it comes.

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Resolves when a signal fires. Rejects when there is none: such work would never end. */
function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return Promise.reject(new Error('The engine was given no signal.'));
  return signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** A method of the engine, or one of the texts that it prepared. */
type Method = Extract<keyof WorldsEngine, string> | `prepared.${Extract<keyof PreparedSparql, string>}`;
type Change = (real: (request: WireJson) => WireJson, request: WireJson) => unknown;

/** An engine of which one method, or one method of its prepared texts, is another. */
function changed(method: Method, change: Change): ServerOptions['wrapEngine'] {
  const changedIn = <Target extends object>(object: Target, path: string): Target =>
    new Proxy(object, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const real = value.bind(target);
        if (path + String(name) === method) return (request: WireJson) => change(real, request);
        if (name !== 'prepare') return real;
        return async (request: WireJson) => changedIn(await real(request), 'prepared.');
      },
    });
  return (engine) => changedIn(engine, '');
}

async function serve(options: ServerOptions, data: string): Promise<RunningServer> {
  server = await startServer(options);
  await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
  await server.engine.import({ source: 'alpha/ada', data });
  return server;
}

/** What the log says about deadlines. */
function timeouts(log: LogBook): unknown[] {
  return log.entries.filter(({ details }) => (details as WireJson)?.err?.code === 'TIMEOUT');
}

const TURTLE = { body: '<urn:s> <urn:p> "new" .', headers: { 'content-type': 'text/turtle' } };
const UPDATE = { query: 'INSERT DATA { <urn:s> <urn:p> "new" }' };

type Operation = readonly [method: Method, verb: string, suffix: string, more: Partial<Asked>];
const OPERATIONS: readonly Operation[] = [
  ['exportStream', 'POST', '/export', {}],
  ['importAll', 'POST', '/import', { json: { data: base64('<urn:s> <urn:p> "new" .\n') } }],
  ['exportStream', 'GET', '/graphs?default', {}],
  ['importAll', 'PUT', '/graphs?default', TURTLE],
  ['importAll', 'PUT', '/graphs/some/new/graph', TURTLE],
  ['importAll', 'POST', '/graphs?graph=urn:g', TURTLE],
  ['importAll', 'POST', '/graphs', TURTLE],
  ['deleteGraph', 'DELETE', '/graphs?graph=urn:g', {}],
  ['prepare', 'POST', '/sparql', { json: UPDATE }],
  ['prepared.run', 'POST', '/sparql', { json: { query: 'SELECT * { ?s ?p ?o }' } }],
  ['prepared.run', 'GET', `/sparql?query=${encodeURIComponent('CONSTRUCT WHERE { ?s ?p ?o }')}`, {}],
  ['prepared.update', 'POST', '/sparql', { json: UPDATE }],
  ['search', 'POST', '/search', { json: { query: 'old' } }],
];

describe('a deadline before the response is 503 and leaves everything unchanged', () => {
  for (const family of FAMILIES)
    it.each(OPERATIONS)(`${family.name}, %s of the engine: %s %s`, async (method, verb, suffix, more) => {
      let waited = 0;
      // The work continues after the deadline until it notices that the signal has aborted.
      const late: Change = (real, request) => {
        waited++;
        if (method !== 'exportStream') return aborted(request.signal).then(() => real(request));
        return (async function* () {
          await aborted(request.signal);
          yield* real(request);
        })();
      };
      const limits = { timeoutMs: 60 };
      const data = '<urn:s> <urn:p> "old" .\n<urn:s> <urn:p> "old" <urn:g> .\n';
      const { engine, log } = await serve({ handler: { limits }, wrapEngine: changed(method, late) }, data);
      const before = await engine.getWorld({ source: 'alpha/ada' });
      const path = `${family.worlds('alpha')}/ada${suffix}`;
      const answer = await ask(server!, { method: verb, path, as: 'alice', ...more });
      expect(expectError(answer, 503)).toContain('60 ms');
      expect(waited).toBe(1);
      expect(await engine.getWorld({ source: 'alpha/ada' })).toEqual(before);
      expect(new TextDecoder().decode(await engine.export({ source: 'alpha/ada' }))).toBe(data);
      expect(timeouts(log)).toHaveLength(1);
    });
});

describe('a deadline in the middle of a document aborts the connection', () => {
  const DATA = `${wideWorld(6000)}${wideWorld(6000).replaceAll(' .\n', ' <urn:g> .\n')}`;
  const TYPES = [
    'application/n-quads',
    'application/n-triples',
    'text/turtle',
    'application/trig',
    'application/ld+json',
    'text/n3',
    'application/rdf+xml',
  ];

  it.each(
    TYPES.flatMap((accept): [string, string, string][] => [
      // Exports do not offer RDF/XML.
      ...(accept === 'application/rdf+xml' ? [] : ([['POST', '/export', accept]] as [string, string, string][])),
      ['GET', '/graphs?graph=urn:g', accept],
      ['GET', '/graphs?default', accept],
    ]),
  )('%s %s as %s', async (method, suffix, accept) => {
    let chunks = 0;
    const slow: Change = (real, request) =>
      (async function* () {
        for await (const chunk of real(request)) {
          if (chunks++ === 1) await aborted(request.signal);
          yield chunk;
        }
      })();
    const limits = { timeoutMs: 150 };
    const wrapEngine = changed('exportStream', slow);
    const { origin, engine, log } = await serve({ handler: { limits }, wrapEngine }, DATA);
    const response = await fetch(`${origin}/worlds/ada${suffix}`, {
      method,
      headers: { authorization: bearer('alice'), accept },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, accept]);
    let received = 0;
    const read = async () => {
      for await (const chunk of response.body!) received += chunk.length;
    };
    await expect(read()).rejects.toThrow();
    expect(received).toBeGreaterThan(0);
    const graph = suffix.includes('urn:g') ? 'urn:g' : undefined;
    const whole = await engine.export({ source: 'alpha/ada', contentType: accept, graph });
    expect(received).toBeLessThan(whole.length);
    expect(timeouts(log)).toHaveLength(1);
  });
});

describe('does not wait for a client that stops reading', () => {
  /** A document without an end, as fast as it is taken. */
  const endless: Change = (_, { signal }) =>
    (async function* () {
      const chunk = Buffer.from('<urn:s> <urn:p> "o" .\n'.repeat(3000));
      for (;;) {
        throwIfAborted(signal);
        yield chunk;
      }
    })();
  const MOUNTS: readonly (readonly [string, NonNullable<ServerOptions['listener']>])[] = [
    ['node:http', (engine, options) => nodeListener(createWorldsHandler(engine, options))],
    [
      'node:http, with a handler around ours',
      (engine, options) => {
        const handler = createWorldsHandler(engine, options);
        return nodeListener((request) => handler(request));
      },
    ],
    ['Express', (engine, options) => express().use(worldsRouter(engine, options)) as never],
  ];

  it.each(MOUNTS)('%s', async (_, listener) => {
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { port, log } = await serve(
      {
        handler: { limits: { timeoutMs: 1500 } },
        wrapEngine: changed('exportStream', endless),
        listener: (engine, options) => {
          const inner = listener(engine, options);
          return (message, outgoing) => {
            outgoing.once('close', () => closed());
            inner(message, outgoing);
          };
        },
      },
      '',
    );
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET /worlds/ada/graphs?default HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer('alice')}\r\n\r\n`);
    // Nobody reads a byte: only the deadline can end this.
    await isClosed;
    expect(timeouts(log)).toHaveLength(1);
    const received: Buffer[] = [];
    socket.on('data', (chunk) => received.push(chunk)).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    const text = Buffer.concat(received).toString('latin1');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    // RFC 9112 section 7.1: a chunked body is whole only with its last chunk.
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
  });

  it('the Fetch handler: its stream fails even if nobody reads it', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'wide' });
    const handler = createWorldsHandler(changed('exportStream', endless)!(engine), {
      authenticate: () => ({ id: 'x', defaultNamespace: 'default', grants: [], admin: true }),
      limits: { timeoutMs: 1500 },
    });
    const headers = { authorization: 'Bearer x' };
    const response = await handler(new Request('http://x/worlds/wide/graphs?default', { headers }));
    const reader = response.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await expect(reader.closed).rejects.toMatchObject({ code: 'TIMEOUT' });
    await expect(reader.read()).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('the timer of a request', () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

  it('stops when the response ends: streamed or not, successful or not, read or abandoned', async () => {
    const limits = { timeoutMs: 1_000_000, maxRows: 1e12 };
    const { origin } = await serve({ handler: { limits } }, wideWorld(6000));
    const headers = { authorization: bearer('alice'), 'content-type': 'application/json' };
    const post = (suffix: string, body: object, signal?: AbortSignal) =>
      fetch(`${origin}/worlds/ada${suffix}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
    const round = async () => {
      await (await post('/export', {})).arrayBuffer();
      await (await post('/search', { query: 'x' })).arrayBuffer();
      await (await post('/sparql', { query: 'ASK {}' })).arrayBuffer();
      await (await post('/sparql', { query: 'SELECT' })).arrayBuffer();
      await (await post('/sparql', UPDATE)).arrayBuffer();
      await (await fetch(`${origin}/worlds/ada/graphs?default`, { headers })).arrayBuffer();
      const gone = new AbortController();
      const response = await post('/sparql', { query: `SELECT * ${ENDLESS_PATTERN}` }, gone.signal);
      await response.body!.getReader().read();
      gone.abort();
    };
    await round();
    const rounds = 10;
    const before = timers();
    for (let n = 0; n < rounds; n++) await round();
    // The last client's going away takes a moment to be heard of.
    for (let looks = 0; looks < 200 && timers() >= before + rounds; looks++) await sleep(10);
    expect(timers()).toBeLessThan(before + rounds);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 40])('can be set to %s', async (timeoutMs) => {
    await serve({ handler: { limits: { timeoutMs, bodyIdleMs: timeoutMs } } }, wideWorld(10));
    const { origin, port } = server!;
    expect((await ask({ origin }, { method: 'POST', path: '/worlds/ada/export', as: 'alice' })).status).toBe(200);
    // A body that comes in two parts: the wait between them is a timer too.
    const body = JSON.stringify({ query: 'ASK {}' });
    const socket = connect(port, '127.0.0.1');
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString('latin1'))));
    const lines = [
      'POST /worlds/ada/sparql HTTP/1.1',
      'Host: x',
      `Authorization: ${bearer('alice')}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
    await sleep(50);
    socket.write(body.slice(5));
    expect(await answered).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
