import { UsageError } from './usage-error.ts';

/** A world as named on the command line; a missing namespace is the caller's own. */
export interface WorldName {
  readonly namespace?: string;
  readonly slug: string;
}

/**
 * The interface's rule for names. Checked here as well, because a name such as `..` would not
 * survive in a URL.
 */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;
/** In the place of a namespace: the caller's own. */
export const DEFAULT_NAMESPACE_MARK = '_';

/**
 * Parses a world name, `slug` or `namespace/slug`; `namespace` applies to a bare slug. Throws
 * `UsageError` for a malformed name.
 */
export function worldName(name: string, namespace: string | undefined): WorldName {
  const slash = name.indexOf('/');
  const own = slash < 0 ? undefined : name.slice(0, slash);
  if (own !== undefined && namespace !== undefined && own !== namespace) {
    throw new UsageError(`${name}: its namespace differs from --namespace ${namespace}; pass only one of the two.`);
  }
  return { namespace: namespaceName(own ?? namespace), slug: required(name.slice(slash + 1), 'a world') };
}

/**
 * Validates a namespace's name; `_` is the caller's own. Throws `UsageError` for a malformed name.
 */
export function namespaceName(namespace: string | undefined): string | undefined {
  if (namespace === undefined || namespace === DEFAULT_NAMESPACE_MARK) return namespace;
  return required(namespace, 'a namespace');
}

/** Returns the path of a namespace's worlds; undefined is the default namespace of the caller. */
export function collectionPath(namespace: string | undefined): string {
  return namespace === undefined ? '/worlds' : `/namespaces/${namespace}/worlds`;
}

/** Returns the path of one world. */
export function worldPath({ namespace, slug }: WorldName): string {
  return `${collectionPath(namespace)}/${slug}`;
}

function required(name: string, what: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a valid name of ${what}: it must begin with a letter or digit, followed by at most 127 letters, digits, dots, underscores, tildes and hyphens.`,
  );
}
