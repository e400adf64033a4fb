import { WorldsError } from '@rdf-worlds/core';

/** Runs work with a signal that fires when the caller's does, or with TIMEOUT when the time is over. */
export async function withDeadline<Result>(
  caller: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const forward = () => controller.abort(caller.reason);
  if (caller.aborted) forward();
  caller.addEventListener('abort', forward, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new WorldsError('TIMEOUT', `The time limit of ${timeoutMs} ms passed; ask for less at once.`));
  }, timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', forward);
  }
}
