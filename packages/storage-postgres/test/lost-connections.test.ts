import { randomBytes } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import { type Head, NO_HEAD, type Storage } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStorage } from '../src/index.ts';
import { type Fault, FaultyPool } from './faulty-pool.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

// LOST_CONNECTION_SEEDS=500 runs 500 random programs; LOST_CONNECTION_SEED is the first.
const SEEDS = Number(process.env.LOST_CONNECTION_SEEDS ?? 4);
const FIRST_SEED = Number(process.env.LOST_CONNECTION_SEED ?? 1);

const record = (byteLength = 10) => ({ id: randomBytes(16).toString('hex'), chunks: [randomBytes(byteLength)] });
const isAppend = (text: string): boolean => text.startsWith('WITH moved') && text.includes('worlds_records');

describe.skipIf(!serverPrograms())('with connections that are lost', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await PostgresServer.start();
    pool = server.pool();
  });
  afterAll(async () => {
    await pool?.end();
    await server?.dispose();
  });

  const newSchema = () => `lost_${randomBytes(4).toString('hex')}`;

  async function idsOf(schema: string): Promise<string[]> {
    const storage = postgresStorage({ pool, schema });
    await storage.open();
    const ids: string[] = [];
    for await (const { id } of storage.namespace('n').read(NO_HEAD)) ids.push(id);
    await storage.close();
    return ids;
  }

  it.each(['before', 'after', 'late', 'serialization'] satisfies Fault[])(
    'an append whose statement fails (%s) is appended once',
    async (fault) => {
      const schema = newSchema();
      let next: Fault = 'none';
      const faulty = new FaultyPool(pool, new SeededRandom(1), (text) => {
        if (!isAppend(text)) return 'none';
        const now = next;
        next = 'none';
        return now;
      });
      const storage = postgresStorage({ pool: faulty, schema });
      await storage.open();
      let head: Head = NO_HEAD;
      const ids: string[] = [];
      for (const byteLength of [10, 3_000_000, 10]) {
        const records = [record(byteLength), record()];
        next = fault;
        head = await storage.namespace('n').append(head, records);
        await faulty.settled();
        ids.push(...records.map(({ id }) => id));
        expect(head.position).toBe(ids.length);
      }
      await storage.close();
      expect(await idsOf(schema)).toEqual(ids);
    },
  );

  it('while the database stays away, an append is IN_DOUBT; head settles it, also against a late statement', async () => {
    for (const fault of ['before', 'after', 'late'] satisfies Fault[]) {
      const schema = newSchema();
      let isAway = false;
      const faulty = new FaultyPool(pool, new SeededRandom(2), (text) => {
        if (!isAway) return 'none';
        return isAppend(text) ? fault : 'before';
      });
      const storage = postgresStorage({ pool: faulty, schema, retryTimeoutMs: 0 });
      await storage.open();
      const namespace = storage.namespace('n');
      const head = await namespace.append(NO_HEAD, [record()]);
      isAway = true;
      const doubtful = record();
      await expect(namespace.append(head, [doubtful])).rejects.toMatchObject({ code: 'IN_DOUBT' });
      await expect(namespace.head()).rejects.toMatchObject({ code: 'IN_DOUBT' });
      isAway = false;
      const settled = await namespace.head();
      const ids = [];
      for await (const { id } of namespace.read(head)) ids.push(id);
      expect(ids).toEqual(settled.position === 2 ? [doubtful.id] : []);
      await faulty.settled();
      // What `head` said stays true.
      expect(await namespace.head()).toEqual(settled);
      await storage.close();
    }
  });

  it('an append that certainly had no effect is no IN_DOUBT', async () => {
    const faulty = new FaultyPool(pool, new SeededRandom(3), (text) => (isAppend(text) ? 'serialization' : 'none'));
    const storage = postgresStorage({ pool: faulty, schema: newSchema(), retryTimeoutMs: 0 });
    await storage.open();
    await expect(storage.namespace('n').append(NO_HEAD, [record()])).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(await storage.namespace('n').head()).toEqual(NO_HEAD);
    await storage.close();
  });

  it.each(Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at))(
    'random programs of three processes: acknowledged records are there once, refused ones never (seed %i)',
    async (seed) => {
      const schema = newSchema();
      const random = new SeededRandom(seed);
      const faults: Fault[] = ['before', 'after', 'late', 'serialization'];
      const faultOf = (): Fault => (random.below(8) === 0 ? faults[random.below(faults.length)] : 'none');
      const pools: FaultyPool[] = [];
      const storages: Storage[] = [];
      const acknowledged: string[] = [];
      const refused: string[] = [];
      const doubtful: string[] = [];
      let faulting = false;
      for (let process = 0; process < 3; process++) {
        const faulty = new FaultyPool(pool, random, () => (faulting ? faultOf() : 'none'));
        const storage = postgresStorage({ pool: faulty, schema, retryTimeoutMs: 2000 });
        await storage.open();
        pools.push(faulty);
        storages.push(storage);
      }
      faulting = true;
      await Promise.all(
        storages.map(async (storage) => {
          for (let round = 0; round < 12; round++) {
            // A handle of its own, as one that loads the namespace again.
            const namespace = storage.namespace('n');
            const records = Array.from({ length: 1 + random.below(3) }, () => record(random.below(100)));
            const ids = records.map(({ id }) => id);
            try {
              const head = await namespace.head();
              const after = await namespace.append(head, records);
              acknowledged.push(...ids);
              if (random.below(4) > 0) continue;
              await namespace.writeCheckpoint(after, [{ name: `s${after.position}`, write: () => [randomBytes(20)] }]);
            } catch (error) {
              if (!(error instanceof WorldsError)) throw error;
              if (acknowledged.includes(ids[0])) continue; // The checkpoint failed.
              (error.code === 'IN_DOUBT' ? doubtful : refused).push(...ids);
              expect(['CONFLICT', 'IN_DOUBT', 'INTERNAL']).toContain(error.code);
            }
          }
        }),
      );
      faulting = false;
      for (const each of pools) await each.settled();
      const stored = await idsOf(schema);
      for (const storage of storages) await storage.close();
      expect(new Set(stored).size).toBe(stored.length);
      expect(acknowledged.filter((id) => !stored.includes(id))).toEqual([]);
      expect(refused.filter((id) => stored.includes(id))).toEqual([]);
      expect(stored.filter((id) => !acknowledged.includes(id) && !doubtful.includes(id))).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(0);
    },
  );
});
