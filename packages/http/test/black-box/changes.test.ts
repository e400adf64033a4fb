import { once } from 'node:events';
import { connect } from 'node:net';
import { dataFactory, MemoryStorage } from '@rdf-worlds/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWorldsHandler } from '../../src/index.ts';
import { bearer, CALLERS, type Caller } from './callers.ts';
import { EventStream } from './event-stream.ts';
import { type RunningServer, type ServerOptions, startServer } from './running-server.ts';

const { quad, namedNode, literal } = dataFactory;
const triple = (n: number | string) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(String(n)));

const servers: RunningServer[] = [];
const streams: EventStream[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  for (const server of servers.splice(0)) await server.close();
});

async function started(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ ...options, engine: { storage: new MemoryStorage(), ...options.engine } });
  servers.push(server);
  for (const slug of ['shared', 'own']) await server.engine.createWorld({ slug, namespace: 'alpha' });
  return server;
}

async function follow(
  server: RunningServer,
  path: string,
  options: { readonly as?: Caller; readonly headers?: Record<string, string> } = {},
): Promise<EventStream> {
  const stream = await EventStream.open(server, path, options);
  streams.push(stream);
  return stream;
}

const insert = ({ engine }: RunningServer, slug: string, ...texts: (number | string)[]) =>
  engine.write({ source: `alpha/${slug}`, insert: texts.map(triple) });

/** A handler whose tokens may be revoked. */
function revocable(revoked: Set<Caller>) {
  return {
    authenticate: (token: string) => {
      const [name, caller] = Object.entries(CALLERS).find(([, known]) => known.token === token)!;
      if (revoked.has(name as Caller)) return null;
      return { id: name, defaultNamespace: 'alpha', grants: [], ...caller };
    },
  };
}

