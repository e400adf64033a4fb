/** How long requests may start in one round of the event loop before the others wait, in ms. */
const ROUND_MS = 4;

/** Process facilities that starts need; replaced in tests. */
export interface StartHost {
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly setImmediate: (task: () => void) => void;
}

const PROCESS: StartHost = { now: () => performance.now(), setImmediate: (task) => void setImmediate(task) };

/**
 * Starts requests so that many at the same time do not hold the event loop: `node:http` hands out
 * the requests of all connections in one round, and each may work for a slice before it pauses the
 * first time. Once the requests of a round have used up {@link ROUND_MS}, later ones wait: each
 * further round starts at least one of them, after those that arrive in it.
 */
export class RequestStarts {
  private readonly host: StartHost;
  private readonly waiting = new Set<() => void>();
  private isInRound = false;
  private roundEnd = 0;

  constructor(host: StartHost = PROCESS) {
    this.host = host;
  }

  /** Runs a request now or in a later round. */
  start(run: () => void): void {
    const { host } = this;
    if (!this.isInRound) {
      this.isInRound = true;
      this.roundEnd = host.now() + ROUND_MS;
      host.setImmediate(this.endRound);
    } else if (host.now() >= this.roundEnd) {
      this.waiting.add(run);
      return;
    }
    run();
  }

  /**
   * Between two polls for events: one task of `setImmediate`, so that its promises run behind it.
   */
  private readonly endRound = (): void => {
    const [next] = this.waiting;
    this.isInRound = next !== undefined;
    if (next === undefined) return;
    this.waiting.delete(next);
    this.roundEnd = this.host.now() + ROUND_MS;
    this.host.setImmediate(this.endRound);
    next();
  };
}
