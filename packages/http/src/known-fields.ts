import { WorldsError } from '@rdf-worlds/core';

/**
 * Throws INVALID_ARGUMENT for a field that does not exist: a misspelt `grants` would open what it was to close. Names the nearest that does.
 *
 * @param where what has the fields, such as `tokens[0]`
 */
export function requireKnownFields(value: object, known: readonly string[], where: string): void {
  for (const field of Object.keys(value)) {
    if (known.includes(field)) continue;
    const near = nearestName(field, known, 1 / 2);
    const advice = near === undefined ? `they are ${known.join(', ')}` : `did you mean ${near}?`;
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${where}: there is no field ${JSON.stringify(field.slice(0, 100))}; ${advice}${near === undefined ? '.' : ''}`,
    );
  }
}

/** The name that takes the fewest changes, if they are at most that share of its length. */
export function nearestName(given: string, names: readonly string[], share: number): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    if (Math.abs(name.length - given.length) > name.length * share) continue;
    const changes = distance(given.toLowerCase(), name.toLowerCase());
    if (changes <= name.length * share && changes < least) {
      least = changes;
      nearest = name;
    }
  }
  return nearest;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      next.push(Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (a[i - 1] === b[k - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}
