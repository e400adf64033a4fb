import type { SeededRandom } from '../seeded-random.ts';
import type { SimulatedProcess, SimulatedWorld } from './simulated-process.ts';

/** Crashes, pauses and partitions processes at random moments, until it is stopped. */
export class SimulatedAccidents {
  private readonly processes: readonly SimulatedProcess[];
  private readonly world: SimulatedWorld;
  private readonly random: SeededRandom;
  private isStopped = false;

  constructor(processes: readonly SimulatedProcess[], world: SimulatedWorld, random: SeededRandom) {
    this.processes = processes;
    this.world = world;
    this.random = random;
  }

  start(): void {
    const { crashEveryMs, pauseEveryMs, partitionEveryMs } = this.world.network.faults;
    void this.often(crashEveryMs, (process) => this.crash(process));
    void this.often(pauseEveryMs, (process) => this.pause(process));
    void this.often(partitionEveryMs, (process) => this.partition(process));
  }

  /** Ends everything that is going wrong. */
  stop(): void {
    this.isStopped = true;
    for (const { scope } of this.processes) {
      scope.partitionedUntilMs = 0;
      this.world.time.wake(scope);
    }
  }

  private async often(everyMs: number, accident: (process: SimulatedProcess) => void): Promise<void> {
    const { random } = this;
    if (!Number.isFinite(everyMs)) return;
    for (;;) {
      await this.world.time.sleep(-Math.log(1 - random.next()) * everyMs);
      if (this.isStopped) return;
      accident(random.pick(this.processes));
    }
  }

  private crash(process: SimulatedProcess): void {
    if (process.engine) process.crash();
  }

  private pause({ scope }: SimulatedProcess): void {
    const { time, trace } = this.world;
    if (scope.isDead || scope.isPaused) return;
    const ms = this.outageMs();
    trace.add(`${time.nowMs.toFixed(2)} ${scope.name} sleeps for ${ms.toFixed()}`);
    scope.isPaused = true;
    time.schedule(ms, () => {
      if (scope.isPaused) trace.add(`${time.nowMs.toFixed(2)} ${scope.name} wakes`);
      time.wake(scope);
    });
  }

  private partition({ scope }: SimulatedProcess): void {
    const { time, trace } = this.world;
    const ms = this.outageMs();
    trace.add(`${time.nowMs.toFixed(2)} ${scope.name} is cut off for ${ms.toFixed()}`);
    scope.partitionedUntilMs = Math.max(scope.partitionedUntilMs, time.nowMs + ms);
  }

  private outageMs(): number {
    return this.random.next() * this.world.network.faults.outageMs;
  }
}
