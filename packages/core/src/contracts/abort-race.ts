import { throwIfAborted } from '../model/worlds-error.ts';

/**
 * Awaits `work`, or rejects with ABORTED as soon as the signal fires. For plug-ins that call
 * something remote that may ignore the signal. The late outcome of `work` is then discarded.
 */
export async function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (!signal) return work;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', resolve as () => void, { once: true });
  });
  try {
    // The race also handles a late rejection of `work`, so it is never reported as unhandled.
    const result = await Promise.race([work, aborted]);
    throwIfAborted(signal);
    return result as Result;
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort);
  }
}
