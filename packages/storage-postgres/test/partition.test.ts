import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { SeededRandom } from '@rdf-worlds/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TURN } from '../../../test/turn.ts';
import { postgresStorage } from '../src/index.ts';
import { FaultyProxy, WEATHERS, type Weather } from './faulty-proxy.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

// POSTGRES_PARTITIONS=200 makes 200 partitions; POSTGRES_PARTITION_SEED selects others.
// Without them, each run has three of the seven weathers.
const PARTITIONS = Number(process.env.POSTGRES_PARTITIONS ?? 3);
const SEED = Number(process.env.POSTGRES_PARTITION_SEED ?? 1 + 3 * TURN);
const PROCESSES = 3;
const WORLDS = ['one/w', 'two/w'];
/** Requests that each worker ends before the weather clears: at least the one that it hit. */
const ENDED = process.env.POSTGRES_PARTITIONS ? 2 : 1;

/** A client that increments the counters of a world through one engine, one request at a time. */
interface Worker {
  readonly engine: WorldsEngine;
  readonly source: string;
  readonly name: string;
  /** Requests that have ended, and those of them that were acknowledged. */
  ended: number;
  acknowledged: number;
  /** Tokens of commits that were in doubt, with the number that each would have inserted. */
  readonly doubtful: { readonly commit: string; readonly step: number }[];
  readonly done: number[];
}

