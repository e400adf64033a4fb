import { randomBytes } from 'node:crypto';
import { WorldsEngine } from '@rdf-worlds/core';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStorage } from '../src/index.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

describe.skipIf(!serverPrograms())('an engine over PostgreSQL', () => {
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

  const newSchema = () => `engine_${randomBytes(4).toString('hex')}`;
  const open = (schema: string, from = pool) =>
    WorldsEngine.open({ storage: postgresStorage({ pool: from, schema }), checkpointLogBytes: 5000 });

  async function valuesOf(engine: WorldsEngine, source: string): Promise<string[]> {
    const result = await engine.select({ sources: [source], query: 'SELECT ?v { ?s <urn:value> ?v } ORDER BY ?v' });
    return (await result.array()).map((row) => row.get('v')!.value);
  }

  const insert = (engine: WorldsEngine, source: string, value: string) =>
    engine.update({ sources: [source], query: `INSERT DATA { <urn:s:${value}> <urn:value> "${value}" }` });

  it('has all commits again, of several namespaces, through checkpoints, compactions and deletions', async () => {
    const schema = newSchema();
    const expected = new Map<string, string[]>();
    for (let round = 0; round < 4; round++) {
      const engine = await open(schema);
      for (const [source, values] of expected) expect(await valuesOf(engine, source)).toEqual(values);
      for (const namespace of ['one', 'two', 'three']) {
        const source = `${namespace}/notes`;
        if (!expected.has(source)) {
          await engine.createWorld({ namespace, slug: 'notes' });
          expected.set(source, []);
        }
        for (let at = 0; at < 12; at++) {
          const value = `${round}-${String(at).padStart(2, '0')}`;
          await insert(engine, source, value);
          expected.get(source)!.push(value);
        }
        await engine.update({
          sources: [source],
          query: `DELETE DATA { <urn:s:${round}-00> <urn:value> "${round}-00" }`,
        });
        expected.set(
          source,
          expected.get(source)!.filter((value) => value !== `${round}-00`),
        );
      }
      if (round === 1) await engine.checkpoint();
      if (round === 2) await engine.compact();
      if (round === 2) {
        await engine.deleteWorld({ source: 'two/notes' });
        expected.delete('two/notes');
      }
      expect((await engine.check()).problems).toEqual([]);
      await engine.close();
    }
    const { rows } = await pool.query(`SELECT count(*) AS n FROM "${schema}".worlds_dropped`);
    expect(Number(rows[0].n)).toBe(0);
  });

  it('many writers of one namespace share statements, and all are acknowledged', async () => {
    const schema = newSchema();
    const engine = await open(schema);
    await engine.createWorld({ slug: 'w' });
    const values = Array.from({ length: 100 }, (_, at) => String(at).padStart(3, '0'));
    await Promise.all(values.map((value) => insert(engine, 'w', value)));
    await engine.close();
    const again = await open(schema);
    expect(await valuesOf(again, 'w')).toEqual(values);
    await again.close();
  });

  it('a large import is one commit, in parts, and is read again', async () => {
    const schema = newSchema();
    const engine = await open(schema);
    await engine.createWorld({ slug: 'big' });
    const lines = Array.from(
      { length: 30_000 },
      (_, at) => `<urn:s:${at}> <urn:value> "${randomBytes(30).toString('hex')} ${at}" .\n`,
    );
    await engine.import({ source: 'big', data: lines.join(''), contentType: 'application/n-triples' });
    const values = await valuesOf(engine, 'big');
    expect(values).toHaveLength(lines.length);
    await engine.close();
    const again = await open(schema);
    expect(await valuesOf(again, 'big')).toEqual(values);
    await again.checkpoint();
    await again.close();
    const third = await open(schema);
    expect(await valuesOf(third, 'big')).toEqual(values);
    await third.close();
  });

  it('engines of one process over one pool see each other’s commits', async () => {
    const schema = newSchema();
    const [one, other] = [await open(schema), await open(schema)];
    await one.createWorld({ slug: 'w' });
    for (let round = 0; round < 10; round++) {
      await insert(round % 2 ? one : other, 'w', `${round}`);
      expect(await valuesOf(round % 2 ? other : one, 'w')).toHaveLength(round + 1);
    }
    await one.close();
    await insert(other, 'w', 'last');
    await other.close();
  });

  it('restores a backup, and makes one', async () => {
    const engine = await open(newSchema());
    await engine.createWorld({ slug: 'w' });
    for (const value of ['a', 'b']) await insert(engine, 'w', value);
    const chunks: Uint8Array[] = [];
    for await (const chunk of engine.backupStream()) chunks.push(chunk);
    await engine.close();
    const schema = newSchema();
    const restored = await WorldsEngine.restore(Buffer.concat(chunks), { storage: postgresStorage({ pool, schema }) });
    expect(await valuesOf(restored, 'w')).toEqual(['a', 'b']);
    await restored.close();
    const again = await open(schema);
    expect(await valuesOf(again, 'w')).toEqual(['a', 'b']);
    await again.close();
  });
});
