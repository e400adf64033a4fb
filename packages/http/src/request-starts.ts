import { type EventLoopHost, PROCESS } from './event-loop-host.ts';
import { FairQueue } from './fair-queue.ts';

/** How long requests may start in one round of the event loop before the others wait, in ms. */
const ROUND_MS = 4;
/**
 * While requests wait, they have one part of a round, and those that arrive in it have the other.
 */
const PART_MS = ROUND_MS / 2;
/** Waiting requests started per round, as long as there is time. */
const MAX_STARTS_A_ROUND = 16;

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
 * first time. Once the requests of a round have used up {@link ROUND_MS}, later ones wait.
 *
 * The requests of one sender start in the order in which they arrive. Known callers take turns; all
 * other senders have one turn among them, since credentials can be invented. A sender of whom
 * nothing waits need not queue behind the others while the round has time.
 */
export class RequestStarts {
  private readonly host: EventLoopHost;
  /** By caller. */
  private readonly waiting = new FairQueue<() => void>();
  /** By credentials. */
  private readonly unknown = new FairQueue<() => void>();
  private isInRound = false;
  private arrivingEnd = 0;
  private waitingEnd = 0;

  constructor(host: EventLoopHost = PROCESS) {
    this.host = host;
  }

  /** Runs a request now or in a later round. */
  start({ credentials, caller }: Sender, run: () => void): void {
    const { host } = this;
    if (!this.isInRound) {
      this.isInRound = true;
      this.arrivingEnd = host.now() + ROUND_MS;
      host.setImmediate(this.endRound);
    } else if (this.hasWaiting(credentials, caller) || host.now() >= this.arrivingEnd) {
      if (caller !== undefined) this.waiting.add(caller, run);
      else {
        this.unknown.add(credentials, run);
        this.waiting.add(UNKNOWN_CALLERS, () => this.unknown.take()!());
      }
      return;
    }
    run();
  }

  private hasWaiting(credentials: string, caller: string | undefined): boolean {
    return caller !== undefined ? this.waiting.has(caller) : this.unknown.has(credentials);
  }

  private readonly endRound = (): void => {
    this.isInRound = this.waiting.size > 0;
    if (!this.isInRound) return;
    this.arrivingEnd = this.host.now() + PART_MS;
    this.waitingEnd = Number.POSITIVE_INFINITY;
    // One task each, because the promise jobs of a request run behind its task and are part of its
    // work. The event loop polls before it runs them.
    for (let left = Math.min(this.waiting.size, MAX_STARTS_A_ROUND); left > 0; left--) {
      this.host.setImmediate(this.startWaiting);
    }
    this.host.setImmediate(this.endRound);
  };

  private readonly startWaiting = (): void => {
    const now = this.host.now();
    if (this.waitingEnd === Number.POSITIVE_INFINITY) this.waitingEnd = now + PART_MS;
    if (now < this.waitingEnd) this.waiting.take()?.();
  };
}
