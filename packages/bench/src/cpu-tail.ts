import { setTimeout as sleep } from 'node:timers/promises';
import { type Lap, Stopwatch } from './stopwatch.ts';

const SAMPLE_MS = 2;
/** Work is over when the process has done nothing for so long. */
const QUIET_MS = 60;
const MAX_TAIL_MS = 10_000;

/**
 * How long this process goes on working from now on: to the end of the last sample during which its threads together used the CPU for half of the time.
 * Resolves once the process is quiet, or after ten seconds.
 */
export async function cpuTail(): Promise<Lap> {
  const tail = new Stopwatch();
  let busy: Lap = { cpuMs: 0, wallMs: 0 };
  for (;;) {
    const sample = new Stopwatch();
    await sleep(SAMPLE_MS);
    const { cpuMs, wallMs } = sample.lap();
    const now = tail.lap();
    if (cpuMs >= wallMs / 2) busy = now;
    if (now.wallMs - busy.wallMs >= QUIET_MS || now.wallMs >= MAX_TAIL_MS) return busy;
  }
}
