import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { noteQuad } from '../note-quad.ts';
import { Stopwatch } from '../stopwatch.ts';
import { nowMs, poolOf, type SharedPlace, until, withEngine } from './shared-place.ts';

/** Writes of one process that are under way at the same time. */
export const IN_FLIGHT = 64;

interface Load {
  /** When all processes begin, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly milliseconds: number;
}

export interface CommitLoadWork extends Load {
  readonly task: 'commits';
  readonly place: SharedPlace;
  readonly source: string;
  /** The first number of the notes of this process. */
  readonly first: number;
}

export interface RawLoadWork extends Load {
  readonly task: 'raw';
  readonly server: pg.PoolConfig;
  readonly table: string;
  readonly bytes: number;
}

/** What a process did in its time. */
export interface LoadResult {
  readonly done: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The longest that one of them took. */
  readonly slowestMs: number;
}

async function load({ startMs, milliseconds }: Load, one: () => Promise<unknown>): Promise<LoadResult> {
  await until(startMs);
  const watch = new Stopwatch();
  let done = 0;
  let slowestMs = 0;
  const endMs = nowMs() + milliseconds;
  const worker = async (): Promise<void> => {
    while (nowMs() < endMs) {
      const begunMs = performance.now();
      await one();
      slowestMs = Math.max(slowestMs, performance.now() - begunMs);
      done++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return { done, slowestMs, ...watch.lap() };
}

/** Commits of one triple. */
export function loadCommits({ place, source, first, ...times }: CommitLoadWork): Promise<LoadResult> {
  return withEngine(place, async (engine) => {
    await engine.getWorld({ source });
    let next = first;
    return load(times, () => engine.write({ source, insert: [noteQuad(next++)] }));
  });
}

/** `INSERT` statements of one row. */
export async function loadRaw({ server, table, bytes, ...times }: RawLoadWork): Promise<LoadResult> {
  const pool = poolOf(server);
  const data = randomBytes(bytes);
  const result = await load(times, () => pool.query(`INSERT INTO ${table} (data) VALUES ($1)`, [data]));
  await pool.end();
  return result;
}
