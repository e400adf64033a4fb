import { raceAbort } from '../contracts/abort-race.ts';
import { throwIfAborted, type WorldsError } from '../model/worlds-error.ts';

export interface TimeLimit {
  readonly timeoutMs: number;
  /** Creates the error that is thrown on timeout. */
  readonly tooLate: () => WorldsError;
  readonly signal: AbortSignal | undefined;
}

/**
 * Awaits work that may ignore its signal, until it ends, times out, or the caller's signal fires
 * (ABORTED). The signal passed to the work fires in both latter cases.
 */
export async function withTimeLimit<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, tooLate, signal }: TimeLimit,
): Promise<Result> {
  throwIfAborted(signal);
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal!.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop.abort(tooLate()), timeoutMs);
  try {
    const started = (async () => work(stop.signal))();
    return await raceAbort(started, stop.signal);
  } catch (error) {
    throwIfAborted(signal);
    throwIfAborted(stop.signal);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
