/** Time since the start, in milliseconds. */
export interface Lap {
  /**
   * User and system time of all threads of the process, including garbage collection and
   * compilation.
   */
  readonly cpuMs: number;
  readonly wallMs: number;
}

export class Stopwatch {
  private readonly wallStart = performance.now();
  private readonly cpuStart = process.cpuUsage();

  lap(): Lap {
    const { user, system } = process.cpuUsage(this.cpuStart);
    return { cpuMs: (user + system) / 1000, wallMs: performance.now() - this.wallStart };
  }
}
