/**
 * Lateness of a timer in milliseconds: the time a request would have waited before it was noticed.
 */
export interface Lateness {
  readonly worstMs: number;
  /**
   * The worst lateness caused by this process itself: the CPU time it used after the timer was due.
   */
  readonly worstBusyMs: number;
  readonly ticks: number;
}

/** Measures how late a repeated timer fires, which exposes any code that blocks the event loop. */
export class TimerLateness {
  private readonly intervalMs: number;
  private dueMs = 0;
  private cpuStart = process.cpuUsage();
  private worstMs = 0;
  private worstBusyMs = 0;
  private ticks = 0;
  private timer: NodeJS.Timeout;

  constructor(intervalMs: number) {
    this.intervalMs = intervalMs;
    this.timer = this.next();
  }

  /** Stops the timer. An overdue tick counts with its lateness so far. */
  stop(): Lateness {
    clearTimeout(this.timer);
    this.note();
    return { worstMs: this.worstMs, worstBusyMs: this.worstBusyMs, ticks: this.ticks };
  }

  private next(): NodeJS.Timeout {
    this.cpuStart = process.cpuUsage();
    this.dueMs = performance.now() + this.intervalMs;
    return setTimeout(() => {
      this.note();
      this.ticks++;
      this.timer = this.next();
    }, this.intervalMs);
  }

  private note(): void {
    const lateMs = performance.now() - this.dueMs;
    const { user, system } = process.cpuUsage(this.cpuStart);
    this.worstMs = Math.max(this.worstMs, lateMs);
    this.worstBusyMs = Math.max(this.worstBusyMs, Math.min(lateMs, (user + system) / 1000 - this.intervalMs));
  }
}
