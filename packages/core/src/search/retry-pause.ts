import { allowExit } from '#platform';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Exponential backoff after failures: pauses one second, doubling up to a minute, then calls
 * `again`.
 */
export class RetryPause {
  /** The last failure; undefined after a success. */
  failure: Error | undefined;
  private readonly again: () => void;
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(again: () => void) {
    this.again = again;
  }

  get isPausing(): boolean {
    return this.timer !== undefined;
  }

  failed(failure: Error): void {
    this.failure = failure;
    if (this.timer || this.closed) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.again();
    }, this.pauseMs);
    // Do not keep an otherwise idle process alive.
    allowExit(this.timer);
    this.pauseMs = Math.min(LONGEST_PAUSE_MS, this.pauseMs * 2);
  }

  succeeded(): void {
    this.failure = undefined;
    this.pauseMs = FIRST_PAUSE_MS;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
