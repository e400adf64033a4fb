/** A log whose file can be closed temporarily. */
export interface OpenLog {
  /** Whether nothing is being written or read. */
  readonly isIdle: boolean;
  /** Closes the file until the next append or read. */
  releaseFile(): Promise<void>;
}

/**
 * Limits the number of logs with an open file. A log that exceeds the limit waits until another is
 * idle, which is then closed; the one opened longest ago is closed first.
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

  /** Resolves when `log` may open its file. The log must call `closed` once it is closed again. */
  async acquire(log: OpenLog): Promise<void> {
    while (this.#open.size >= this.#limit) {
      const idle = this.#idleLog();
      if (idle) await idle.releaseFile();
      // In the same turn as the check: otherwise a log that becomes idle in between would wake
      // nobody.
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#open.add(log);
  }

  closed(log: OpenLog): void {
    this.#open.delete(log);
    this.#waiting.shift()?.();
  }

  /** Must be called when a log has nothing left to write, or a read has ended. */
  idle(): void {
    this.#waiting.shift()?.();
  }

  /** Closes the file of an idle log. Returns false if there is none. */
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
