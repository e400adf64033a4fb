import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from './garbage-collection.ts';

/** Bytes that the process holds. */
export interface Memory {
  readonly rss: number;
  /** Objects of JavaScript, and the array buffers and native memory that they keep. */
  readonly held: number;
}

/** The memory is settled when so many collections in a row gave nothing back. */
const QUIET_ROUNDS = 4;
const MAX_ROUNDS = 40;
const PAUSE_MS = 25;
/** Less than this is not counted as given back: a few pages come and go always. */
const NOISE_BYTES = 128 * 1024;

/**
 * The memory of this process once collections free nothing any more. Between them it waits: V8
 * sweeps, and gives pages back, on other threads.
 */
export async function settledMemory(): Promise<Memory> {
  let lowest = readMemory();
  for (let round = 0, quiet = 0; round < MAX_ROUNDS && quiet < QUIET_ROUNDS; round++) {
    collectGarbage();
    await sleep(PAUSE_MS);
    const now = readMemory();
    quiet = now.rss < lowest.rss - NOISE_BYTES ? 0 : quiet + 1;
    lowest = { rss: Math.min(lowest.rss, now.rss), held: Math.min(lowest.held, now.held) };
  }
  return lowest;
}

function readMemory(): Memory {
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, held: heapUsed + external };
}
