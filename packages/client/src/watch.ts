import { throwIfAborted, WorldsError } from '@rdf-worlds/core/remote';
import { onAbort } from './abort-listeners.ts';
import type { ClientRequest } from './client-request.ts';

/** The reasons for which a request ends before its answer does. */
export interface WatchOptions {
  readonly request: Pick<ClientRequest, 'signal' | 'timeoutMs'>;
  readonly idleTimeoutMs: number;
  /** Fires when the client is closed. */
  readonly closing: AbortSignal;
}

/** The maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Watches one request: fires `signal` when the caller aborts, the client is closed, the time limit
 * expires, or the server keeps silent while it is waited for. Call `end` when the request is over.
 */
export class Watch {
  private readonly controller = new AbortController();
  /** Ends listening to what may end the request from outside. */
  private readonly ends: readonly (() => void)[];
  private readonly idleTimeoutMs: number;
  private readonly deadline: ReturnType<typeof setTimeout> | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor({ request: { signal, timeoutMs }, idleTimeoutMs, closing }: WatchOptions) {
    this.idleTimeoutMs = idleTimeoutMs;
    this.ends = [closing, ...(signal ? [signal] : [])].map((source) => {
      const forward = () => this.controller.abort(source.reason);
      if (source.aborted) forward();
      return onAbort(source, forward);
    });
    if (timeoutMs === undefined) return;
    const late = () =>
      this.controller.abort(
        new WorldsError(
          'TIMEOUT',
          `The time limit of ${timeoutMs} ms was exceeded; narrow the query, or raise timeoutMs.`,
        ),
      );
    this.deadline = setTimeout(late, Math.min(timeoutMs, MAX_TIMER_MS));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Starts waiting for the server, or starts over because something was sent or received. */
  wait(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      this.controller.abort(
        new WorldsError(
          'TIMEOUT',
          `The server was silent for ${this.idleTimeoutMs} ms; it may be overloaded, or idleTimeoutMs too low.`,
        ),
      );
    }, this.idleTimeoutMs);
  }

  /** Stops waiting: the caller is at work. */
  rest(): void {
    clearTimeout(this.idle);
  }

  end(): void {
    clearTimeout(this.idle);
    clearTimeout(this.deadline);
    for (const end of this.ends) end();
  }

  /** Throws the reason if the request was ended from this side. */
  throwIfEnded(): void {
    throwIfAborted(this.signal);
  }
}
