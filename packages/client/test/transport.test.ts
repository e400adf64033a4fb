import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { WorldsClient, type WorldsClientOptions } from '../src/index.ts';
import { closedAddress, fakeServer, RESULTS, reply, resultsText } from './fake-server.ts';

const QUERY = { sources: ['n/w'], query: 'SELECT ?n {}' };
const FAST = { retry: { minDelayMs: 1, maxDelayMs: 20 } };
const refuse = (outgoing: ServerResponse, status: number, code: string, headers = {}) =>
  reply(outgoing, status, { error: { message: 'Not now.' } }, { 'rdf-worlds-error': code, ...headers });
const results = (outgoing: ServerResponse) => reply(outgoing, 200, resultsText(3), { 'content-type': RESULTS });
const created = (outgoing: ServerResponse) =>
  reply(outgoing, 201, { slug: 'w', namespace: 'n', createdAt: 1, updatedAt: 1 });
const breakOff = (outgoing: ServerResponse) => outgoing.destroy();

const client = (url: string, options: Partial<WorldsClientOptions> = {}) =>
  new WorldsClient({ url, ...FAST, ...options });

/** Writes, each with the answer that it expects. */
const WRITES: readonly [string, (worlds: WorldsClient) => Promise<unknown>, (outgoing: ServerResponse) => void][] = [
  ['createWorld', (worlds) => worlds.createWorld({ slug: 'w', namespace: 'n' }), created],
  ['deleteWorld', (worlds) => worlds.deleteWorld({ source: 'n/w' }), (outgoing) => outgoing.writeHead(204).end()],
  ['update', (worlds) => worlds.update({ ...QUERY, query: 'CLEAR ALL' }), (outgoing) => outgoing.writeHead(204).end()],
  ['query', (worlds) => worlds.query({ ...QUERY, query: 'CLEAR ALL' }), (outgoing) => outgoing.writeHead(204).end()],
  ['import', (worlds) => worlds.import({ source: 'n/w', data: '' }), (outgoing) => outgoing.writeHead(204).end()],
  ['write', (worlds) => worlds.write({ source: 'n/w', insert: [] }), (outgoing) => outgoing.writeHead(204).end()],
];

describe('retries', () => {
  it.each([
    { why: '503 OVERLOADED', fail: (outgoing: ServerResponse) => refuse(outgoing, 503, 'OVERLOADED') },
    { why: '429', fail: (outgoing: ServerResponse) => refuse(outgoing, 429, 'OVERLOADED') },
    { why: '503 of a gateway', fail: (outgoing: ServerResponse) => reply(outgoing, 503, 'busy') },
    { why: 'a broken connection', fail: breakOff },
  ])('repeats a read after $why', async ({ fail }) => {
    const { url, requests } = await fakeServer((outgoing, _, count) =>
      count < 2 ? fail(outgoing) : results(outgoing),
    );
    expect(await (await client(url).select(QUERY)).array()).toHaveLength(3);
    expect(requests).toHaveLength(3);
  });

  it('gives up after the given number of retries, with the last error', async () => {
    const { url, requests } = await fakeServer((outgoing) => refuse(outgoing, 503, 'OVERLOADED'));
    await expect(client(url).select(QUERY)).rejects.toMatchObject({ code: 'OVERLOADED', message: 'Not now.' });
    expect(requests).toHaveLength(4);
    await expect(client(url, { retry: { retries: 0 } }).select(QUERY)).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(requests).toHaveLength(5);
  });

  it.each([
    [503, 'TIMEOUT'],
    [500, 'INTERNAL'],
    [400, 'INVALID_SPARQL'],
    [409, 'CONFLICT'],
    [507, 'QUOTA_EXCEEDED'],
  ])('does not repeat what fails with %i %s', async (status, code) => {
    const { url, requests } = await fakeServer((outgoing) => refuse(outgoing, status, code));
    await expect(client(url).select(QUERY)).rejects.toMatchObject({ code });
    expect(requests).toHaveLength(1);
  });

  it('waits as long as Retry-After says, unless that is too long', async () => {
    const at: number[] = [];
    const { url, requests } = await fakeServer((outgoing, _, count) => {
      at.push(performance.now());
      if (count === 0) refuse(outgoing, 503, 'OVERLOADED', { 'retry-after': '1' });
      else if (count === 1) results(outgoing);
      else refuse(outgoing, 503, 'OVERLOADED', { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() });
    });
    const patient = client(url, { retry: { minDelayMs: 1, maxDelayMs: 2000 } });
    await patient.ask(QUERY).catch(() => undefined);
    expect(at[1] - at[0]).toBeGreaterThanOrEqual(990);
    await expect(patient.select(QUERY)).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(requests).toHaveLength(3);
  });

  it('ends a pause when the signal fires or the client is closed', async () => {
    const { url } = await fakeServer((outgoing) => refuse(outgoing, 503, 'OVERLOADED', { 'retry-after': '9' }));
    const controller = new AbortController();
    const worlds = client(url, { retry: { maxDelayMs: 10_000 } });
    setTimeout(() => controller.abort(), 50);
    await expect(worlds.select({ ...QUERY, signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    setTimeout(() => worlds.close(), 50);
    await expect(worlds.select(QUERY)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/closed/),
    });
  });

  it.each(WRITES)('repeats %s after OVERLOADED, which is said before anything is done', async (_, call, succeed) => {
    const { url, requests } = await fakeServer((outgoing, __, count) =>
      count === 0 ? refuse(outgoing, 503, 'OVERLOADED') : succeed(outgoing),
    );
    await call(client(url));
    expect(requests).toHaveLength(2);
  });

  it.each(WRITES)('does not repeat %s after a broken connection: it is in doubt', async (_, call) => {
    const { url, requests } = await fakeServer((outgoing, message) => {
      message.resume().on('end', () => breakOff(outgoing));
    });
    await expect(call(client(url))).rejects.toMatchObject({
      code: 'IN_DOUBT',
      message: expect.stringMatching(/unknown whether/),
    });
    expect(requests).toHaveLength(1);
  });

  it.each(WRITES)('says that %s was not sent where no server listens', async (_, call) => {
    await expect(call(client(await closedAddress()))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^The request to http:\/\/127\.0\.0\.1:\d+ failed: /),
    });
  });

  it('does not repeat an import from a stream', async () => {
    const { url, requests } = await fakeServer((outgoing, message) => {
      message.resume().on('end', () => refuse(outgoing, 503, 'OVERLOADED'));
    });
    const data = (async function* () {
      for (let i = 0; i < 5000; i++) yield `<urn:${i}> <urn:p> "${i}" .\n`;
    })();
    await expect(client(url).import({ source: 'n/w', data })).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(requests).toHaveLength(1);
  });
});

