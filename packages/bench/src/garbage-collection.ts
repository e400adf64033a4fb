import { setFlagsFromString } from 'node:v8';
import { measureMemory, runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** A full collection now, that leaves nothing: for measurements of memory. */
export const collectGarbage: () => void = runInNewContext('gc');

/**
 * A full collection of the kind that V8 makes by itself, so that no measurement of time pays for
 * the garbage of the one before. The other kind also drops hidden classes that have no instance at
 * the moment, and with them the optimized code that knows them: what is measured next would run in
 * the interpreter, five times as long.
 */
export async function collectGarbageAsUsual(): Promise<void> {
  // V8's own tasks do not keep a process alive that has nothing else to do.
  const alive = setInterval(() => undefined, 1000);
  // Counting the memory needs a collection; `eager` begins it at once. This is the one way to ask
  // for it.
  await measureMemory({ mode: 'summary', execution: 'eager' });
  clearInterval(alive);
}