describe.skipIf(!serverPrograms())('with a network that fails', () => {
  let server: PostgresServer;
  const pools: pg.Pool[] = [];
  const proxies: FaultyProxy[] = [];
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.dispose();
    for (const pool of pools) await pool.end();
    await server?.dispose();
  });

  it(`requests end, acknowledged commits are there, and none twice (${PARTITIONS} partitions)`, {
    // Calls have a second each, which a busy machine uses up: few succeed, and recovery takes a
    // minute.
    timeout: 60_000 + PARTITIONS * 120_000,
  }, async () => {
    const random = new SeededRandom(SEED);
    const schema = `partition_${randomBytes(4).toString('hex')}`;
    const direct = server.pool();
    pools.push(direct);
    const first = await WorldsEngine.open({ storage: postgresStorage({ pool: direct, schema }) });
    for (const source of WORLDS) {
      const [namespace, slug] = source.split('/');
      await first.createWorld({ namespace, slug });
      await first.update({ sources: [source], query: 'INSERT DATA { <urn:c> <urn:n> 0 }' });
    }
    await first.close();

    const engines: WorldsEngine[] = [];
    for (let process = 0; process < PROCESSES; process++) {
      const proxy = await FaultyProxy.start(join(server.directory, '.s.PGSQL.5432'), random);
      const { user, database } = server.address;
      const pool = new pg.Pool({ ...proxy.address, user, database, max: 6, connectionTimeoutMillis: 300 });
      proxies.push(proxy);
      pools.push(pool);
      const storage = postgresStorage({ pool, schema, statementTimeoutMs: 300, retryTimeoutMs: 600 });
      // Failures that no call throws are expected.
      engines.push(await WorldsEngine.open({ storage, checkpointLogBytes: 5000, onBackgroundError: () => undefined }));
    }
    const workers = engines.flatMap((engine, process) =>
      WORLDS.flatMap((source) =>
        [0, 1].map((each): Worker => {
          const name = `${process}-${source}-${each}`;
          return { engine, source, name, ended: 0, acknowledged: 0, doubtful: [], done: [] };
        }),
      ),
    );

    let isOver = false;
    let slowestMs = 0;
    const codes = new Map<string, number>();
    const failed = (error: unknown): WorldsError => {
      if (!(error instanceof WorldsError)) throw error;
      expect(['TIMEOUT', 'IN_DOUBT', 'INTERNAL', 'CONFLICT', 'OVERLOADED']).toContain(error.code);
      expect(error.message).toMatch(/time limit|check the (server and the )?network|by other processes/);
      codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
      return error;
    };
    const work = async (worker: Worker): Promise<void> => {
      const { engine, source, name } = worker;
      for (let step = 0; !isOver; step++) {
        const startedMs = performance.now();
        const query = `DELETE { <urn:c> <urn:n> ?n }
          INSERT { <urn:c> <urn:n> ?m . <urn:s:${name}:${step}> <urn:by> "${name}" ; <urn:step> ${step} }
          WHERE { <urn:c> <urn:n> ?n BIND(?n + 1 AS ?m) }`;
        try {
          await engine.update({ sources: [source], query, timeoutMs: 1000 });
          worker.acknowledged++;
          worker.done.push(step);
        } catch (error) {
          const { code, commit } = failed(error);
          // Without a commit, an earlier one of the namespace is in doubt: this one did not happen.
          if (code === 'IN_DOUBT' && commit) worker.doubtful.push({ commit, step });
        }
        if (step % 3 === 0)
          await engine
            .select({
              sources: [source],
              query: 'SELECT ?n { <urn:c> <urn:n> ?n }',
              consistency: 'latest',
              timeoutMs: 1000,
            })
            .catch(failed);
        slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        worker.ended++;
      }
    };
    const running = Promise.all(workers.map(work));
    // A failure of the test itself ends it.
    let failure: unknown;
    running.catch((error) => {
      failure = error;
      isOver = true;
    });
    const until = async (condition: () => boolean): Promise<void> => {
      while (!condition()) {
        if (failure) throw failure;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };

    let slowestRecoveryMs = 0;
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const weather: Weather = WEATHERS[(partition + SEED) % WEATHERS.length];
      // Often all, so that no process reaches the server.
      const hit = random.below(3) === 0 ? proxies : proxies.filter(() => random.below(2) === 0);
      const before = workers.map(({ ended }) => ended);
      for (const proxy of hit) proxy.weather = weather;
      await until(() => workers.every(({ ended }, at) => ended >= before[at] + ENDED));
      const acknowledged = workers.map((worker) => worker.acknowledged);
      const clearedMs = performance.now();
      for (const proxy of proxies) proxy.weather = 'clear';
      await until(() => workers.every((worker, at) => worker.acknowledged > acknowledged[at]));
      slowestRecoveryMs = Math.max(slowestRecoveryMs, performance.now() - clearedMs);
    }
    isOver = true;
    await running;

    const again = await WorldsEngine.open({ storage: postgresStorage({ pool: direct, schema }) });
    let committed = 0;
    for (const worker of workers) {
      for (const { commit, step } of worker.doubtful) {
        const namespace = worker.source.split('/')[0];
        const status = await again.commitStatus({ namespace, commit });
        if (status !== 'committed') continue;
        committed++;
        worker.done.push(step);
      }
    }
    for (const engine of [...engines, again]) {
      for (const source of WORLDS) {
        const mine = workers.filter((worker) => worker.source === source);
        const counted = await engine.select({
          ...{ sources: [source], consistency: 'latest' },
          query: 'SELECT ?n { <urn:c> <urn:n> ?n }',
        });
        expect((await counted.array()).map((row) => Number(row.get('n')!.value))).toEqual([
          mine.reduce((sum, { done }) => sum + done.length, 0),
        ]);
        for (const { name, done } of mine) {
          const query = `SELECT ?step { ?s <urn:by> "${name}" ; <urn:step> ?step } ORDER BY ?step`;
          const rows = await (await engine.select({ sources: [source], query })).array();
          expect(rows.map((row) => Number(row.get('step')!.value))).toEqual(done.toSorted((a, b) => a - b));
        }
      }
    }
    expect((await again.check()).problems).toEqual([]);
    for (const engine of [...engines, again]) await engine.close();
    if (process.env.POSTGRES_PARTITIONS) {
      const doubtful = workers.reduce((sum, worker) => sum + worker.doubtful.length, 0);
      const acknowledged = workers.reduce((sum, worker) => sum + worker.acknowledged, 0);
      console.log({ acknowledged, doubtful, committed, slowestMs, slowestRecoveryMs, ...Object.fromEntries(codes) });
    }
  });
});