describe('time limits', () => {
  it('end a request to a silent server', async () => {
    const { url } = await fakeServer(() => undefined);
    const worlds = client(url, { idleTimeoutMs: 50 });
    await expect(worlds.select(QUERY)).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringMatching(/silent for 50 ms/),
    });
    await expect(worlds.write({ source: 'n/w', insert: [] })).rejects.toMatchObject({ code: 'IN_DOUBT' });
  });

  it('end a result that stops coming, but not one that is read slowly', async () => {
    const text = resultsText(30_000);
    const { url } = await fakeServer((outgoing, _, count) => {
      outgoing.writeHead(200, { 'content-type': RESULTS });
      if (count === 0) outgoing.write(text.slice(0, 1000));
      else outgoing.end(text);
    });
    const worlds = client(url, { idleTimeoutMs: 500 });
    const stuck = await worlds.select(QUERY);
    await expect(stuck.array()).rejects.toMatchObject({ code: 'TIMEOUT' });
    let rows = 0;
    for await (const _ of await worlds.select(QUERY))
      if (rows++ % 10_000 === 0) await new Promise((resolve) => setTimeout(resolve, 700));
    expect(rows).toBe(30_000);
  });

  it('do not end an upload whose source is slow', async () => {
    const { url } = await fakeServer((outgoing, message) => {
      message.resume().on('end', () => outgoing.writeHead(204).end());
    });
    const data = (async function* () {
      yield 'x'.repeat(100_000);
      await new Promise((resolve) => setTimeout(resolve, 700));
      yield '\n';
    })();
    await client(url, { idleTimeoutMs: 500 }).import({ source: 'n/w', data });
  });

  it('of a query end it here as well', async () => {
    const { url } = await fakeServer(() => undefined);
    await expect(client(url).select({ ...QUERY, timeoutMs: 30 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('time limit of 30 ms'),
    });
  });
});

describe('an aborted request', () => {
  it('ends at the server too, before and while the answer comes', async () => {
    let closed = 0;
    const { url } = await fakeServer((outgoing, _, count) => {
      outgoing.on('close', () => closed++);
      if (count > 0) outgoing.writeHead(200, { 'content-type': RESULTS }).write(resultsText(3).slice(0, 60));
    });
    const before = new AbortController();
    setTimeout(() => before.abort(), 30);
    await expect(client(url).select({ ...QUERY, signal: before.signal })).rejects.toMatchObject({ code: 'ABORTED' });
    const during = new AbortController();
    const result = await client(url).select({ ...QUERY, signal: during.signal });
    setTimeout(() => during.abort(), 30);
    await expect(result.array()).rejects.toMatchObject({ code: 'ABORTED' });
    await expect.poll(() => closed).toBe(2);
  });
});

