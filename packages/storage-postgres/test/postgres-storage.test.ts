import { randomBytes } from 'node:crypto';
import { storageContract } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { inTurn } from '../../../test/turn.ts';
import { postgresStorage } from '../src/index.ts';
import { NO_SERVER, PostgresServer, serverPrograms } from './postgres-server.ts';

if (!serverPrograms()) console.warn(`Skipped: ${NO_SERVER}.`);

describe.skipIf(!serverPrograms())('postgresStorage keeps the contract of storages:', () => {
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

  const makePlace = () => {
    const schema = `contract "${randomBytes(4).toString('hex')}"`;
    return {
      make: () => postgresStorage({ pool, schema }),
      dispose: async () => {
        await pool.query(`DROP SCHEMA IF EXISTS "${schema.replaceAll('"', '""')}" CASCADE`);
      },
    };
  };
  for (const { name, run } of inTurn(storageContract(makePlace), 2)) it(name, run);
});
