import { raceAbort } from '../contracts/abort-race.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { Overtaken } from './overtaken.ts';

/**
 * How often a write is run at most. If each of 8 processes wins as often as the others, a write
 * fails once in 600,000 times.
 */
const MAX_ATTEMPTS = 100;
/** The first attempts follow immediately: another process may be about to pause. */
const PROMPT_ATTEMPTS = 8;
const LONGEST_PAUSE_MS = 40;

export interface RepeatOptions {
  /** Returns random bytes. */
  readonly random: (length: number) => Uint8Array;
  readonly signal: AbortSignal | undefined;
  /**
   * Keeps other processes from overtaking the next attempt, after `count` of them were. Returns a
   * function that ends that; undefined if they are not kept.
   */
  readonly reserve: (namespace: string, count: number) => Promise<(() => void) | undefined>;
  /** The namespace to reserve before the first attempt; undefined for none. */
  readonly namespace?: string | undefined;
}

/**
 * Runs a write until no other process has overtaken it. Each attempt must start from the beginning:
 * resolve its worlds, and compute its change on their current state. What it refuses, it refuses on
 * the current state, so every error but {@link Overtaken} is final. Throws CONFLICT after too many
 * attempts, ABORTED or TIMEOUT if the signal fires during a pause.
 */
export async function repeatOvertaken<Result>(
  attempt: () => Result | Promise<Result>,
  { random, signal, reserve, namespace }: RepeatOptions,
): Promise<Result> {
  let release = namespace === undefined ? undefined : await reserve(namespace, 0);
  for (let count = 1; ; count++) {
    let overtaken: Overtaken;
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof Overtaken)) throw cause;
      overtaken = cause as Overtaken;
      if (count === MAX_ATTEMPTS)
        throw new WorldsError(
          'CONFLICT',
          `The write was overtaken by other processes ${MAX_ATTEMPTS} times. Repeat the call later, or let fewer processes write to this namespace.`,
          { cause },
        );
    } finally {
      release?.();
    }
    throwIfAborted(signal);
    release = await reserve(overtaken.namespace, count);
    if (!release && count > PROMPT_ATTEMPTS)
      await pause(LONGEST_PAUSE_MS * Math.min(1, (count - PROMPT_ATTEMPTS) / 16), random, signal);
  }
}

/** Waits for a random time up to `maxMs`. */
async function pause(
  maxMs: number,
  random: (length: number) => Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, (maxMs * random(1)[0]) / 255);
  });
  try {
    await raceAbort(over, signal);
  } finally {
    clearTimeout(timer);
  }
}
