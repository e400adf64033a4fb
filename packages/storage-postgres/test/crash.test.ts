import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { SeededRandom } from '@rdf-worlds/testkit';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startChild } from '../../storage-file/test/built-child.ts';
import { postgresStorage } from '../src/index.ts';
import { type CrashJob, type CrashMark, stepsAfter, updateOfStep, WORLDS } from './crash-job.ts';
import { PostgresServer, serverPrograms } from './postgres-server.ts';

// POSTGRES_KILLS=300 kills 300 processes that are alone, 300 among three and, 30 times, the server;
// POSTGRES_KILL_SEED selects others.
const KILLS = Number(process.env.POSTGRES_KILLS ?? 3);
const SERVER_KILLS = Math.max(2, Math.round(KILLS / 10));
const SEED = Number(process.env.POSTGRES_KILL_SEED ?? 1);

describe.skipIf(!serverPrograms())('after a crash', () => {
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

  const newSchema = () => `crash_${randomBytes(4).toString('hex')}`;

  async function stepsIn(engine: WorldsEngine, source: string): Promise<number[]> {
    if (!(await engine.getWorld({ source }))) return [];
    const result = await engine.select({ sources: [source], query: 'SELECT ?n { ?s <urn:step> ?n } ORDER BY ?n' });
    return (await result.array()).map((row) => Number(row.get('n')!.value));
  }

  /** Checks a world against the steps that were acknowledged and begun; returns the last step. */
  async function lastStep(engine: WorldsEngine, source: string, done: number, begun: number): Promise<number> {
    const steps = await stepsIn(engine, source);
    const last = steps.at(-1) ?? -1;
    expect(last).toBeGreaterThanOrEqual(done);
    expect(last).toBeLessThanOrEqual(begun);
    expect(steps).toEqual(stepsAfter(last));
    return last;
  }

  async function marksIn(path: string): Promise<CrashMark[]> {
    const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as CrashMark);
  }

  /** The last step of a worker that was begun or acknowledged; `before` if there is none. */
  function lastMarked(marks: readonly CrashMark[], is: CrashMark['is'], worker: number, before: number): number {
    return marks.reduce((last, mark) => (mark.is === is && mark.worker === worker ? mark.step : last), before);
  }

  it(`of one of three processes that write to the same namespaces, the others need no help (${KILLS} kills)`, {
    timeout: 30_000 + KILLS * 20_000,
  }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rdf-worlds-pg-peers-'));
    const random = new SeededRandom(SEED);
    const schema = newSchema();
    let starts = 0;
    const startPeer = async (worlds: readonly string[], last: readonly number[]) => {
      const marksPath = join(directory, `marks-${++starts}`);
      const common = { address: server.address, schema, marksPath, seed: SEED * 1e6 + starts };
      const job: CrashJob = { ...common, worlds, starts: last.map((step) => step + 1) };
      const started = startChild(join(inject('programs'), 'crash-process.js'), [JSON.stringify(job)]);
      await started.printed('works');
      return { worlds, last, marksPath, ...started };
    };
    type Peer = Awaited<ReturnType<typeof startPeer>>;
    const doneBy = async ({ marksPath }: Peer) => (await marksIn(marksPath)).filter(({ is }) => is === 'done').length;
    // Stays open: it follows the processes and is not killed.
    const observer = await WorldsEngine.open({ storage: postgresStorage({ pool, schema }) });
    /** Kills a process and returns the last steps of its workers. */
    const kill = async ({ child, ended, marksPath, worlds, last }: Peer): Promise<number[]> => {
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      const marks = await marksIn(marksPath);
      for (const namespace of ['one', 'two']) await observer.catchUp({ namespace });
      const next: number[] = [];
      for (const [worker, source] of worlds.entries()) {
        const reached = (is: CrashMark['is']) => lastMarked(marks, is, worker, last[worker]);
        next.push(await lastStep(observer, source, reached('done'), reached('begun')));
      }
      return next;
    };
    const peers: Peer[] = [];
    for (const name of ['a', 'b', 'c']) peers.push(await startPeer([`one/${name}`, `two/${name}`], [-1, -1]));
    for (let kills = 0; kills < KILLS; kills++) {
      await wait(random.below(300));
      const at = random.below(peers.length);
      const killed = peers[at];
      const last = await kill(killed);
      // Nothing is done for the others, and both commit again. The test times out if they do not.
      for (const peer of peers) {
        if (peer === killed) continue;
        const before = await doneBy(peer);
        while ((await doneBy(peer)) === before) await wait(10);
      }
      peers[at] = await startPeer(killed.worlds, last);
    }
    for (const peer of peers) await kill(peer);
    expect((await observer.check()).problems).toEqual([]);
    await observer.close();
    await rm(directory, { recursive: true });
  });

  it(`of the process, every acknowledged commit is there (${KILLS} kills)`, {
    timeout: 30_000 + KILLS * 20_000,
  }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'rdf-worlds-pg-kill-'));
    const random = new SeededRandom(SEED);
    const schema = newSchema();
    let last = WORLDS.map(() => -1);
    let acknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const marksPath = join(directory, `marks-${kill}`);
      const starts = last.map((step) => step + 1);
      const job: CrashJob = {
        address: server.address,
        schema,
        marksPath,
        seed: SEED * 1e6 + kill,
        worlds: WORLDS,
        starts,
      };
      const { child, printed, ended } = startChild(join(inject('programs'), 'crash-process.js'), [JSON.stringify(job)]);
      await printed('works');
      await wait(random.below(300));
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      const marks = await marksIn(marksPath);
      const engine = await WorldsEngine.open({ storage: postgresStorage({ pool, schema }) });
      const next: number[] = [];
      for (const [worker, source] of WORLDS.entries()) {
        const reached = (is: CrashMark['is']) => lastMarked(marks, is, worker, last[worker]);
        acknowledged += reached('done') - last[worker];
        next.push(await lastStep(engine, source, reached('done'), reached('begun')));
      }
      expect((await engine.check()).problems).toEqual([]);
      await engine.close();
      last = next;
    }
    await rm(directory, { recursive: true });
    expect(acknowledged).toBeGreaterThan(0);
  });

  it(`of the server, the process needs no help (${SERVER_KILLS} kills)`, {
    timeout: 30_000 + SERVER_KILLS * 10_000,
  }, async () => {
    const random = new SeededRandom(SEED);
    const schema = newSchema();
    const storage = postgresStorage({ pool, schema });
    const engine = await WorldsEngine.open({
      storage,
      checkpointLogBytes: 5000,
      // Lost connections are reported here instead of as warnings of the process.
      onBackgroundError: () => undefined,
    });
    const done = WORLDS.map(() => -1);
    const begun = WORLDS.map(() => -1);
    for (const source of WORLDS) {
      const [namespace, slug] = source.split('/');
      await engine.createWorld({ namespace, slug });
    }
    let isOver = false;
    const workers = WORLDS.map(async (source, worker) => {
      while (!isOver) {
        const step = done[worker] + 1;
        begun[worker] = step;
        try {
          await engine.update({ sources: [source], query: updateOfStep(step) });
          done[worker] = step;
        } catch (error) {
          // Retried until the server is back; what is left may be repeated, as an INSERT DATA can.
          if (!(error instanceof WorldsError)) throw error;
          expect(['CONFLICT', 'IN_DOUBT', 'INTERNAL']).toContain(error.code);
        }
      }
    });
    for (let kill = 0; kill < SERVER_KILLS; kill++) {
      await wait(100 + random.below(300));
      const before = [...done];
      await server.kill();
      await wait(random.below(200));
      await server.run();
      // Every worker continues.
      while (done.some((step, worker) => step <= before[worker])) await wait(10);
    }
    isOver = true;
    await Promise.all(workers);
    for (const [worker, source] of WORLDS.entries()) await lastStep(engine, source, done[worker], begun[worker]);
    await engine.close();
    const again = await WorldsEngine.open({ storage: postgresStorage({ pool, schema }) });
    for (const [worker, source] of WORLDS.entries()) await lastStep(again, source, done[worker], begun[worker]);
    expect((await again.check()).problems).toEqual([]);
    await again.close();
  });
});
