import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startChild } from '../../storage-file/test/built-child.ts';
import { postgresStorage } from '../src/index.ts';
import type { CounterJob } from './counter-job.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

// COUNTER_INCREMENTS=2000 makes each of the four processes increment each counter 2000 times.
const INCREMENTS = Number(process.env.COUNTER_INCREMENTS ?? 40);
const PROCESSES = 4;

describe.skipIf(!serverPrograms())('four processes that write to one world', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => {
    await server?.dispose();
  });

  it('count exactly, by update and by ifRevision, with compactions and checkpoints', {
    timeout: 60_000 + INCREMENTS * 1000,
  }, async () => {
    const schema = `counter_${randomBytes(4).toString('hex')}`;
    const pool = server.pool();
    const open = () => WorldsEngine.open({ storage: postgresStorage({ pool, schema }) });
    const first = await open();
    await first.createWorld({ slug: 'w' });
    await first.update({ sources: ['w'], query: 'INSERT DATA { <urn:c> <urn:n> 0 . <urn:c> <urn:m> 0 }' });
    await first.close();
    const children = Array.from({ length: PROCESSES }, (_, at) => {
      const job: CounterJob = { address: server.address, schema, increments: INCREMENTS, maintains: at < 2 };
      return startChild(join(inject('programs'), 'counter-process.js'), [JSON.stringify(job)]);
    });
    await Promise.all(children.map(({ printed }) => printed('{')));
    for (const { ended } of children) expect(await ended).toBe(0);
    const again = await open();
    const result = await again.select({ sources: ['w'], query: 'SELECT ?n ?m { <urn:c> <urn:n> ?n ; <urn:m> ?m }' });
    const rows = (await result.array()).map((row) => [row.get('n')!.value, row.get('m')!.value].map(Number));
    expect(rows).toEqual([[PROCESSES * INCREMENTS, PROCESSES * INCREMENTS]]);
    expect((await again.check()).problems).toEqual([]);
    await again.close();
    await pool.end();
  });
});
