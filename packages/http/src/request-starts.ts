import { FairQueue } from './fair-queue.ts';

/** How long requests may start in one round of the event loop before the others wait, in ms. */
const ROUND_MS = 4;

/** Process facilities that starts need; replaced in tests. */
export interface StartHost {
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly setImmediate: (task: () => void) => void;
}

const PROCESS: StartHost = { now: () => performance.now(), setImmediate: (task) => void setImmediate(task) };

/** Who sent a request, as far as is known before it is authenticated. */
export interface Sender {
  /** The credentials as sent; empty if there are none. */
  readonly credentials: string;
  /** The caller that these credentials belonged to in an earlier request of the connection. */
  readonly caller: string | undefined;
}

/** The share of all senders without a known caller; never the name of a caller. */
const UNKNOWN_CALLERS = '';

/**
 * Starts requests so that many at the same time do not hold the event loop: `node:http` hands out
 * the requests of all connections in one round, and each may work for a slice before it pauses the
 * first time. Once the requests of a round have used up {@link ROUND_MS}, later ones wait: each
 * further round starts at least one of them, after those that arrive in it. Known callers take
 * turns; all other senders have one turn among them, since credentials can be invented.
 */
export class RequestStarts {
  private readonly host: StartHost;
  /** By caller. */
  private readonly waiting = new FairQueue<() => void>();
  /** By credentials. */
  private readonly unknown = new FairQueue<() => void>();
  private isInRound = false;
  private roundEnd = 0;

  constructor(host: StartHost = PROCESS) {
    this.host = host;
  }

  /** Runs a request now or in a later round. */
  start({ credentials, caller }: Sender, run: () => void): void {
    const { host } = this;
    if (!this.isInRound) {
      this.isInRound = true;
      this.roundEnd = host.now() + ROUND_MS;
      host.setImmediate(this.endRound);
    } else if (host.now() >= this.roundEnd) {
      if (caller !== undefined) this.waiting.add(caller, run);
      else {
        this.unknown.add(credentials, run);
        this.waiting.add(UNKNOWN_CALLERS, () => this.unknown.take()!());
      }
      return;
    }
    run();
  }

  /**
   * Between two polls for events: one task of `setImmediate`, so that its promises run behind it.
   */
  private readonly endRound = (): void => {
    const next = this.waiting.take();
    this.isInRound = next !== undefined;
    if (next === undefined) return;
    this.roundEnd = this.host.now() + ROUND_MS;
    this.host.setImmediate(this.endRound);
    next();
  };
}
