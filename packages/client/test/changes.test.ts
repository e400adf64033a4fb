import { dataFactory, MemoryStorage, WorldsError } from '@rdf-worlds/core';
import { afterEach, describe, expect, it } from 'vitest';
import { type RemoteChange, WorldsClient } from '../src/index.ts';
import { fakeServer, reply } from './fake-server.ts';
import { type RunningServer, startServer, TOKENS } from './running-server.ts';

const { quad, namedNode, literal } = dataFactory;
const triple = (n: number) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(String(n)));

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function started(options: Parameters<typeof startServer>[0] = {}) {
  const server = await startServer(options, { storage: new MemoryStorage(), retainChangesBytes: 0 });
  servers.push(server);
  for (const slug of ['open', 'hidden']) await server.engine.createWorld({ slug, namespace: 'shared' });
  const client = new WorldsClient({ url: server.url, token: server.token, defaultNamespace: 'shared' });
  const insert = (slug: string, ...numbers: number[]) =>
    server.engine.write({ source: `shared/${slug}`, insert: numbers.map(triple) });
  return { server, client, insert };
}

const text = ({ id, world, kind, inserted, deleted }: RemoteChange) =>
  `${id} ${world.slug} ${kind} +${inserted.map(({ object }) => object.value)} -${deleted.map(({ object }) => object.value)}`;

const OPEN = 'id: 1\nevent: open\ndata: {}\n\n';
const changeText = (id: number, fields = {}) =>
  `id: ${id}\nevent: change\ndata: ${JSON.stringify({
    ...{ revision: id, timeMs: 0, kind: 'changed', world: { slug: 'w', namespace: 'n', createdAt: 0, updatedAt: 0 } },
    ...{ insertedCount: 0, deletedCount: 0, omitted: 0, inserted: [], deleted: [], more: false, ...fields },
  })}\n\n`;
const STREAM = { 'content-type': 'text/event-stream' };

