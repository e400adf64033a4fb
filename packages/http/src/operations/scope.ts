import { resolveNamespace, type WorldSource } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { type NamedWorld, resolveSource } from '../named-world.ts';

/** What a query or a search is over: the worlds that it names, or the collection of a namespace. */
export interface Scope {
  /** Undefined: the worlds of the namespace that the caller may read. */
  readonly sources: readonly NamedWorld[] | undefined;
  readonly namespace: string;
}

/**
 * `sources` replaces the world of the path; `namespace` says where sources without one live, and which collection is meant. Throws
 * PERMISSION_DENIED for a namespace in which the caller has no grant; the sources are still to be authorised.
 */
export function resolveScope(
  call: Call,
  sources: readonly WorldSource[] | undefined,
  bodyNamespace: string | undefined,
): Scope {
  const namespace =
    bodyNamespace === undefined ? call.namespace : resolveNamespace(bodyNamespace, call.defaultNamespace, 'namespace');
  const scope = { namespace, defaultNamespace: call.defaultNamespace };
  // All names are checked before any leave: 400 comes before 403.
  const named = sources?.map((source, i) => resolveSource(source, `sources[${i}]`, scope));
  if (bodyNamespace !== undefined) call.access.requireEntry(namespace);
  return { sources: named ?? (call.world && [call.world]), namespace };
}
