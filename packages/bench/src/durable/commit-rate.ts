import fs from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { noteQuad } from '../note-quad.ts';
import { Stopwatch } from '../stopwatch.ts';

export interface CommitRateWork {
  readonly task: 'commits';
  /** An empty directory. */
  readonly path: string;
  readonly rounds: number;
  /** Sequential commits per round. */
  readonly single: number;
  /** Commits per round with {@link IN_FLIGHT} in flight. */
  readonly together: number;
}

export const IN_FLIGHT = 64;

/**
 * Commits of one triple per second, and raw appends of the same number of bytes per second with
 * node:fs; one value per round.
 */
export interface CommitRates {
  readonly bytesPerCommit: number;
  readonly oneAtATime: readonly number[];
  readonly inFlight: readonly number[];
  /** `fs.write`, then `fs.fdatasync`, which do not block the event loop. */
  readonly rawAsync: readonly number[];
  /** `fs.writeSync`, then `fs.fdatasyncSync`, which block the event loop. */
  readonly rawSync: readonly number[];
}

const SOURCE = 'committed';
const write = promisify(fs.write);
const fdatasync = promisify(fs.fdatasync);

/**
 * Alternates between the measurements, so that all of them see the same disk conditions. Throws if
 * a commit is missing afterwards.
 */
export async function measureCommits({ path, rounds, single, together }: CommitRateWork): Promise<CommitRates> {
  const engine = await WorldsEngine.open({ storage: fileStorage({ path: join(path, 'worlds') }), textIndex: null });
  await engine.createWorld({ slug: SOURCE });
  let next = 0;
  const commit = () => engine.write({ source: SOURCE, insert: [noteQuad(next++)] });
  for (let i = 0; i < Math.min(200, single); i++) await commit();
  const { storage: before } = await engine.stats();
  await commit();
  const { storage: after } = await engine.stats();
  const bytesPerCommit = after!.logBytes - before!.logBytes;
  const bytes = Buffer.alloc(bytesPerCommit, 1);

  const rates = {
    oneAtATime: [] as number[],
    inFlight: [] as number[],
    rawAsync: [] as number[],
    rawSync: [] as number[],
  };
  const rateOf = async (count: number, work: () => Promise<void>): Promise<number> => {
    const watch = new Stopwatch();
    await work();
    return (count / watch.lap().wallMs) * 1000;
  };
  for (let round = 0; round < rounds; round++) {
    rates.rawAsync.push(
      await rateOf(single, async () => {
        const file = fs.openSync(join(path, `raw-async-${round}`), 'w');
        for (let i = 0; i < single; i++) {
          await write(file, bytes);
          await fdatasync(file);
        }
        fs.closeSync(file);
      }),
    );
    rates.oneAtATime.push(
      await rateOf(single, async () => {
        for (let i = 0; i < single; i++) await commit();
      }),
    );
    rates.rawSync.push(
      await rateOf(single, async () => {
        const file = fs.openSync(join(path, `raw-sync-${round}`), 'w');
        for (let i = 0; i < single; i++) {
          fs.writeSync(file, bytes);
          fs.fdatasyncSync(file);
        }
        fs.closeSync(file);
      }),
    );
    rates.inFlight.push(
      await rateOf(together, async () => {
        let left = together;
        const writer = async () => {
          while (left-- > 0) await commit();
        };
        await Promise.all(Array.from({ length: IN_FLIGHT }, writer));
      }),
    );
  }
  const { quads } = await engine.stats();
  if (quads !== next) throw new Error(`There are ${quads} quads of ${next} commits.`);
  await engine.close();
  return { bytesPerCommit, ...rates };
}
