import { isObject, kindOf } from './passed-value.ts';
import { WorldsError } from './worlds-error.ts';

/**
 * Throws INVALID_ARGUMENT for a value that is not an object, and for an unknown field, and suggests
 * the nearest known one. Ignoring an unknown option is worse than an error: `sourcs` would query
 * all worlds, and `grant` for `grants` would open what it was meant to close.
 *
 * @param where owner of the fields, such as `fileStorage` or `tokens[0]`
 */
export function requireKnownFields(value: object, known: readonly string[], where: string): void {
  if (!isObject(value))
    throw new WorldsError('INVALID_ARGUMENT', `${where}: expected an object, not ${kindOf(value)}.`);
  // Inherited fields count too, since property access finds them.
  for (const field in value) {
    if (!known.includes(field))
      throw new WorldsError('INVALID_ARGUMENT', `${where}: ${unknownFieldText(field, known)}`);
  }
}

/**
 * Returns the field names of an interface, for {@link requireKnownFields}. Does not compile unless
 * every field has a row.
 */
export function fieldsOf<Fields extends object>(fields: Record<keyof Fields, true>): readonly string[] {
  return Object.keys(fields);
}

/** Returns a message such as `there is no field "sorces"; did you mean sources?` */
export function unknownFieldText(field: string, known: readonly string[]): string {
  const near = nearestName(field, known, 1 / 2) ?? sameMeaning(field, known);
  const advice = near === undefined ? `they are ${known.join(', ')}.` : `did you mean ${near}?`;
  return `there is no field ${JSON.stringify(field.slice(0, 100))}; ${advice}`;
}

/** Names that other interfaces have for the same; the first ones are ours. */
const MEANINGS: readonly (readonly string[])[] = [
  ['query', 'update', 'sparql', 'q', 'statement'],
  ['sources', 'source', 'worlds', 'world', 'dataset', 'datasets'],
  ['source', 'world', 'worlds', 'dataset'],
  ['slug', 'name', 'id', 'world'],
  ['contentType', 'format', 'mediaType', 'mimeType', 'type'],
  ['data', 'content', 'body', 'input', 'text', 'turtle', 'rdf', 'file'],
  ['insert', 'add', 'quads', 'triples'],
  ['delete', 'remove'],
  ['text', 'query', 'q', 'search'],
  ['limit', 'topK', 'top', 'k', 'count'],
  ['bindings', 'params', 'parameters', 'variables'],
  ['timeoutMs', 'timeout'],
];

function sameMeaning(field: string, known: readonly string[]): string | undefined {
  for (const [name, ...others] of MEANINGS) if (others.includes(field) && known.includes(name)) return name;
  return undefined;
}

/**
 * Returns the name with the smallest edit distance, if that is at most `share` of the name's
 * length.
 */
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

/**
 * Returns the name that `given` evidently means: one edit away, its singular or plural, or the same
 * name in another spelling of its words (`default-graph-uri`, `Base_IRI`). A single letter means
 * no name.
 */
export function misspeltName(given: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(given);
  return names.find((name) => isMisspelling(letters, lettersOf(name)));
}

/** Letters by which a plural is longer than its singular, as of `queries`. */
const MAX_PLURAL = 2;

function isMisspelling(given: string, name: string): boolean {
  if (given.length < 2 || Math.abs(given.length - name.length) > MAX_PLURAL) return false;
  return distance(given, name) <= 1 || pluralsOf(given).includes(name) || pluralsOf(name).includes(given);
}

function pluralsOf(name: string): readonly string[] {
  return [`${name}es`, name.replace(/y$/, 'ies')];
}

/** Longer names mean none of ours, and are not copied. */
const MAX_NAME_LENGTH = 100;

function lettersOf(name: string): string {
  return name.length > MAX_NAME_LENGTH ? '' : name.replace(/[-_\s]/g, '').toLowerCase();
}

/**
 * Optimal string alignment distance: insertions, deletions, substitutions, and transpositions of
 * neighbours count one each.
 */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const isSame = a[i - 1] === b[k - 1];
      let least = Math.min(row[k] + 1, next[k - 1] + 1, row[k - 1] + (isSame ? 0 : 1));
      const isSwapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      if (isSwapped) least = Math.min(least, before[k - 2] + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
