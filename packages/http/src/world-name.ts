import { NAME_PATTERN, NAME_RULE } from '@rdf-worlds/core';

/** One world by its full name. */
export interface WorldName {
  readonly namespace: string;
  readonly slug: string;
}

/** A name for a message: quoted, and cut where it is absurdly long. */
export function quoted(name: string): string {
  return name.length > 200 ? `${JSON.stringify(name.slice(0, 200))}...` : JSON.stringify(name);
}

/** A name for a message, quoted only when it is none. */
export function shown(name: string): string {
  return NAME_PATTERN.test(name) ? name : quoted(name);
}

export function invalidName(field: string, name: string): string {
  return `${field}: ${quoted(name)} is no valid name; it must ${NAME_RULE}.`;
}
