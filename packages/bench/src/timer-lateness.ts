/**
 * How late a timer was, in milliseconds: what a request would have waited before anybody looked at
 * it.
 */
export interface Lateness {
  readonly worstMs: number;
  /**
   * The most that this process itself was late by: it used the CPU for so long after the timer was
   * due, if it was busy all along.
   */
  readonly worstBusyMs: number;
  readonly ticks: number;
}

/**
 * Sets a timer again and again and notes how late it comes: every kernel that holds the event loop
 * shows.
 */
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

  /** A timer that is due and has not come yet counts with what it is late by now. */
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
