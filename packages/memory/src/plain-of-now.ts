import { WorldsError } from '@rdf-worlds/core';
import type { Fact } from './fact.ts';

/** What a result says whose facts without provenance are not as of the time that was asked for. */
export const PLAIN_OF_NOW =
  '(facts without a recorded time are shown as they are now: the history of the engine does not reach back to then)';

/**
 * Reads facts by their recorded time, and triples without one from the history of the engine; as
 * they are now where it does not reach back, which the result has to say.
 *
 * @param plainAt undefined for now
 */
export async function orPlainOfNow(
  read: (plainAt: Date | undefined) => Promise<readonly Fact[]>,
  plainAt: Date | undefined,
): Promise<{ readonly facts: readonly Fact[]; readonly isPlainOfNow: boolean }> {
  if (!plainAt) return { facts: await read(undefined), isPlainOfNow: false };
  try {
    return { facts: await read(plainAt), isPlainOfNow: false };
  } catch (error) {
    if (!(error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
    const facts = await read(undefined);
    return { facts, isPlainOfNow: facts.some(({ recordedAt }) => !recordedAt) };
  }
}
