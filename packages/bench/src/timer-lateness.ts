/** How late a timer was, in milliseconds: what a request would have waited before anybody looked at it. */
export interface Lateness {
  readonly worstMs: number;
  readonly ticks: number;
}

/** Sets a timer again and again and notes how late it comes: every kernel that holds the event loop shows. */
export class TimerLateness {
  private readonly intervalMs: number;
  private dueMs = 0;
  private worstMs = 0;
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
    return { worstMs: this.worstMs, ticks: this.ticks };
  }

  private next(): NodeJS.Timeout {
    this.dueMs = performance.now() + this.intervalMs;
    return setTimeout(() => {
      this.note();
      this.ticks++;
      this.timer = this.next();
    }, this.intervalMs);
  }

  private note(): void {
    this.worstMs = Math.max(this.worstMs, performance.now() - this.dueMs);
  }
}
