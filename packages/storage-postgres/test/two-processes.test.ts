import { randomBytes } from 'node:crypto';
import { WorldsEngine } from '@rdf-worlds/core';
import { SeededRandom } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { postgresStorage } from '../src/index.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

// TWO_PROCESSES_SEEDS=300 runs 300 random programs; TWO_PROCESSES_SEED is the first.
const SEEDS = Number(process.env.TWO_PROCESSES_SEEDS ?? 3);
const FIRST_SEED = Number(process.env.TWO_PROCESSES_SEED ?? 1);

// Engines over pools of their own know nothing of each other, as in two processes.
describe.skipIf(!serverPrograms())('engines of several processes on one namespace', () => {
  let server: PostgresServer;
  const pools: pg.Pool[] = [];
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterEach(async () => {
    // Hundreds of programs would use up the connections of the server.
    for (const pool of pools.splice(0)) await pool.end();
  });
  afterAll(async () => {
    await server?.dispose();
  });

  const newSchema = () => `two_${randomBytes(4).toString('hex')}`;

  async function open(schema: string): Promise<WorldsEngine> {
    const pool = server.pool({ max: 3 });
    pools.push(pool);
    return WorldsEngine.open({ storage: postgresStorage({ pool, schema }), compaction: 'manual' });
  }

  const write = (engine: WorldsEngine, query: string) => engine.update({ sources: ['w'], query });
  const insert = (engine: WorldsEngine, value: string) =>
    write(engine, `INSERT DATA { <urn:s> <urn:p> <urn:v:${value}> }`);
  const remove = (engine: WorldsEngine, value: string) =>
    write(engine, `DELETE DATA { <urn:s> <urn:p> <urn:v:${value}> }`);

  async function valuesOf(engine: WorldsEngine): Promise<string[]> {
    const result = await engine.select({ sources: ['w'], query: 'SELECT ?v { ?s <urn:p> ?v } ORDER BY ?v' });
    return (await result.array()).map((row) => row.get('v')!.value.slice('urn:v:'.length));
  }

  it('a write after a commit of the other succeeds on what both wrote', async () => {
    const schema = newSchema();
    const one = await open(schema);
    await one.createWorld({ slug: 'w' });
    const other = await open(schema);
    expect(await valuesOf(other)).toEqual([]);
    await insert(one, 'a');
    await insert(other, 'b');
    expect(await valuesOf(other)).toEqual(['a', 'b']);
    await one.close();
    await other.close();
  });

  it('a write after a compaction by the other defines the terms again that it freed', async () => {
    const schema = newSchema();
    const one = await open(schema);
    await one.createWorld({ slug: 'w' });
    for (const value of ['a', 'b']) await insert(one, value);
    await remove(one, 'a');
    const other = await open(schema);
    expect(await valuesOf(other)).toEqual(['b']);
    // Moves no head, and the other engine knows the term still.
    expect((await one.compact({ forgetChanges: true })).terms).toBeGreaterThan(0);
    await insert(other, 'a');
    expect(await valuesOf(other)).toEqual(['a', 'b']);
    await one.close();
    await other.close();
    const again = await open(schema);
    expect(await valuesOf(again)).toEqual(['a', 'b']);
    expect((await again.check()).problems).toEqual([]);
    await again.close();
  });

  it('readers follow commits, compactions and deletions of the other, without a write of their own', async () => {
    const schema = newSchema();
    const [one, other] = [await open(schema), await open(schema)];
    await one.createWorld({ slug: 'w' });
    const seen = async (values: readonly string[]) => {
      // The test times out if they are never seen.
      while ((await valuesOf(other)).join() !== values.join()) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await seen([]);
    const values: string[] = [];
    for (let n = 0; n < 20; n++) {
      const value = String(n).padStart(2, '0');
      await insert(one, value);
      values.push(value);
      if (n % 7 === 3) await remove(one, values.shift()!);
      if (n === 12) await one.compact({ forgetChanges: true });
      await seen(values);
    }
    await one.deleteWorld({ source: 'w' });
    while (await other.getNamespace()) await new Promise((resolve) => setTimeout(resolve, 5));
    await one.close();
    await other.close();
  });

  it('each deletes its namespaces, however many the other has deleted', { timeout: 180_000 }, async () => {
    const schema = newSchema();
    const engines = [await open(schema), await open(schema)];
    const recreate = async (engine: WorldsEngine, namespace: string) => {
      await engine.createWorld({ namespace, slug: 'w' });
      await engine.deleteWorld({ source: `${namespace}/w` });
    };
    for (let round = 0; round < 4; round++) await recreate(engines[round % 2], `n${round % 2}`);
    // Enough deletions for the log of revisions to be written as a checkpoint.
    for (let round = 0; round < 210; round++) await recreate(engines[0], 'n0');
    for (let round = 0; round < 3; round++) await recreate(engines[1], 'n1');
    await Promise.all(engines.map((engine, at) => recreate(engine, `n${at}`)));
    for (const engine of engines) await engine.close();
  });

  it.each(Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at))(
    'whatever they do in turn, the namespace holds what was acknowledged (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const schema = newSchema();
      const engines = [await open(schema)];
      await engines[0].createWorld({ slug: 'w' });
      engines.push(await open(schema), await open(schema));
      const model = new Set<string>();
      for (let step = 0; step < 60; step++) {
        const engine = random.pick(engines);
        const value = String(random.below(6));
        const kind = random.below(10);
        if (kind < 4) {
          await insert(engine, value);
          model.add(value);
        } else if (kind < 7) {
          await remove(engine, value);
          model.delete(value);
        } else {
          await (kind === 7 ? engine.checkpoint() : engine.compact({ forgetChanges: kind === 9 }));
        }
      }
      for (const engine of engines) await engine.close();
      const again = await open(schema);
      expect(await valuesOf(again)).toEqual([...model].sort());
      expect((await again.check()).problems).toEqual([]);
      await again.close();
    },
  );
});
