import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbageAsUsual } from './garbage-collection.ts';
import { Stopwatch } from './stopwatch.ts';

const TURN_MS = 2;
const QUIET_TURNS = 2;
const MAX_TURNS = 500;

let collects = true;

/**
 * Sets whether {@link becomeIdle} collects garbage in this process. Tests, whose figures say
 * nothing, would otherwise spend half of their CPU time on collections.
 */
export function collectBeforeMeasuring(isWanted: boolean): void {
  collects = isWanted;
}

/**
 * Runs a full collection and waits for its aftermath: finalizers of WebAssembly objects run later
 * and must not disturb the next measurement. Resolves once the process is idle, or after a maximum
 * wait.
 */
export async function becomeIdle(): Promise<void> {
  if (!collects) return;
  await collectGarbageAsUsual();
  for (let turn = 0, quiet = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn++) {
    const watch = new ActivityWatch();
    await sleep(TURN_MS);
    quiet = watch.isBusy() ? 0 : quiet + 1;
  }
}

/**
 * Detects whether a process was busy: its threads used the CPU half of the time, or its event loop
 * had work, which on a loaded machine may wait for the CPU.
 */
export class ActivityWatch {
  private readonly watch = new Stopwatch();
  private readonly before = performance.eventLoopUtilization();

  isBusy(): boolean {
    const { cpuMs, wallMs } = this.watch.lap();
    return cpuMs >= wallMs / 2 || performance.eventLoopUtilization(this.before).utilization >= 1 / 2;
  }
}
