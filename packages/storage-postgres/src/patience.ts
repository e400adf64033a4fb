import { setTimeout as wait } from 'node:timers/promises';

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 1000;
/** What each attempt has at least, in milliseconds. */
const LEAST_ATTEMPT_MS = 2000;

/** The waits of one call between its attempts: exponential, with jitter, up to a total time. */
export class Patience {
  readonly #until: number;
  #waitMs = FIRST_WAIT_MS;
  #isFirst = true;

  constructor(timeoutMs: number) {
    this.#until = performance.now() + timeoutMs;
  }

  /** Waits before the next attempt. Returns false if the time is over. */
  async next(): Promise<boolean> {
    const leftMs = this.#until - performance.now();
    if (leftMs <= 0) return false;
    const waitMs = Math.min(leftMs, this.#waitMs * (0.5 + Math.random()));
    this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs * 2);
    await wait(waitMs);
    return true;
  }

  /** How long the next attempt may take: `limitMs`, or less if others have used up the time. */
  attemptMs(limitMs: number): number {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst) return limitMs;
    return Math.min(limitMs, Math.max(LEAST_ATTEMPT_MS, this.#until - performance.now()));
  }
}
