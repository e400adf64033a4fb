import { setTimeout as sleep } from 'node:timers/promises';
import { ActivityWatch } from './idle.ts';
import { type Lap, Stopwatch } from './stopwatch.ts';

const SAMPLE_MS = 2;
/** The process counts as quiet after this long without work. */
const QUIET_MS = 60;
const MAX_TAIL_MS = 10_000;

/**
 * Measures how long this process continues to work from now: until the end of the last sample in
 * which it was busy. Resolves once the process is quiet, or after ten seconds.
 */
export async function cpuTail(): Promise<Lap> {
  const tail = new Stopwatch();
  let busy: Lap = { cpuMs: 0, wallMs: 0 };
  for (;;) {
    const sample = new ActivityWatch();
    await sleep(SAMPLE_MS);
    const now = tail.lap();
    if (sample.isBusy()) busy = now;
    if (now.wallMs - busy.wallMs >= QUIET_MS || now.wallMs >= MAX_TAIL_MS) return busy;
  }
}
