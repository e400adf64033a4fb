import { WorldsError } from '../model/worlds-error.ts';
import type { WorldSource } from './world.ts';

/** What a slug or a namespace may be called; `_` alone is reserved and never a name. */
export const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;

/** The same in words, after "must". */
export const NAME_RULE =
  'begin with a letter or digit and go on with at most 127 letters, digits, dots, underscores, tildes and hyphens';

/** The reserved namespace that stands for the default one. */
export const DEFAULT_NAMESPACE_MARK = '_';

/** A source with everything said: which world, and how it takes part in the request. */
export interface ResolvedSource {
  readonly namespace: string;
  readonly slug: string;
  readonly write: boolean | undefined;
  readonly schema: boolean;
}

/**
 * Resolves the three forms of a source. `namespace` is the request's, for a source that names none;
 * `defaultNamespace` is what `_` stands for. Throws INVALID_ARGUMENT, naming `field`, for a
 * malformed name.
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
 * A namespace by its name, or the default one for `_`. Throws INVALID_ARGUMENT, naming `field`, for
 * a malformed name.
 */
export function resolveNamespace(namespace: string, defaultNamespace: string, field: string): string {
  return namespace === DEFAULT_NAMESPACE_MARK ? defaultNamespace : requireName(namespace, field);
}

/** The name itself. Throws INVALID_ARGUMENT, naming `field`, for one that is malformed. */
export function requireName(name: string, field: string): string {
  if (!NAME_PATTERN.test(name)) {
    const shown = name.length > 200 ? `${JSON.stringify(name.slice(0, 200))}...` : JSON.stringify(name);
    throw new WorldsError('INVALID_ARGUMENT', `${field}: ${shown} is no valid name; it must ${NAME_RULE}.`);
  }
  return name;
}
