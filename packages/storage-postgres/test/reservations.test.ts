import { randomBytes } from 'node:crypto';
import { type LogRecord, NO_HEAD } from '@rdf-worlds/core/plugin';
import { SeededRandom } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { postgresStorage } from '../src/index.ts';
import { FaultyPool } from './faulty-pool.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

/** Longer than a test takes. */
const LONG_MS = 600_000;

const record = (): LogRecord => ({ id: randomBytes(16).toString('hex'), chunks: [randomBytes(5)] });

describe.skipIf(!serverPrograms())('reservations in PostgreSQL', () => {
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

  it('an append that is held up fails as soon as it was overtaken, however long the turn lasts', async () => {
    const schema = `turns_${randomBytes(4).toString('hex')}`;
    const statements: string[] = [];
    const counted = new FaultyPool(pool, new SeededRandom(1), (text) => {
      statements.push(text);
      return 'none';
    });
    const [mine, others] = [postgresStorage({ pool, schema }), postgresStorage({ pool: counted, schema })];
    await mine.open();
    await others.open();
    const [holder, other] = [mine.namespace('n'), others.namespace('n')];
    const messageOf = (appended: Promise<unknown>) => appended.catch((error: Error) => error.message);
    const head = await holder.append(NO_HEAD, [record()]);
    const release = await holder.reserve!(LONG_MS);
    statements.length = 0;
    const heldUp = messageOf(other.append(head, [record()]));
    // It has looked at the row to learn why it did nothing, and again.
    await vi.waitUntil(() => statements.filter((text) => text.startsWith('SELECT')).length > 2, { timeout: 60_000 });
    const next = await holder.append(head, [record()]);
    // Without a look at the head it would wait on, and tell of the reservation.
    expect(await heldUp).toMatch(/The head of namespace "n" is position 2/);
    expect(await messageOf(other.append(next, [record()]))).toMatch(/another process has reserved the next append/);
    await release();
    expect(await other.append(next, [record()])).toMatchObject({ position: 3 });
    await mine.close();
    await others.close();
  });
});
