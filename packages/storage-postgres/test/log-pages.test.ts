import { randomBytes } from 'node:crypto';
import { type Head, NO_HEAD } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresStorage } from '../src/index.ts';
import { FaultyPool } from './faulty-pool.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

describe.skipIf(!serverPrograms())('the log in PostgreSQL', () => {
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

  it('is read with one statement, the head included, and a long one in pages', async () => {
    const schema = `pages_${randomBytes(4).toString('hex')}`;
    const statements: string[] = [];
    const counted = new FaultyPool(pool, new SeededRandom(1), (text) => {
      statements.push(text);
      return 'none';
    });
    const [writer, reader] = [postgresStorage({ pool, schema }), postgresStorage({ pool: counted, schema })];
    await writer.open();
    await reader.open();
    const heads: Head[] = [NO_HEAD];
    const ids: string[] = [];
    for (let at = 0; at < 60; at++) {
      const id = randomBytes(16).toString('hex');
      ids.push(id);
      heads.push(await writer.namespace('n').append(heads[at], [{ id, chunks: [randomBytes(5)] }]));
    }
    const handle = reader.namespace('n');
    const readAfter = async (after: Head) => {
      statements.length = 0;
      const found: string[] = [];
      for await (const { id } of handle.read(after)) found.push(id);
      return { found, statements: statements.length };
    };
    expect(await readAfter(heads[60])).toEqual({ found: [], statements: 1 });
    expect(await readAfter(heads[57])).toEqual({ found: ids.slice(57), statements: 1 });
    expect(await readAfter(heads[44])).toEqual({ found: ids.slice(44), statements: 1 });
    expect(await readAfter(heads[43])).toEqual({ found: ids.slice(43), statements: 2 });
    // Pages of 16, 32 and 12 appends.
    expect(await readAfter(NO_HEAD)).toEqual({ found: ids, statements: 3 });
    await writer.namespace('n').drop();
    await expect(readAfter(heads[57])).rejects.toMatchObject({ code: 'TRUNCATED' });
    expect(await readAfter(NO_HEAD)).toEqual({ found: [], statements: 1 });
    await writer.close();
    await reader.close();
  });
});
