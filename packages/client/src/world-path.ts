import type { WorldSource } from '@rdf-worlds/core';
import { requireName, resolveSource, WorldsError } from '@rdf-worlds/core/remote';

/** A world by name; `_` is the caller's default namespace on the server. */
export interface WorldName {
  readonly namespace: string;
  readonly slug: string;
}

/** A world of a query or search, with its role. */
export interface ScopedWorld extends WorldName {
  readonly write: boolean | undefined;
  readonly schema: boolean;
}

/** The worlds of a query or search, and the path of the route that covers them. */
export interface Scope {
  readonly path: string;
  /** `sources` and `namespace` for the body. */
  readonly body: { readonly sources?: readonly ScopedWorld[] };
}

/** Returns the path of a namespace's worlds. */
export function collectionPath(namespace: string): string {
  return `/namespaces/${namespace}/worlds`;
}

/** Returns the path of one world. */
export function worldPath({ namespace, slug }: WorldName): string {
  return `${collectionPath(namespace)}/${slug}`;
}

/** Returns a namespace, or the default. Throws INVALID_ARGUMENT that names `field`. */
export function namespaceOf(namespace: string | undefined, defaultNamespace: string, field: string): string {
  if (namespace === undefined) return defaultNamespace;
  if (typeof namespace !== 'string') throw new WorldsError('INVALID_ARGUMENT', `${field}: expected a string`);
  return namespace === '_' ? defaultNamespace : requireName(namespace, field);
}

/**
 * Returns the world of a source. `namespace` is that of sources without one. Throws
 * INVALID_ARGUMENT that names `field`.
 */
export function worldOf(
  source: unknown,
  field: string,
  { namespace, defaultNamespace }: { readonly namespace: string; readonly defaultNamespace: string },
): ScopedWorld {
  const given = source as WorldSource | null | undefined;
  const isObject = typeof given === 'object' && given !== null;
  const { name, slug, namespace: own } = (isObject ? given : {}) as Record<string, unknown>;
  const isNamed = isObject && (typeof name === 'string' || (name === undefined && typeof slug === 'string'));
  if (typeof given !== 'string' && !(isNamed && (own === undefined || typeof own === 'string'))) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: expected a world: "namespace/slug", { name: "namespace/slug" } or { slug, namespace? }`,
    );
  }
  return resolveSource(given as WorldSource, { namespace, defaultNamespace, field });
}

/**
 * Returns the scope of a query or search. One world without a role has a route of its own, which is
 * open to callers with a grant on that world alone.
 */
export function scopeOf(
  operation: string,
  { sources, namespace }: { readonly sources?: unknown; readonly namespace?: string | undefined },
  defaultNamespace: string,
): Scope {
  const home = namespaceOf(namespace, defaultNamespace, `${operation}: namespace`);
  if (sources === undefined) return { path: collectionPath(home), body: {} };
  if (!Array.isArray(sources))
    throw new WorldsError('INVALID_ARGUMENT', `${operation}: sources: expected an array of worlds`);
  const worlds = sources.map((source, i) =>
    worldOf(source, `${operation}: sources[${i}]`, { namespace: home, defaultNamespace }),
  );
  if (worlds.length === 1) {
    const [world] = worlds;
    const hasRole = world.write !== undefined || world.schema;
    return { path: worldPath(world), body: hasRole ? { sources: worlds } : {} };
  }
  return { path: collectionPath(worlds[0]?.namespace ?? home), body: { sources: worlds } };
}
