import { setFlagsFromString } from 'node:v8';
import { measureMemory, runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Runs a complete collection, for measurements of memory. */
export const collectGarbage: () => void = runInNewContext('gc');

/**
 * Runs a full collection of the kind V8 starts itself, so that no time measurement pays for earlier
 * garbage. The `gc` function also drops hidden classes without instances, and with them their
 * optimized code: the next measurement would run in the interpreter, five times as slow.
 */
export async function collectGarbageAsUsual(): Promise<void> {
  // V8's own tasks do not keep an otherwise idle process alive.
  const alive = setInterval(() => undefined, 1000);
  // Measuring the memory requires a collection, and `eager` starts it immediately; there is no
  // other way to request it.
  await measureMemory({ mode: 'summary', execution: 'eager' });
  clearInterval(alive);
}
