import { WorldsError } from '../model/worlds-error.ts';
import type { WorldSource } from './world.ts';

/** Pattern of slugs and namespaces. `_` alone is reserved and never a name. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;

/** The same rule in words, to follow "must". */
export const NAME_RULE =
  'begin with a letter or digit, followed by at most 127 letters, digits, dots, underscores, tildes and hyphens';

/** Reserved name for the default namespace. */
export const DEFAULT_NAMESPACE_MARK = '_';

/** A source with its defaults applied: the world and its role in the request. */
export interface ResolvedSource {
  readonly namespace: string;
  readonly slug: string;
  /** The flag of the source; undefined if it has none. */
  readonly write: boolean | undefined;
  /** The flag of the source. Default: false. */
  readonly schema: boolean;
}

/**
 * Resolves the three forms of a source. `namespace` applies to sources without one;
 * `defaultNamespace` replaces `_`. Throws INVALID_ARGUMENT that names `field` for a malformed name.
 */
export function resolveSource(
  source: WorldSource,
  { namespace, defaultNamespace, field }: { namespace: string; defaultNamespace: string; field: string },
): ResolvedSource {
  if (typeof source === 'string') return resolveName(source, { namespace, defaultNamespace, field }, undefined, false);
  const { write, schema = false } = source;
  if ('name' in source && source.name !== undefined) {
    return resolveName(source.name, { namespace, defaultNamespace, field: `${field}.name` }, write, schema);
  }
  const { slug, namespace: own = namespace } = source as { slug: string; namespace?: string };
  return {
    namespace: resolveNamespace(own, defaultNamespace, `${field}.namespace`),
    slug: requireName(slug, `${field}.slug`),
    write,
    schema,
  };
}

function resolveName(
  name: string,
  { namespace, defaultNamespace, field }: { namespace: string; defaultNamespace: string; field: string },
  write: boolean | undefined,
  schema: boolean,
): ResolvedSource {
  const slash = name.indexOf('/');
  // A string without a slash is a slug in the request's namespace.
  const own = slash < 0 ? namespace : name.slice(0, slash);
  return {
    namespace: resolveNamespace(own, defaultNamespace, field),
    slug: requireName(name.slice(slash + 1), field),
    write,
    schema,
  };
}

/**
 * Returns the namespace of a name, or the default one for `_`. Throws INVALID_ARGUMENT that names
 * `field` for a malformed name.
 */
export function resolveNamespace(namespace: string, defaultNamespace: string, field: string): string {
  return namespace === DEFAULT_NAMESPACE_MARK ? defaultNamespace : requireName(namespace, field);
}

/** Returns the name. Throws INVALID_ARGUMENT that names `field` if it is malformed. */
export function requireName(name: string, field: string): string {
  if (!NAME_PATTERN.test(name)) {
    const shown = name.length > 200 ? `${JSON.stringify(name.slice(0, 200))}...` : JSON.stringify(name);
    throw new WorldsError('INVALID_ARGUMENT', `${field}: ${shown} is not a valid name; it must ${NAME_RULE}.`);
  }
  return name;
}
