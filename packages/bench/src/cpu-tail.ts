import { setTimeout as sleep } from 'node:timers/promises';
import { ActivityWatch } from './idle.ts';
import { type Lap, Stopwatch } from './stopwatch.ts';

const SAMPLE_MS = 2;
/** Work is over when the process has done nothing for so long. */
const QUIET_MS = 60;
const MAX_TAIL_MS = 10_000;

/**
 * How long this process goes on working from now on: to the end of the last sample during which it
 * was at work. Resolves once the process is quiet, or after ten seconds.
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
