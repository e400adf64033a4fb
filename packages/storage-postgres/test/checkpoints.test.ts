import { randomBytes } from 'node:crypto';
import { type Head, type NamespaceStorage, NO_HEAD, type Segment, type Storage } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresPool, postgresStorage } from '../src/index.ts';
import { type Fault, FaultyPool } from './faulty-pool.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

const record = (byteLength = 10) => ({ id: randomBytes(16).toString('hex'), chunks: [randomBytes(byteLength)] });
const segment = (name: string, text = name): Segment => ({ name, write: () => [Buffer.from(text)] });

/** Returns the names of the newest checkpoint's segments, each read. */
async function newestOf(namespace: NamespaceStorage): Promise<string[]> {
  const { segments } = (await namespace.checkpoint())!;
  for (const each of segments) expect(Buffer.from(await each.read()).toString()).toBe(each.name);
  return segments.map(({ name }) => name);
}

describe.skipIf(!serverPrograms())('checkpoints of several processes', () => {
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

  /** A storage over a pool of its own, as in a process of its own. */
  async function opened(schema: string, alter = (pool: PostgresPool): PostgresPool => pool) {
    const pool = server.pool();
    pools.push(pool);
    const storage = postgresStorage({ pool: alter(pool), schema });
    storages.push(storage);
    await storage.open();
    return { storage, pool };
  }

  async function rowsIn(pool: pg.Pool, schema: string, table: string): Promise<number> {
    return Number((await pool.query(`SELECT count(*) AS n FROM ${schema}.worlds_${table}`)).rows[0].n);
  }

  it('one of an earlier head is published although another process has appended, and refuses no append', async () => {
    const one = (await opened('appended')).storage.namespace('n');
    const other = (await opened('appended')).storage.namespace('n');
    const head = await one.append(NO_HEAD, [record(), record()]);
    const next = await other.append(head, [record()]);
    await one.writeCheckpoint(head, [segment('late')]);
    expect(await newestOf(other)).toEqual(['late']);
    expect((await other.append(next, [record()])).position).toBe(4);
  });

  it('one that omits terms is published at the head only, and refuses what other processes then append', async () => {
    const one = (await opened('omitted')).storage.namespace('n');
    const other = (await opened('omitted')).storage.namespace('n');
    const head = await one.append(NO_HEAD, [record()]);
    let asked = 0;
    await one.writeCheckpoint(head, [segment('s')], async () => {
      const known = await one.head();
      if (++asked === 1) await other.append(known, [record()]);
      return known;
    });
    expect(asked).toBe(2);
    const now = { ...head, position: 2 };
    await expect(other.append(now, [record()])).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(other.writeCheckpoint(now, [segment('t')])).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await other.append({ ...now, generation: 1 }, [record()])).position).toBe(3);
    expect(await newestOf(other)).toEqual(['s']);
  });

  it('one whose writer was paused is published after one other, and refused after two', async () => {
    const one = (await opened('paused')).storage;
    const other = await opened('paused');
    const head = await one.namespace('n').append(NO_HEAD, [record()]);
    for (const others of [1, 2]) {
      async function* pausedSegments(): AsyncIterable<Segment> {
        yield segment(`first-${others}`);
        for (let turn = 0; turn < others; turn++)
          await other.storage.namespace('n').writeCheckpoint(head, [segment(`other-${others}-${turn}`)]);
        yield segment(`last-${others}`);
      }
      const writing = one.namespace('n').writeCheckpoint(head, pausedSegments());
      if (others === 1) await writing;
      else await expect(writing).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await newestOf(one.namespace('n'))).toEqual(others === 1 ? ['first-1', 'last-1'] : ['other-2-1']);
    }
    // Nothing is left of what was never published, and of all that was, two.
    await other.storage.namespace('n').writeCheckpoint(head, [segment('end')]);
    expect(await rowsIn(other.pool, 'paused', 'checkpoints')).toBe(2);
    expect(await rowsIn(other.pool, 'paused', 'blobs')).toBe(2);
    expect(await rowsIn(other.pool, 'paused', 'parts')).toBe(2);
  });

  it.each(['before', 'after'] satisfies Fault[])(
    'one whose statement fails (%s) counts once, so that the one before stays readable',
    async (fault) => {
      let next: Fault = 'none';
      const schema = `counted_${fault}`;
      const { storage } = await opened(schema, (pool) => {
        return new FaultyPool(pool, new SeededRandom(1), (text) => {
          if (!(text.startsWith('WITH moved') && text.includes('worlds_checkpoints'))) return 'none';
          const now = next;
          next = 'none';
          return now;
        });
      });
      const namespace = storage.namespace('n');
      const head = await namespace.append(NO_HEAD, [record()]);
      await namespace.writeCheckpoint(head, [segment('old')]);
      const [old] = (await namespace.checkpoint())!.segments;
      next = fault;
      await namespace.writeCheckpoint(head, [segment('new')]);
      expect(next).toBe('none');
      expect(Buffer.from(await old.read()).toString()).toBe('old');
      expect(await newestOf(namespace)).toEqual(['new']);
    },
  );

  it('what an interrupted writer left is deleted after the next checkpoints', async () => {
    const { storage, pool } = await opened('left');
    const head = await storage.namespace('n').append(NO_HEAD, [record()]);
    await pool.query(
      `INSERT INTO "left".worlds_blobs (incarnation, blob, kind, base) VALUES ('${head.incarnation}', 'lost', 'segment', 0)`,
    );
    await pool.query(
      `INSERT INTO "left".worlds_parts (incarnation, blob, part, checksum, data) VALUES ('${head.incarnation}', 'lost', 0, 0, 'x')`,
    );
    for (const name of ['a', 'b']) await storage.namespace('n').writeCheckpoint(head, [segment(name)]);
    expect(await rowsIn(pool, '"left"', 'blobs')).toBe(2);
    expect(await rowsIn(pool, '"left"', 'parts')).toBe(2);
  });

  it('truncating deletes records and the blobs of large ones; dropping deletes everything', async () => {
    const { storage, pool } = await opened('deleted');
    const namespace = storage.namespace('n');
    const heads: Head[] = [];
    for (const byteLength of [10, 3_000_000, 10, 3_000_000])
      heads.push(await namespace.append(heads.at(-1) ?? NO_HEAD, [record(byteLength)]));
    await namespace.writeCheckpoint(heads[3], [segment('s')]);
    await namespace.truncate(heads[2]);
    expect(await rowsIn(pool, 'deleted', 'records')).toBe(1);
    expect(await rowsIn(pool, 'deleted', 'blobs')).toBe(2);
    await namespace.drop();
    for (const table of ['records', 'blobs', 'parts', 'checkpoints', 'dropped'])
      expect([table, await rowsIn(pool, 'deleted', table)]).toEqual([table, 0]);
  });

  it('what an interrupted drop left is deleted when the storage is opened', async () => {
    const { storage, pool } = await opened('dropped');
    const namespace = storage.namespace('n');
    const head = await namespace.append(NO_HEAD, [record(3_000_000)]);
    await namespace.writeCheckpoint(head, [segment('s')]);
    await pool.query(`UPDATE dropped.worlds_namespaces SET incarnation = 'next', position = 0, checkpoints = 0`);
    await pool.query(`INSERT INTO dropped.worlds_dropped (incarnation) VALUES ('${head.incarnation}')`);
    await opened('dropped');
    for (const table of ['records', 'blobs', 'parts', 'checkpoints', 'dropped'])
      expect([table, await rowsIn(pool, 'dropped', table)]).toEqual([table, 0]);
  });
});
