/** The results of the calls, with latencies in milliseconds from the due time of each. */
export interface PacedCallsResult {
  /** Number of calls that became due; all of them were made. */
  readonly due: number;
  /** Number of these that were answered before the stop. */
  readonly answered: number;
  /** One per due call. */
  readonly latenciesMs: readonly number[];
}

/**
 * Calls at a fixed pace, regardless of pending answers, and measures latency from the due time. A
 * store that blocks therefore cannot slow the pace and appear fast.
 */
export class PacedCalls {
  private readonly intervalMs: number;
  private readonly call: (number: number) => Promise<unknown>;
  private readonly startMs = performance.now();
  private readonly pending: Promise<void>[] = [];
  private readonly latenciesMs: number[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** Starts immediately with the first call. */
  constructor(intervalMs: number, call: (number: number) => Promise<unknown>) {
    this.intervalMs = intervalMs;
    this.call = call;
    this.tick();
  }

  /** Stops the pace and waits for pending calls. Rejects if a call was rejected. */
  async stop(): Promise<PacedCallsResult> {
    clearTimeout(this.timer);
    const answered = this.latenciesMs.length;
    this.makeDue();
    await Promise.all(this.pending);
    return { due: this.pending.length, answered, latenciesMs: this.latenciesMs };
  }

  private tick(): void {
    this.makeDue();
    const nextMs = this.startMs + this.pending.length * this.intervalMs;
    this.timer = setTimeout(() => this.tick(), Math.max(0, nextMs - performance.now()));
  }

  private makeDue(): void {
    for (;;) {
      const dueMs = this.startMs + this.pending.length * this.intervalMs;
      if (dueMs > performance.now()) return;
      const answer = this.call(this.pending.length).then(() => {
        this.latenciesMs.push(performance.now() - dueMs);
      });
      // Handled by `stop`; prevents an unhandled rejection until then.
      answer.catch(() => undefined);
      this.pending.push(answer);
    }
  }
}
