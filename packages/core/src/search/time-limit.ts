import { throwIfAborted, type WorldsError } from '../model/worlds-error.ts';
import { raceAbort } from '../storage/abort-race.ts';

export interface TimeLimit {
  readonly timeoutMs: number;
  /** What is thrown when the time is over. */
  readonly tooLate: () => WorldsError;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits for work that may not honour its signal: until the time is over, or until the caller's
 * signal fires (ABORTED). The signal that the work gets fires with either.
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
