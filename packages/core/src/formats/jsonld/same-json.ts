import { isObject } from './context.ts';
import type { Kernel } from './work.ts';

/**
 * Returns whether two JSON values are equal, ignoring the order of members. Counts the values
 * compared against the work limits.
 */
export function* sameJson(
  one: unknown,
  other: unknown,
  work: { step(): boolean; claimTerms(count: number): void },
): Kernel<boolean> {
  if (one === other) return true;
  if (work.step()) yield;
  work.claimTerms(1);
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++)
      if (!(yield* sameJson(one[index], other[index], work))) return false;
    return true;
  }
  if (!isObject(one) || !isObject(other) || one.size !== other.size) return false;
  for (const [name, value] of one) {
    if (!other.has(name) || !(yield* sameJson(value, other.get(name), work))) return false;
  }
  return true;
}