describe('a change feed', () => {
  it('says where it starts, then sends each change with its quads', async () => {
    const server = await started();
    const stream = await follow(server, '/changes');
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
    expect(await stream.next()).toEqual({ type: 'open', id: '2', data: { namespace: 'alpha' } });
    await insert(server, 'own', 1);
    await server.engine.write({
      source: 'alpha/own',
      insert: [quad(dataFactory.blankNode('b'), namedNode('urn:p'), literal('chat', 'fr'), namedNode('urn:g'))],
      delete: [triple(1)],
    });
    const [first, second] = await stream.take(2);
    expect(first).toMatchObject({
      type: 'change',
      id: '3',
      data: {
        ...{ revision: 3, kind: 'changed', insertedCount: 1, deletedCount: 0, omitted: 0, more: false },
        world: { slug: 'own', namespace: 'alpha' },
        inserted: [
          {
            subject: { type: 'uri', value: 'urn:s' },
            predicate: { type: 'uri', value: 'urn:p' },
            object: { type: 'literal', value: '1' },
            graph: { type: 'default', value: '' },
          },
        ],
      },
    });
    expect(second.data).toMatchObject({
      deleted: [{ object: { value: '1' } }],
      inserted: [
        {
          subject: { type: 'bnode' },
          object: { type: 'literal', value: 'chat', 'xml:lang': 'fr' },
          graph: { type: 'uri', value: 'urn:g' },
        },
      ],
    });
  });

  it('of a world has no changes of others', async () => {
    const server = await started();
    const stream = await follow(server, '/namespaces/alpha/worlds/own/changes');
    await insert(server, 'shared', 1);
    await insert(server, 'own', 2);
    const [open, change] = await stream.take(2);
    expect(open).toMatchObject({ type: 'open', data: { namespace: 'alpha', world: 'own' } });
    expect(change).toMatchObject({ id: '4', data: { world: { slug: 'own' } } });
  });

  it('is resumed by Last-Event-ID, by ?after=, and without waiting', async () => {
    const server = await started();
    for (const n of [1, 2, 3]) await insert(server, 'own', n);
    const all = await follow(server, '/changes?after=0&follow=false');
    const events = await all.rest();
    expect(events.map(({ type }) => type)).toEqual(['open', ...Array(5).fill('change'), 'end']);
    expect(events.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4', '5', '5']);
    expect(events.at(-1)!.data).toEqual({ after: '5' });
    const later = await follow(server, '/changes?after=0&follow=false', { headers: { 'last-event-id': '3' } });
    expect((await later.rest()).map(({ id }) => id)).toEqual(['3', '4', '5', '5']);
    const none = await follow(server, '/changes?after=5&follow=false');
    expect((await none.rest()).map(({ type }) => type)).toEqual(['open', 'end']);
  });

  it('sends large changes in parts, of which the last has the id', async () => {
    const server = await started();
    const stream = await follow(server, '/changes');
    expect((await stream.next())!.id).toBe('2');
    const texts = Array.from({ length: 1500 }, (_, n) => n);
    await insert(server, 'own', ...texts);
    const parts = [(await stream.next())!];
    while (parts.at(-1)!.data.more) parts.push((await stream.next())!);
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.map(({ type }) => type)).toEqual(['change', ...Array(parts.length - 1).fill('quads')]);
    expect(parts.map(({ id }) => id)).toEqual([...Array(parts.length - 1).fill('2'), '3']);
    const values = parts.flatMap(({ data }) =>
      data.inserted.map((row: { object: { value: string } }) => row.object.value),
    );
    expect(new Set(values)).toEqual(new Set(texts.map(String)));
    const few = await follow(server, '/changes?after=2&follow=false&quads=2');
    const [, change] = await few.rest();
    expect(change.data).toMatchObject({ insertedCount: 1500, omitted: 1498, more: false });
    expect(change.data.inserted).toHaveLength(2);
  });

  it('sends long texts as they are, also in triple terms, to every caller', async () => {
    const server = await started();
    const streams = await Promise.all([follow(server, '/changes'), follow(server, '/worlds/own/changes')]);
    // The pieces in which a text is escaped begin in the middle of a pair of surrogates.
    const texts = [`${'\u0001"\\\n'.repeat(40_000)}`, `x${'\u{1F600}'.repeat(100_000)}`, '', 'y'.repeat(1 << 18)];
    const quoted = quad(namedNode('urn:s'), namedNode('urn:p'), triple(texts[1]));
    await server.engine.write({ source: 'alpha/own', insert: [...texts.map(triple), quoted] });
    for (const stream of streams) {
      await stream.next();
      const found: string[] = [];
      for (let more = true; more; ) {
        const { data } = (await stream.next())!;
        for (const { object } of data.inserted) found.push(object.value.object?.value ?? object.value);
        more = data.more;
      }
      expect(found.sort()).toEqual([...texts, texts[1]].sort());
    }
  });

  it('ends with TRUNCATED, and the id after which it can be continued', async () => {
    const server = await started({ engine: { retainChangesBytes: 0 } });
    await server.engine.checkpoint();
    const stream = await follow(server, '/changes?after=1');
    const [open, end] = await stream.rest();
    expect(open.id).toBe('1');
    const data = { code: 'TRUNCATED', revision: 2, oldestRevision: 2, after: '2' };
    expect(end).toMatchObject({ type: 'end', id: '2', data });
    const again = await follow(server, '/changes', { headers: { 'last-event-id': end.id } });
    await insert(server, 'own', 1);
    expect((await again.take(2))[1]).toMatchObject({ type: 'change', id: '3' });
  });

  it('works without a storage from the first feed on', async () => {
    const server = await started({ engine: { storage: undefined } });
    const stream = await follow(server, '/changes');
    await stream.next();
    await insert(server, 'own', 1);
    expect((await stream.next())!.data).toMatchObject({ revision: 3, insertedCount: 1 });
  });

  it('answers HEAD without opening a feed, and refuses what it cannot understand', async () => {
    const server = await started({ handler: { limits: { maxFeedsPerCaller: 1 } } });
    const headers = { authorization: bearer('alice') };
    for (let i = 0; i < 3; i++) {
      const { status } = await fetch(`${server.origin}/changes`, { method: 'HEAD', headers });
      expect(status).toBe(200);
    }
    const status = async (path: string) => (await follow(server, path)).response.status;
    expect(await status('/changes?after=-1')).toBe(400);
    expect(await status('/changes?after=x')).toBe(400);
    expect(await status('/changes?after=1&after=2')).toBe(400);
    expect(await status('/changes?quads=1.5')).toBe(400);
    expect(await status('/changes?follow=yes')).toBe(400);
    expect(await status('/worlds/nothing/changes')).toBe(404);
    expect(await status('/namespaces/beta/changes')).toBe(403);
  });
});

