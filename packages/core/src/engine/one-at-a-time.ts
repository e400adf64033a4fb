import type { Slicer } from '../contracts/slicer.ts';
import { turns } from '../contracts/turns.ts';
import { Mutex } from './mutex.ts';

/** Steps of a kernel that never wait: most work is shorter. */
const SHORT_STEPS = 8;

/** By the owner of the work. */
const locks = new WeakMap<object, Mutex>();

/**
 * Runs a kernel that may need much memory until it ends. After a few steps it waits until no other
 * such kernel of its caller runs: side by side they would end no earlier, and hold the memory of
 * all of them. Throws ABORTED.
 */
export async function runOneAtATime<Result>(
  kernel: Generator<unknown, Result, unknown>,
  slicer: Slicer,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const begun = await slicer.run(firstSteps(kernel));
  if (begun?.done) return begun.value;
  const owner = turns.ownerOf(signal);
  let lock = locks.get(owner);
  if (!lock) locks.set(owner, (lock = new Mutex()));
  try {
    return await lock.run(() => slicer.run(kernel), signal);
  } finally {
    // Closes what it reads from if it was aborted while it waited.
    kernel.return(undefined as never);
  }
}

/** Returns the last of the first steps; undefined if there were none. A kernel. */
function* firstSteps<Result>(
  kernel: Generator<unknown, Result, unknown>,
): Generator<void, IteratorResult<unknown, Result> | undefined> {
  for (let steps = 0; steps < SHORT_STEPS; steps++) {
    const step = kernel.next();
    if (step.done) return step;
    yield;
  }
  return undefined;
}
