import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startChild } from '../../storage-file/test/built-child.ts';
import { postgresStorage } from '../src/index.ts';
import { type CounterJob, type CounterReport, ownSource, type Replica, revisedSource, SHARED } from './counter-job.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

// COUNTER_MS=60000 makes each of the four processes count for a minute.
const DURATION_MS = Number(process.env.COUNTER_MS ?? 1500);
const PROCESSES = 4;

describe.skipIf(!serverPrograms())('four processes that write to the same and to different namespaces', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => {
    await server?.dispose();
  });

  it('count exactly, with compactions and checkpoints, and their engines end equal', {
    timeout: 120_000 + 4 * DURATION_MS,
  }, async () => {
    const schema = `counter_${randomBytes(4).toString('hex')}`;
    const pool = server.pool();
    const open = () => WorldsEngine.open({ storage: postgresStorage({ pool, schema }) });
    const own = Array.from({ length: PROCESSES }, (_, process) => ownSource(process));
    const first = await open();
    for (const [source, subject] of [SHARED, ...own].flatMap((each) => [
      [each, 'urn:n'],
      [revisedSource(each), 'urn:m'],
    ])) {
      const [namespace, slug] = source.split('/');
      await first.createWorld({ namespace, slug });
      await first.update({ sources: [source], query: `INSERT DATA { <${subject}> <urn:value> "0" }` });
    }
    await first.close();
    const children = own.map((_, process) => {
      const counting = { processes: PROCESSES, durationMs: DURATION_MS, maintains: process < 2 };
      const job: CounterJob = { address: server.address, schema, process, ...counting };
      return startChild(join(inject('programs'), 'counter-process.js'), [JSON.stringify(job)]);
    });
    const counted = await Promise.all(
      children.map(
        async ({ printed }) => JSON.parse((await printed('counted ')).slice('counted '.length)) as CounterReport,
      ),
    );
    for (const { child } of children) child.stdin!.write('\n');
    const replicas = await Promise.all(
      children.map(async ({ printed }) => JSON.parse((await printed('holds ')).slice('holds '.length)) as Replica[]),
    );
    for (const { ended } of children) expect(await ended).toBe(0);

    const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
    const expected = [
      {
        byUpdate: sum(counted.map(({ shared }) => shared.byUpdate)),
        byRevision: sum(counted.map(({ shared }) => shared.byRevision)),
      },
      ...counted.map(({ own }) => own),
    ];
    const again = await open();
    for (const [at, source] of [SHARED, ...own].entries()) {
      const query = 'SELECT ?n ?m { <urn:n> <urn:value> ?n . <urn:m> <urn:value> ?m }';
      const rows = await (await again.select({ sources: [source, revisedSource(source)], query })).array();
      const { byUpdate, byRevision } = expected[at];
      expect(byUpdate).toBeGreaterThan(0);
      expect(byRevision).toBeGreaterThan(0);
      expect(rows.map((row) => [row.get('n')!.value, row.get('m')!.value])).toEqual([[`${byUpdate}`, `${byRevision}`]]);
      const hits = replicas[0].filter((replica) => [source, revisedSource(source)].includes(replica.source));
      expect(hits.flatMap((replica) => replica.hits)).toEqual([`${byUpdate} urn:n`, `${byRevision} urn:m`]);
    }
    expect((await again.check()).problems).toEqual([]);
    for (const replica of replicas.slice(1)) expect(replica).toEqual(replicas[0]);
    await again.close();
    await pool.end();
    const conflicts = sum(counted.map(({ conflicts }) => conflicts));
    const { byUpdate, byRevision } = expected[0];
    process.stdout.write(
      `counter: in one namespace ${byUpdate} updates, ${byRevision} by ifRevision, ${conflicts} conflicts; in their own ${sum(counted.map(({ own }) => own.byUpdate + own.byRevision))}\n`,
    );
  });
});