describe('who may not read the whole namespace', () => {
  it('gets the changes of the readable worlds only, and no revisions', async () => {
    const server = await started();
    const stream = await follow(server, '/namespaces/alpha/changes', { as: 'carol' });
    const [open] = await stream.take(1);
    expect(open.id).toMatch(/^[\w-]{48}$/);
    await insert(server, 'own', 'secret');
    await insert(server, 'shared', 'b', 'a');
    const [change] = await stream.take(1);
    expect(change.data).toMatchObject({ world: { slug: 'shared' }, insertedCount: 2 });
    expect(change.data).not.toHaveProperty('revision');
    // Not in the order in which the terms were stored.
    expect(change.data.inserted.map((row: { object: { value: string } }) => row.object.value)).toEqual(['a', 'b']);
    await insert(server, 'shared', 'c');
    const resumed = await follow(server, `/namespaces/alpha/changes?follow=false&after=${change.id}`, { as: 'carol' });
    const events = await resumed.rest();
    expect(events.map(({ type }) => type)).toEqual(['open', 'change', 'end']);
    // Equal positions are sealed differently.
    expect(new Set([open.id, change.id, events[0].id, events[1].id, events[2].data.after]).size).toBe(5);
    expect(JSON.stringify(events)).not.toContain('revision');
  });

  it('cannot ask for a revision', async () => {
    const server = await started();
    const { response } = await follow(server, '/namespaces/alpha/changes?after=1', { as: 'carol' });
    expect(response.status).toBe(403);
    const other = await follow(server, '/namespaces/alpha/worlds/own/changes', { as: 'carol' });
    expect(other.response.status).toBe(403);
  });

  it('learns of TRUNCATED without a revision, also from a namespace that was created again', async () => {
    const server = await started();
    const stream = await follow(server, '/namespaces/alpha/worlds/shared/changes', { as: 'carol' });
    const { id } = (await stream.next())!;
    await server.engine.deleteNamespace({ namespace: 'alpha' });
    const [end] = await stream.rest();
    expect(end.data).toMatchObject({ code: 'TRUNCATED' });
    expect(end.data).not.toHaveProperty('revision');
    expect(end.data.message).not.toMatch(/\d/);
    await server.engine.createWorld({ slug: 'shared', namespace: 'alpha' });
    const again = await follow(server, `/namespaces/alpha/worlds/shared/changes?after=${id}`, { as: 'carol' });
    expect((await again.rest()).at(-1)!.data).toMatchObject({ code: 'TRUNCATED' });
  });
});