describe('client.changes', () => {
  it('yields what the engine commits, with its terms', async () => {
    const { client, server, insert } = await started();
    const changes = client.changes({ after: 0 });
    expect([text((await changes.next()).value), text((await changes.next()).value)]).toEqual([
      '1 open created + -',
      '2 hidden created + -',
    ]);
    const next = changes.next();
    await insert('open', 1);
    const { value: change } = await next;
    const [expected] = [await server.engine.changes({ namespace: 'shared', after: 2 }).next()];
    expect(change.world).toEqual(expected.value.world);
    expect(change.revision).toBe(3);
    expect(change.inserted[0].equals([...expected.value.inserted][0])).toBe(true);
    await changes.return(undefined);
  });

  it('of one world, of a part of the quads, and up to now', async () => {
    const { client, insert } = await started();
    await insert('hidden', 1);
    await insert('open', ...Array.from({ length: 3000 }, (_, n) => n));
    const taken: RemoteChange[] = [];
    for await (const change of client.changes({ source: 'open', after: 0, follow: false })) taken.push(change);
    expect(taken.map(({ id, insertedCount, inserted }) => [id, insertedCount, inserted.length])).toEqual([
      ['1', 0, 0],
      ['4', 3000, 3000],
    ]);
    const few = client.changes({ source: 'shared/open', after: '1', follow: false, maxQuads: 5 });
    expect((await few.next()).value).toMatchObject({ insertedCount: 3000, omitted: 2995, inserted: { length: 5 } });
    expect((await few.next()).done).toBe(true);
  });

  it('for a caller who may read one world of the namespace', async () => {
    const { server, insert } = await started();
    const guest = new WorldsClient({ url: server.url, token: TOKENS.guest, defaultNamespace: 'shared' });
    const changes = guest.changes();
    const next = changes.next();
    // The feed starts when the server has received the request.
    let number = 0;
    const writing = setInterval(() => void insert(number % 2 ? 'open' : 'hidden', ++number), 20);
    const { value: first } = await next;
    clearInterval(writing);
    expect(first.world.slug).toBe('open');
    expect(first.revision).toBeUndefined();
    const resumed = guest.changes({ after: first.id, follow: false });
    for await (const { world } of resumed) expect(world.slug).toBe('open');
    await changes.return(undefined);
    await expect(guest.changes({ after: 0 }).next()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('continues when the connection breaks, the server stops, or the feed was idle', async () => {
    const { url, requests } = await fakeServer((outgoing, _, count) => {
      outgoing.writeHead(200, STREAM);
      if (count === 0) outgoing.write(OPEN + changeText(2) + changeText(3).slice(0, -9), () => outgoing.destroy());
      else if (count === 1)
        outgoing.end(`${changeText(3)}event: end\ndata: {"code":"UNAVAILABLE","message":"stops"}\n\n`);
      else if (count === 2) outgoing.end(`: \nid: 7\n\nevent: end\ndata: {"code":"TIMEOUT","message":"idle"}\n\n`);
      else outgoing.end(`${changeText(8)}event: end\ndata: {"after":"8"}\n\n`);
    });
    const client = new WorldsClient({ url, retry: { minDelayMs: 1 } });
    const ids: string[] = [];
    for await (const { id } of client.changes()) ids.push(id);
    expect(ids).toEqual(['2', '3', '8']);
    expect(requests.map(({ path }) => path)).toEqual(
      ['', '?after=2', '?after=3', '?after=7'].map((query) => `/namespaces/_/changes${query}`),
    );
  });

  it('asks for a new token once, when that of the feed has expired', async () => {
    const { url, requests } = await fakeServer((outgoing, _, count) => {
      if (count === 2)
        return reply(outgoing, 401, { error: { message: 'no' } }, { 'rdf-worlds-error': 'UNAUTHENTICATED' });
      outgoing.writeHead(200, STREAM);
      outgoing.end(`${changeText(count + 2)}event: end\ndata: {"code":"UNAUTHENTICATED","message":"expired"}\n\n`);
    });
    let tokens = 0;
    const client = new WorldsClient({ url, token: () => `t${++tokens}`, retry: { minDelayMs: 1 } });
    const changes = client.changes();
    expect((await changes.next()).value.id).toBe('2');
    expect((await changes.next()).value.id).toBe('3');
    await expect(changes.next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t3']);
  });

  it('says which revision is the oldest, and continues there', async () => {
    const { client, server, insert } = await started();
    await server.engine.checkpoint();
    await insert('open', 1);
    const before = client.changes({ namespace: 'shared', after: 1, follow: false });
    const refusal = await before.next().catch((error: unknown) => error);
    if (!(refusal instanceof WorldsError)) throw new Error('the log was not truncated');
    expect(refusal).toMatchObject({ code: 'TRUNCATED', revision: 3, oldestRevision: 2 });
    const rest = client.changes({ namespace: 'shared', after: refusal.oldestRevision, follow: false });
    expect(text((await rest.next()).value)).toBe('3 open changed +1 -');
    await rest.return(undefined);
    // Of a read of the past: `revision` is the same.
    const past = client.getWorld({ source: 'shared/open', at: 1 });
    await expect(past).rejects.toMatchObject({ code: 'TRUNCATED', revision: 3, oldestRevision: 3 });
  });

  it('throws TRUNCATED with the revision, and gives up after its retries', async () => {
    const { client, server } = await started();
    const changes = client.changes();
    const next = changes.next();
    await expect.poll(() => server.engine.metrics().namespacesInMemory).toBe(1);
    await server.engine.deleteNamespace({ namespace: 'shared' });
    await expect(next).rejects.toMatchObject({ code: expect.stringMatching(/TRUNCATED|NOT_FOUND/) });
    const { url, requests } = await fakeServer((outgoing) => outgoing.destroy());
    const gone = new WorldsClient({ url, retry: { retries: 1, minDelayMs: 1 } });
    await expect(gone.changes().next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(requests.length).toBeGreaterThan(1);
  });

  it('ends with ABORTED when the signal fires, and refuses wrong requests', async () => {
    const { client } = await started();
    const controller = new AbortController();
    const next = client.changes({ signal: controller.signal }).next();
    controller.abort();
    await expect(next).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(client.changes({ source: 'open', namespace: 'shared' }).next()).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(client.changes({ sources: ['open'] } as object).next()).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(client.changes({ after: 'x' }).next()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
