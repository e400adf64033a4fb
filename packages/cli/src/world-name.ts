import { UsageError } from './usage-error.ts';

/** A world as the command line names it; without a namespace the caller's own is meant. */
export interface WorldName {
  readonly namespace?: string;
  readonly slug: string;
}

/**
 * As the interface has it; checked here too, since a name such as `..` would not survive in an
 * address.
 */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;
const DEFAULT_NAMESPACE_MARK = '_';

/**
 * A world by `slug` or `namespace/slug`; `namespace` is where a bare slug lives. Throws UsageError
 * for a malformed name.
 */
export function worldName(name: string, namespace: string | undefined): WorldName {
  const slash = name.indexOf('/');
  const own = slash < 0 ? undefined : name.slice(0, slash);
  if (own !== undefined && namespace !== undefined && own !== namespace) {
    throw new UsageError(`${name}: its namespace is not that of --namespace ${namespace}; say one of them.`);
  }
  return { namespace: namespaceName(own ?? namespace), slug: required(name.slice(slash + 1), 'a world') };
}

/**
 * A namespace's name as it is given; `_` is the caller's own. Throws UsageError for a malformed
 * name.
 */
export function namespaceName(namespace: string | undefined): string | undefined {
  if (namespace === undefined || namespace === DEFAULT_NAMESPACE_MARK) return namespace;
  return required(namespace, 'a namespace');
}

/** The path of the worlds of a namespace (INTERFACE, "Endpoints": the two families of routes). */
export function collectionPath(namespace: string | undefined): string {
  return namespace === undefined ? '/worlds' : `/namespaces/${namespace}/worlds`;
}

/** The path of one world. */
export function worldPath({ namespace, slug }: WorldName): string {
  return `${collectionPath(namespace)}/${slug}`;
}

function required(name: string, what: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is no name of ${what}: it must begin with a letter or digit and go on with at most 127 letters, digits, dots, underscores, tildes and hyphens.`,
  );
}
