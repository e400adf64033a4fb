import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects everything that nobody holds. */
export function collectGarbage(): void {
  // What the first pass finds may hold memory outside of the heap.
  collect();
  collect();
}

/** Bytes of the process that somebody holds: objects, strings, and buffers outside of the heap. */
export function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The same once nothing more is freed: buffers go when the event loop turns. */
export async function settledBytes(): Promise<number> {
  const least = heldBytes();
  await new Promise((resolve) => setImmediate(resolve));
  return Math.min(least, heldBytes());
}

/** Collects until `isDone`; finalizers run between turns of the event loop. */
export async function collectUntil(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !isDone(); turn++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
