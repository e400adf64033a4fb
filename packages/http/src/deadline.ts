import { WorldsError } from '@rdf-worlds/core';
import type { Incoming } from './incoming.ts';

/**
 * The time limit of one request: its signal fires if the client disconnects, and with `TIMEOUT`
 * when the limit expires. Dispose of it once the request is answered.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  private readonly leaveClient: () => void;
  private readonly expire: () => void;
  private leftMs: number;
  private startedMs = 0;
  /** Undefined while paused. */
  private timer: NodeJS.Timeout | undefined;

  constructor(client: Pick<Incoming, 'onGone'>, timeoutMs: number) {
    const controller = new AbortController();
    this.signal = controller.signal;
    this.leaveClient = client.onGone((reason) => controller.abort(reason));
    this.expire = () => {
      controller.abort(
        new WorldsError('TIMEOUT', `The time limit of ${timeoutMs} ms was exceeded; request less data.`),
      );
    };
    this.leftMs = timeoutMs;
    this.resume();
  }

  /** Stops the clock while nothing can be done but wait for the client. Idempotent. */
  pause(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.leftMs -= performance.now() - this.startedMs;
  }

  /** Continues the clock after a pause. Idempotent. */
  resume(): void {
    if (this.timer || this.signal.aborted) return;
    this.startedMs = performance.now();
    this.timer = setTimeout(this.expire, Math.max(0, this.leftMs));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.leaveClient();
  }
}
