import { type WorldSource, WorldsError } from '@rdf-worlds/core';
import { DEFAULT_NAMESPACE_MARK, invalidName, NAME, type WorldName } from './world-name.ts';

/** A WorldSource with everything said, in the form that the engine takes: nothing is left to the engine's own defaults. */
export interface NamedWorld extends WorldName {
  readonly write?: boolean;
  readonly schema?: boolean;
}

/** Where a request stands: what sources without a namespace and `_` mean. */
export interface NamespaceScope {
  readonly namespace: string;
  readonly defaultNamespace: string;
}

/** Resolves the three forms of a source. Throws INVALID_ARGUMENT, naming the field, for a malformed name. */
export function resolveSource(source: WorldSource, field: string, scope: NamespaceScope): NamedWorld {
  if (typeof source === 'string') return resolveQualified(source, field, scope);
  const { write, schema } = source;
  if ('name' in source && source.name !== undefined) {
    return { ...resolveQualified(source.name, `${field}.name`, scope), write, schema };
  }
  const { slug, namespace } = source as { slug: string; namespace?: string };
  return {
    namespace: namespace === undefined ? scope.namespace : resolveNamespace(namespace, `${field}.namespace`, scope),
    slug: requireName(slug, `${field}.slug`),
    write,
    schema,
  };
}

function resolveQualified(name: string, field: string, scope: NamespaceScope): WorldName {
  const slash = name.indexOf('/');
  // A string without a slash is a slug in the request's namespace.
  if (slash < 0) return { namespace: scope.namespace, slug: requireName(name, field) };
  return {
    namespace: resolveNamespace(name.slice(0, slash), field, scope),
    slug: requireName(name.slice(slash + 1), field),
  };
}

/** A namespace by its name, or the caller's default one for `_`. Throws INVALID_ARGUMENT for a malformed name. */
export function resolveNamespace(
  namespace: string,
  field: string,
  { defaultNamespace }: Pick<NamespaceScope, 'defaultNamespace'>,
): string {
  return namespace === DEFAULT_NAMESPACE_MARK ? defaultNamespace : requireName(namespace, field);
}

function requireName(name: string, field: string): string {
  if (!NAME.test(name)) throw new WorldsError('INVALID_ARGUMENT', invalidName(field, name));
  return name;
}
