import { NAME_PATTERN, NAME_RULE } from '@rdf-worlds/core/internal';

/** The full name of a world. */
export interface WorldName {
  readonly namespace: string;
  readonly slug: string;
}

/** Quotes a name for a message, truncated if it is excessively long. */
export function quoted(name: string): string {
  return name.length > 200 ? `${JSON.stringify(name.slice(0, 200))}...` : JSON.stringify(name);
}

/** Formats a name for a message, quoted only if it is not a valid name. */
export function shown(name: string): string {
  return NAME_PATTERN.test(name) ? name : quoted(name);
}

export function invalidName(field: string, name: string): string {
  return `${field}: ${quoted(name)} is not a valid name; it must ${NAME_RULE}.`;
}
