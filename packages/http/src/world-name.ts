/** What a slug or a namespace may be called; `_` alone is reserved and never a name. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;

export const NAME_RULE =
  'begin with a letter or digit and go on with at most 127 letters, digits, dots, underscores, tildes and hyphens';

/** The reserved namespace that stands for the caller's default one. */
export const DEFAULT_NAMESPACE_MARK = '_';

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
  return NAME.test(name) ? name : quoted(name);
}

export function invalidName(field: string, name: string): string {
  return `${field}: ${quoted(name)} is no valid name; it must ${NAME_RULE}.`;
}
