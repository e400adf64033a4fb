import { WorldsError } from '@rdf-worlds/core';

/**
 * The time limit of one request: its signal fires if the client disconnects, and with `TIMEOUT`
 * when the limit expires. Dispose of it once the request is answered.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  private readonly client: AbortSignal;
  private readonly forward: () => void;
  private readonly timer: NodeJS.Timeout;

  constructor(client: AbortSignal, timeoutMs: number) {
    const controller = new AbortController();
    this.signal = controller.signal;
    this.client = client;
    this.forward = () => controller.abort(client.reason);
    if (client.aborted) this.forward();
    client.addEventListener('abort', this.forward, { once: true });
    this.timer = setTimeout(() => {
      controller.abort(
        new WorldsError('TIMEOUT', `The time limit of ${timeoutMs} ms was exceeded; request less data.`),
      );
    }, timeoutMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.client.removeEventListener('abort', this.forward);
  }
}