describe('a feed ends', () => {
  it('when its token is revoked', async () => {
    const revoked = new Set<Caller>();
    const server = await started({ handler: { ...revocable(revoked), limits: { feedHeartbeatMs: 20 } } });
    const stream = await follow(server, '/changes');
    await stream.next();
    revoked.add('alice');
    expect(await stream.rest()).toMatchObject([{ type: 'end', data: { code: 'UNAUTHENTICATED' } }]);
    expect((await follow(server, '/changes')).response.status).toBe(401);
  });

  it('when the permission is taken away, even between changes that never pause', async () => {
    let grants: readonly { namespace: string; world?: string; read: boolean }[] = [{ namespace: 'alpha', read: true }];
    const server = await started({
      handler: {
        authenticate: () => ({ id: 'alice', defaultNamespace: 'alpha', grants }),
        limits: { feedHeartbeatMs: 0 },
      },
    });
    const stream = await follow(server, '/changes?after=0');
    expect(await stream.take(3)).toMatchObject([{ type: 'open' }, { id: '1' }, { id: '2' }]);
    const rest = stream.rest();
    await vi.waitFor(() => expect(stream.comments).toBeGreaterThan(0), 30_000);
    grants = [{ namespace: 'alpha', world: 'own', read: true }];
    expect((await rest).at(-1)).toMatchObject({ type: 'end', data: { code: 'PERMISSION_DENIED' } });
    grants = [];
    expect((await follow(server, '/changes')).response.status).toBe(403);
  });

  it('when the server stops, and when the engine is closed', async () => {
    const stopping = new AbortController();
    const server = await started({ handler: { stopping: stopping.signal } });
    const stream = await follow(server, '/changes');
    await stream.next();
    stopping.abort();
    expect(await stream.rest()).toMatchObject([{ type: 'end', data: { code: 'UNAVAILABLE' } }]);
    expect(await (await follow(server, '/changes')).rest()).toMatchObject([{ data: { code: 'UNAVAILABLE' } }]);

    const other = await started();
    const feed = await follow(other, '/changes');
    await feed.next();
    await other.engine.close();
    expect(await feed.rest()).toMatchObject([{ type: 'end', data: { code: 'UNAVAILABLE' } }]);
  });

  it('for a reader that reads nothing, and is not kept in memory', async () => {
    const server = await started({ handler: { limits: { feedIdleMs: 50, maxFeedsPerCaller: 1 } } });
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write(`GET /changes?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer('alice')}\r\n\r\n`);
    // More than the buffers of both ends hold.
    const text = 'x'.repeat(1 << 20);
    for (let n = 0; n < 16; n++) await insert(server, 'own', `${n} ${text}`);
    await vi.waitFor(async () => {
      const stream = await EventStream.open(server, '/changes?follow=false&after=2');
      stream.close();
      expect(stream.response.status).toBe(200);
    }, 30_000);
    socket.resume();
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    if (!socket.destroyed) await once(socket, 'close');
    expect(Buffer.concat(chunks).length).toBeLessThan(16 << 20);
  });

  it('and heartbeats carry the position that a filtered feed has reached', async () => {
    const server = await started({ handler: { limits: { feedHeartbeatMs: 20 } } });
    const stream = await follow(server, '/worlds/own/changes');
    expect((await stream.next())!.id).toBe('2');
    const next = stream.next();
    await insert(server, 'shared', 1);
    await vi.waitFor(() => expect(stream.lastId).toBe('3'), 30_000);
    await insert(server, 'own', 2);
    expect((await next)!.id).toBe('4');
  });
});

describe('the number of feeds', () => {
  it('is bounded for each caller and in total, and closed feeds do not count', async () => {
    const server = await started({ handler: { limits: { maxFeedsPerCaller: 1, maxFeeds: 2 } } });
    const first = await follow(server, '/changes');
    await first.next();
    const refused = await follow(server, '/changes');
    expect(refused.response.status).toBe(429);
    expect(refused.response.headers.get('retry-after')).toBe('10');
    expect(refused.response.headers.get('rdf-worlds-error')).toBe('OVERLOADED');
    expect((await follow(server, '/changes', { as: 'rita' })).response.status).toBe(200);
    expect((await follow(server, '/changes', { as: 'wes' })).response.status).toBe(503);
    first.close();
    await vi.waitFor(async () => expect((await follow(server, '/changes')).response.status).toBe(200), 30_000);
  });

  it('does not take the slots of requests', async () => {
    const server = await started({
      handler: { limits: { maxConcurrentRequestsPerCaller: 1, maxConcurrentRequests: 1, timeoutMs: 1000 } },
    });
    const feeds = [await follow(server, '/changes'), await follow(server, '/changes')];
    for (const feed of feeds) await feed.next();
    const headers = { authorization: bearer('alice') };
    expect((await fetch(`${server.origin}/worlds`, { headers })).status).toBe(200);
  });
});

describe('through a Fetch handler', () => {
  it('works, and frees the feed of a reader that stops', async () => {
    const server = await started();
    const handler = createWorldsHandler(server.engine, {
      ...revocable(new Set()),
      limits: { maxFeedsPerCaller: 1, feedIdleMs: 50 },
    });
    const request = () => new Request('http://x/changes?after=0', { headers: { authorization: bearer('alice') } });
    const response = await handler(request());
    expect(response.status).toBe(200);
    expect((await handler(request())).status).toBe(429);
    await vi.waitFor(async () => expect((await handler(request())).status).toBe(200), 30_000);
    // Nothing was read before the feed was closed.
    expect(await response.text()).toMatch(/^event: end\ndata: \{"code":"TIMEOUT"/);
  });
});
