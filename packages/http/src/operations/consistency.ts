import { type Consistency, WorldsError } from '@rdf-worlds/core';

/**
 * Parses the parameter `consistency`, given its values in the URL and in a form. Throws
 * `INVALID_ARGUMENT`.
 */
export function consistencyOf(values: readonly string[]): Consistency | undefined {
  const [value, ...more] = values;
  if (more.length > 0) throw new WorldsError('INVALID_ARGUMENT', 'consistency: pass it only once.');
  if (value === undefined || value === 'bounded' || value === 'latest') return value;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `consistency: expected bounded or latest, found ${JSON.stringify(value.slice(0, 200))}.`,
  );
}
