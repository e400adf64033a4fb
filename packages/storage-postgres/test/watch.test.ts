import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Head, type NamespaceStorage, NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresPool, postgresStorage } from '../src/index.ts';
import { type Fault, FaultyPool } from './faulty-pool.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

const record = () => ({ id: randomBytes(16).toString('hex'), chunks: [Buffer.from('x')] });

async function append(namespace: NamespaceStorage): Promise<Head> {
  return namespace.append(await namespace.head(), [record()]);
}

describe.skipIf(!serverPrograms())('watch', () => {
  let server: PostgresServer;
  const pools: pg.Pool[] = [];
  const storages: Storage[] = [];
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => {
    for (const storage of storages) await storage.close();
    for (const pool of pools) await pool.end();
    await server?.dispose();
  });

  /** Opens the schema as another process would: over a pool of its own. */
  async function opened(schema: string, { pollMs = 20, alter = (pool: pg.Pool): PostgresPool => pool } = {}) {
    const pool = server.pool();
    pools.push(pool);
    const storage = postgresStorage({ pool: alter(pool), schema, pollMs });
    storages.push(storage);
    await storage.open();
    return { storage, pool };
  }

  /** Consumes a watch until it yields a head at a position; returns it. */
  async function headAt(heads: AsyncIterable<Head>, position: number): Promise<Head> {
    for await (const head of heads) if (head.position === position) return head;
    throw new Error('The watch ended.');
  }

  it('yields the head, then each movement by another process, also drops', async () => {
    const writer = await opened('moved');
    const reader = await opened('moved');
    const heads = reader.storage.namespace('n').watch!(new AbortController().signal)[Symbol.asyncIterator]();
    expect((await heads.next()).value).toEqual(NO_HEAD);
    for (let position = 1; position <= 20; position++) {
      const head = await append(writer.storage.namespace('n'));
      expect((await heads.next()).value).toEqual(head);
    }
    await writer.storage.namespace('n').drop();
    expect((await heads.next()).value).toEqual({ ...NO_HEAD, generation: 1 });
    await heads.return!();
  });

  it('reports a database that is away once, until it has been back', async () => {
    let isDown = false;
    let failed = 0;
    const faultOf = () => {
      if (!isDown) return 'none';
      failed++;
      return 'before';
    };
    const { storage, pool: watched } = await opened('away', {
      pollMs: 5,
      alter: (pool) => new FaultyPool(pool, new SeededRandom(1), faultOf),
    });
    const reports: (string | undefined)[] = [];
    storage.onBackgroundError!((error) => reports.push(error?.message));
    const heads = storage.namespace('n').watch!(new AbortController().signal)[Symbol.asyncIterator]();
    await heads.next();
    const writer = await opened('away');
    // Until only the connection that listens is in use.
    while (watched.totalCount - watched.idleCount !== 1) await wait(5);
    for (let position = 1; position <= 2; position++) {
      failed = 0;
      isDown = true;
      while (failed < 4) await wait(5);
      isDown = false;
      const head = await append(writer.storage.namespace('n'));
      expect((await heads.next()).value).toEqual(head);
    }
    const looking =
      'Looking for commits of other processes failed: Connection terminated unexpectedly. The connection was lost: check the server and the network, then try again.';
    await heads.return!();
    expect(reports).toEqual([looking, undefined, looking, undefined]);
  });

  it('is woken by notifications where both watch, long before the next look', async () => {
    const pollMs = 60_000; // No test waits for so long.
    const writer = await opened('notified', { pollMs });
    const reader = await opened('notified', { pollMs });
    const stop = new AbortController();
    const own = writer.storage.namespace('other').watch!(stop.signal)[Symbol.asyncIterator]();
    await own.next();
    const heads = reader.storage.namespace('n').watch!(stop.signal)[Symbol.asyncIterator]();
    await heads.next();
    for (let position = 1; position <= 20; position++) {
      const head = await append(writer.storage.namespace('n'));
      expect((await heads.next()).value).toEqual(head);
    }
    stop.abort();
    await expect(heads.next()).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(own.next()).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('yields what this process appends without a statement of its own', async () => {
    const texts: string[] = [];
    const faultOf = (text: string): Fault => {
      texts.push(text);
      return text.includes('LISTEN') ? 'refused' : 'none';
    };
    const alter = (pool: pg.Pool) => new FaultyPool(pool, new SeededRandom(1), faultOf);
    const { storage } = await opened('own', { pollMs: 60_000, alter }); // No test waits for so long.
    const namespace = storage.namespace('n');
    const heads = namespace.watch!(new AbortController().signal)[Symbol.asyncIterator]();
    expect((await heads.next()).value).toEqual(NO_HEAD);
    // A first append begins an incarnation, which is looked at.
    let head = await append(namespace);
    expect((await heads.next()).value).toEqual(head);
    texts.length = 0;
    for (let position = 2; position <= 10; position++) {
      head = await namespace.append(head, [record()]);
      expect((await heads.next()).value).toEqual(head);
    }
    expect(texts.filter((text) => text.includes('ANY($1'))).toEqual([]);
    await heads.return!();
  });

  it('looks by itself where the database has no LISTEN, and reads all namespaces with one statement', async () => {
    const texts: string[] = [];
    const writer = await opened('polled');
    const faultOf = (text: string): Fault => {
      texts.push(text);
      return /LISTEN|pg_notify/.test(text) ? 'refused' : 'none';
    };
    const reader = await opened('polled', { alter: (pool) => new FaultyPool(pool, new SeededRandom(1), faultOf) });
    const names = Array.from({ length: 10 }, (_, at) => `n${at}`);
    const watches = names.map((name) => reader.storage.namespace(name).watch!(new AbortController().signal));
    const seen = Promise.all(watches.map((heads) => headAt(heads, 3)));
    for (let round = 0; round < 3; round++) for (const name of names) await append(writer.storage.namespace(name));
    expect((await seen).map(({ position }) => position)).toEqual(names.map(() => 3));
    // Ten watchers, three appends each: had each watcher asked for itself, these would be ten times
    // as many.
    const looks = texts.filter((text) => text.includes('ANY($1'));
    expect(looks.length).toBeGreaterThan(0);
    expect(new Set(looks).size).toBe(1);
  });

  it('follows again after the connection that listens was lost', async () => {
    const writer = await opened('lost');
    const reader = await opened('lost');
    const heads = reader.storage.namespace('n').watch!(new AbortController().signal)[Symbol.asyncIterator]();
    await heads.next();
    await append(writer.storage.namespace('n'));
    await heads.next();
    await writer.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`,
    );
    const head = await append(writer.storage.namespace('n'));
    expect((await heads.next()).value).toEqual(head);
    await heads.return!();
  });

  it('ends when its storage is closed, and gives its connection back', async () => {
    const { storage, pool } = await opened('closed');
    const heads = storage.namespace('n').watch!(new AbortController().signal)[Symbol.asyncIterator]();
    await heads.next();
    const next = expect(heads.next()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await storage.close();
    await next;
    expect(pool.idleCount).toBe(pool.totalCount);
  });
});
