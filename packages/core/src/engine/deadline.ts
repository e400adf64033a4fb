import { turns } from '../contracts/turns.ts';
import { WorldsError } from '../model/worlds-error.ts';

/** Maximum delay of a timer, about 24 days; longer delays would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Combines a caller's signal and a timeout into one signal. Dispose it when the work is done, which
 * removes the timer and the listener.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly caller: AbortSignal | undefined;
  private readonly forward: (() => void) | undefined;

  constructor(caller: AbortSignal | undefined, timeoutMs: number | undefined) {
    if (timeoutMs === undefined) {
      this.signal = caller;
      return;
    }
    const controller = new AbortController();
    this.signal = controller.signal;
    turns.inherit(this.signal, caller);
    this.caller = caller;
    this.forward = () => controller.abort(caller?.reason);
    if (caller?.aborted) this.forward();
    caller?.addEventListener('abort', this.forward, { once: true });
    this.timer = setTimeout(
      () => {
        controller.abort(
          new WorldsError(
            'TIMEOUT',
            `The time limit of ${timeoutMs} ms was exceeded; narrow the query, or raise timeoutMs.`,
          ),
        );
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    if (this.forward) this.caller?.removeEventListener('abort', this.forward);
  }
}
