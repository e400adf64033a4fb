import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from './garbage-collection.ts';

/** Memory of the process, in bytes. */
export interface Memory {
  readonly rss: number;
  /** JavaScript objects, with the array buffers and native memory they hold. */
  readonly held: number;
}

/** The memory counts as settled after this many collections in a row that freed nothing. */
const QUIET_ROUNDS = 4;
const MAX_ROUNDS = 40;
const PAUSE_MS = 25;
/** Smaller reductions are noise: a few pages always come and go. */
const NOISE_BYTES = 128 * 1024;

/**
 * Returns the memory of this process once collections free nothing more. Waits between collections,
 * because V8 sweeps and releases pages on other threads.
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