describe('credentials', () => {
  it('are those of the moment, and of every request', async () => {
    const { url, requests } = await fakeServer((outgoing, _, count) =>
      count === 0 ? refuse(outgoing, 503, 'OVERLOADED') : results(outgoing),
    );
    let number = 0;
    const worlds = client(url, { token: async () => `token-${++number}`, headers: { 'x-tenant': 'acme' } });
    await (await worlds.select(QUERY)).array();
    expect(requests.map(({ headers }) => [headers.authorization, headers['x-tenant']])).toEqual([
      ['Bearer token-1', 'acme'],
      ['Bearer token-2', 'acme'],
    ]);
  });

  it.each([301, 302, 303, 307, 308])('do not follow a redirect with status %i', async (status) => {
    const elsewhere = await fakeServer((outgoing) => results(outgoing));
    const { url, requests } = await fakeServer((outgoing) =>
      reply(outgoing, status, '', { location: `${elsewhere.url}/sparql` }),
    );
    const worlds = client(url, { token: 'secret', headers: { 'x-key': 'secret' } });
    for (const call of [() => worlds.select(QUERY), () => worlds.import({ source: 'n/w', data: '' })]) {
      await expect(call()).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining(`redirects to ${elsewhere.url}/sparql`),
      });
    }
    expect(elsewhere.requests).toEqual([]);
    expect(requests).toHaveLength(2);
  });

  it('cannot be sent elsewhere by a path', async () => {
    const worlds = client(await closedAddress(), { token: 'secret' });
    for (const path of ['//evil.example/', 'http://evil.example/', '@evil.example/', '\\\\evil.example'])
      await expect(worlds.request(path)).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_ARGUMENT|UNAVAILABLE/),
        message: expect.not.stringMatching(/ENOTFOUND|EAI_AGAIN/),
      });
  });
});

describe('request', () => {
  it('sends any request with a body of any kind, and returns the response', async () => {
    const { url } = await fakeServer(async (outgoing: ServerResponse, message: IncomingMessage) => {
      const pieces: Buffer[] = [];
      for await (const piece of message) pieces.push(piece as Buffer);
      reply(outgoing, 200, { method: message.method, body: Buffer.concat(pieces).toString() });
    });
    const bytes = new TextEncoder().encode('body');
    for (const body of ['body', bytes, new Blob([bytes]), new Blob([bytes]).stream()]) {
      const response = await client(url).request('/x', { method: 'PUT', body });
      expect(await response.json()).toEqual({ method: 'PUT', body: 'body' });
    }
    expect((await client(url).request('/x', { method: 'HEAD' })).status).toBe(200);
  });
});

describe('options', () => {
  it.each([
    [{}, /url/],
    [{ url: 'ftp://example.org' }, /url/],
    [{ url: 'http://user:password@example.org' }, /user name/],
    [{ url: 'http://example.org/?q' }, /query/],
    [{ url: 'http://example.org', tokne: 'x' }, /did you mean token/],
    [{ url: 'http://example.org', retry: { retry: 1 } }, /retries/],
    [{ url: 'http://example.org', retry: { retries: -1 } }, /retries/],
    [{ url: 'http://example.org', idleTimeoutMs: 'long' }, /idleTimeoutMs/],
    [{ url: 'http://example.org', token: 1 }, /token/],
    [{ url: 'http://example.org', defaultNamespace: '../x' }, /defaultNamespace/],
    [undefined, /options/],
  ])('refuses %j', (options, message) => {
    expect(() => new WorldsClient(options as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) }),
    );
  });

  it('keep the path of the address, and the default namespace', async () => {
    const { url, requests } = await fakeServer((outgoing) => reply(outgoing, 200, []));
    await new WorldsClient({ url: `${url}/api/`, defaultNamespace: 'mine' }).listWorlds();
    await new WorldsClient({ url: new URL(`${url}/api`) }).listWorlds({ page: 2 });
    expect(requests.map(({ path }) => path)).toEqual([
      '/api/namespaces/mine/worlds?page=1&pageSize=20',
      '/api/namespaces/_/worlds?page=2&pageSize=20',
    ]);
  });
});

it('adds one listener to a signal for any number of requests, and leaves none', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  try {
    const { url } = await fakeServer((outgoing) => setTimeout(() => results(outgoing), 50));
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const worlds = client(url);
    const rows = await Promise.all(
      Array.from({ length: 40 }, async () => (await worlds.select({ ...QUERY, signal })).array()),
    );
    expect(rows.map(({ length }) => length)).toEqual(Array(40).fill(3));
    expect(added.mock.calls.length).toBe(removed.mock.calls.length);
    expect(added.mock.calls.length).toBeLessThan(40);
    // Warnings are emitted in a turn of their own.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', warned);
  }
});

it('ends all requests of a signal that fires', async () => {
  const { url, requests } = await fakeServer(() => undefined);
  const aborting = new AbortController();
  const worlds = client(url);
  const calls = Array.from({ length: 20 }, () => worlds.select({ ...QUERY, signal: aborting.signal }));
  const outcomes = Promise.allSettled(calls);
  await vi.waitFor(() => expect(requests).toHaveLength(20), 30_000);
  aborting.abort();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } });
});
