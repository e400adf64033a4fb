/** What became of the writes, latencies in milliseconds from when each was due. */
export interface PacedWritesResult {
  /** How many were due while it ran; all of them were made. */
  readonly due: number;
  /** How many of these were answered before it was stopped. */
  readonly answered: number;
  /** One for each that was due. */
  readonly latenciesMs: readonly number[];
}

/**
 * Writes at a fixed pace, whether the ones before are answered or not, and counts the time from
 * when a write was due: a store that blocks cannot keep the pace down and so look quick.
 */
export class PacedWrites {
  private readonly intervalMs: number;
  private readonly write: (number: number) => Promise<unknown>;
  private readonly startMs = performance.now();
  private readonly pending: Promise<void>[] = [];
  private readonly latenciesMs: number[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** The first write is due at once. */
  constructor(intervalMs: number, write: (number: number) => Promise<unknown>) {
    this.intervalMs = intervalMs;
    this.write = write;
    this.tick();
  }

  /** Stops the pace and waits for what is still open. Rejects when a write was rejected. */
  async stop(): Promise<PacedWritesResult> {
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
      const answer = this.write(this.pending.length).then(() => {
        this.latenciesMs.push(performance.now() - dueMs);
      });
      // Looked at by `stop`; until then a rejection is nobody's yet.
      answer.catch(() => undefined);
      this.pending.push(answer);
    }
  }
}
