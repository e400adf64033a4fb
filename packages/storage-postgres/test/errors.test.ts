import { randomBytes } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import { NO_HEAD } from '@rdf-worlds/core/plugin';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PostgresStorageOptions, pgliteStorage, postgresStorage } from '../src/index.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

const record = () => ({ id: randomBytes(16).toString('hex'), chunks: [Buffer.from('x')] });

/** Returns the WorldsError that a call throws. */
async function errorOf(call: () => unknown): Promise<WorldsError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof WorldsError) return error;
    throw error;
  }
  throw new Error('It succeeded.');
}

describe('options of postgresStorage', () => {
  const pool = new pg.Pool({ host: '/nowhere' });
  it.each<[Partial<Record<keyof PostgresStorageOptions | 'shema', unknown>>, RegExp]>([
    [{ shema: 'x' }, /there is no field "shema"; did you mean schema\?/],
    [{ pool: undefined }, /needs a pool: pass new pg\.Pool/],
    [{ pool: {} }, /needs a pool/],
    [{ schema: '' }, /non-empty/],
    [{ schema: 7 }, /not a name/],
    [{ schema: 'x'.repeat(64) }, /more than 63 bytes/],
    [{ schema: 'é'.repeat(32) }, /more than 63 bytes/],
    [{ schema: 'a\0b' }, /no identifier may have/],
    [{ schema: '\ud800' }, /no identifier may have/],
    [{ schema: 'pg_mine' }, /reserved/],
    [{ schema: 'information_schema' }, /reserved/],
    [{ retryTimeoutMs: -1 }, /retryTimeoutMs must be an integer from 0/],
    [{ pollMs: 1 }, /pollMs must be an integer from 5/],
    [{ pollMs: Number.NaN }, /pollMs must be/],
  ])('%j is INVALID_ARGUMENT', async (options, message) => {
    const error = await errorOf(() => postgresStorage({ pool, ...options } as PostgresStorageOptions));
    expect(error.code).toBe('INVALID_ARGUMENT');
    expect(error.message).toMatch(message);
  });

  it('pgliteStorage refuses anything that is not a PGlite database', async () => {
    const error = await errorOf(() => pgliteStorage({ database: {} as never }));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe.skipIf(!serverPrograms())('errors of the database', () => {
  let server: PostgresServer;
  let admin: pg.Pool;
  const pools: pg.Pool[] = [];
  beforeAll(async () => {
    server = await PostgresServer.start();
    admin = server.pool();
    await admin.query('CREATE ROLE guest LOGIN');
  });
  afterAll(async () => {
    for (const pool of [...pools, admin]) await pool?.end();
    await server?.dispose();
  });

  function storageOf(config: pg.PoolConfig, schema: string) {
    const pool = server.pool(config);
    pools.push(pool);
    return postgresStorage({ pool, schema, retryTimeoutMs: 50 });
  }

  it.each<[string, pg.PoolConfig, RegExp]>([
    ['no such database', { database: 'missing' }, /There is no such database: create it/],
    ['no such role', { user: 'nobody_here' }, /The server refused the role/],
    ['nothing listens', { host: '/tmp/there-is-no-socket-here' }, /is the server running\?/],
    ['no permission to create the schema', { user: 'guest' }, /CREATE SCHEMA "s" AUTHORIZATION/],
  ])('opening: %s', async (_, config, message) => {
    const storage = storageOf(config, 's');
    const error = await errorOf(() => storage.open());
    expect(error.code).toBe('INTERNAL');
    expect(error.message).toMatch(message);
    expect((await errorOf(() => storage.namespace('n'))).code).toBe('INVALID_ARGUMENT');
    await storage.close();
  });

  it('a role without permission on the tables is told which it needs', async () => {
    const owner = postgresStorage({ pool: admin, schema: 'owned' });
    await owner.open();
    await owner.close();
    await admin.query('GRANT USAGE ON SCHEMA owned TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA owned TO guest');
    const storage = storageOf({ user: 'guest' }, 'owned');
    await storage.open();
    const error = await errorOf(() => storage.namespace('n').append(NO_HEAD, [record()]));
    expect(error.code).toBe('INTERNAL');
    expect(error.message).toMatch(/SELECT, INSERT, UPDATE and DELETE/);
    await storage.close();
  });

  it('a role that owns its schema needs no other permission', async () => {
    await admin.query('CREATE SCHEMA granted AUTHORIZATION guest');
    const storage = storageOf({ user: 'guest' }, 'granted');
    await storage.open();
    expect((await storage.namespace('n').append(NO_HEAD, [record()])).position).toBe(1);
    await storage.close();
  });

  it('tables of a later release are UNSUPPORTED', async () => {
    const first = postgresStorage({ pool: admin, schema: 'later' });
    await first.open();
    await first.close();
    await admin.query('UPDATE later.worlds_version SET version = 99');
    const error = await errorOf(() => postgresStorage({ pool: admin, schema: 'later' }).open());
    expect(error.code).toBe('UNSUPPORTED');
    expect(error.message).toMatch(/has version 99; this release knows up to 3/);
  });

  it('several processes may create the schema at the same moment', async () => {
    const storages = Array.from({ length: 8 }, () => storageOf({}, 'Together "1"'));
    await Promise.all(storages.map((storage) => storage.open()));
    const outcomes = await Promise.allSettled(
      storages.map((storage) => storage.namespace('n').append(NO_HEAD, [record()])),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const storage of storages) await storage.close();
  });

  it('an interrupted creation is completed', async () => {
    await admin.query('CREATE SCHEMA half');
    await admin.query('CREATE TABLE half.worlds_version (id integer PRIMARY KEY, version integer NOT NULL)');
    const storage = postgresStorage({ pool: admin, schema: 'half' });
    await storage.open();
    expect((await storage.namespace('n').append(NO_HEAD, [record()])).position).toBe(1);
    await storage.close();
  });

  it('a standby refuses writes, and says what to do', async () => {
    await admin.query('CREATE DATABASE standby');
    const writable = storageOf({ database: 'standby' }, 's');
    await writable.open();
    await writable.close();
    await admin.query('ALTER DATABASE standby SET default_transaction_read_only = on');
    const storage = storageOf({ database: 'standby' }, 's');
    await storage.open();
    const error = await errorOf(() => storage.namespace('n').append(NO_HEAD, [record()]));
    expect(error.message).toMatch(/read-only.*connect to the primary/);
    await storage.close();
  });

  it('isolation levels of the database do not matter', async () => {
    for (const level of ['serializable', 'repeatable read']) {
      const database = level.replace(' ', '_');
      await admin.query(`CREATE DATABASE ${database}`);
      await admin.query(`ALTER DATABASE ${database} SET default_transaction_isolation = '${level}'`);
      const storages = [storageOf({ database }, 's'), storageOf({ database }, 's')];
      for (const storage of storages) await storage.open();
      let appended = 0;
      await Promise.all(
        storages.map(async (storage) => {
          for (let mine = 0; mine < 20; ) {
            const namespace = storage.namespace('n');
            const outcome = await namespace.append(await namespace.head(), [record()]).catch((error: unknown) => error);
            if (outcome instanceof WorldsError) expect(outcome.code).toBe('CONFLICT');
            else appended += ++mine && 1;
          }
        }),
      );
      expect((await storages[0].namespace('n').head()).position).toBe(appended);
      for (const storage of storages) await storage.close();
    }
  });
});

describe.skipIf(!serverPrograms())('damage', () => {
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

  /**
   * A namespace with two appends, a large one and a checkpoint, and the sum of all that it holds.
   */
  async function filled(schema: string) {
    const storage = postgresStorage({ pool, schema });
    await storage.open();
    const namespace = storage.namespace('n');
    let head = await namespace.append(NO_HEAD, [record(), record()]);
    head = await namespace.append(head, [{ ...record(), chunks: [randomBytes(2_500_000)] }]);
    await namespace.writeCheckpoint(head, [{ name: 's', write: () => [randomBytes(1_500_000)] }]);
    await namespace.append(head, [record()]);
    const readAll = async () => {
      const handle = storage.namespace('n');
      for await (const _ of handle.read(NO_HEAD));
      for (const segment of (await handle.checkpoint())!.segments) await segment.read();
    };
    await readAll();
    return { storage, readAll };
  }

  it.each([
    [
      'a byte of a record',
      'UPDATE s.worlds_records SET data = set_byte(data, 22, get_byte(data, 22) # 1) WHERE position = 2',
    ],
    ['a missing append', 'DELETE FROM s.worlds_records WHERE position = 2'],
    ['a missing last append', 'DELETE FROM s.worlds_records WHERE position = 4'],
    ['a byte of a part', 'UPDATE s.worlds_parts SET data = set_byte(data, 9, get_byte(data, 9) # 1) WHERE part = 1'],
    ['a missing part', 'DELETE FROM s.worlds_parts WHERE part = 1'],
    ['a missing last part', 'DELETE FROM s.worlds_parts WHERE part = 2'],
    ['a shortened part', "UPDATE s.worlds_parts SET data = '' WHERE part = 0"],
    ['a missing checkpoint', 'DELETE FROM s.worlds_checkpoints'],
    ['a damaged list of segments', "UPDATE s.worlds_checkpoints SET segments = '[[1'"],
    ['a list of segments of another form', `UPDATE s.worlds_checkpoints SET segments = '[["s"]]'`],
  ])('%s is CORRUPT', async (_, statement) => {
    await pool.query('DROP SCHEMA IF EXISTS s CASCADE');
    const { storage, readAll } = await filled('s');
    await pool.query(statement);
    const error = await errorOf(readAll);
    expect(error.code).toBe('CORRUPT');
    expect(error.message).toMatch(/namespace "n"/);
    await storage.close();
  });
});
