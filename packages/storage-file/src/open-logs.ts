/** A log as far as it has a file open. */
export interface OpenLog {
  /** Whether nothing is being written or read. */
  readonly isIdle: boolean;
  /** Closes the file until the next append or read. */
  releaseFile(): Promise<void>;
}

/**
 * Limits how many logs have their file open. A log that needs one more waits until another is idle,
 * and that one is closed: the one that was opened longest ago first.
 */
export class OpenLogs {
  readonly #limit: number;
  readonly #open = new Set<OpenLog>();
  #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Resolves when `log` may open its file. The log calls `closed` once it is closed again. */
  async acquire(log: OpenLog): Promise<void> {
    while (this.#open.size >= this.#limit) {
      const idle = this.#idleLog();
      if (idle) await idle.releaseFile();
      // In the same turn as the look: a log that becomes idle in between would wake nobody.
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#open.add(log);
  }

  closed(log: OpenLog): void {
    this.#open.delete(log);
    this.#waiting.shift()?.();
  }

  /** Called when a log has nothing left to write, or a read has ended. */
  idle(): void {
    this.#waiting.shift()?.();
  }

  /** Closes the file of an idle log; false if there is none. */
  async closeOne(): Promise<boolean> {
    const idle = this.#idleLog();
    await idle?.releaseFile();
    return idle !== undefined;
  }

  #idleLog(): OpenLog | undefined {
    for (const log of this.#open) if (log.isIdle) return log;
    return undefined;
  }
}
