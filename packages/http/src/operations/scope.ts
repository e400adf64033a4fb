import { resolveNamespace, type WorldSource } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { HttpError } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import { type NamedWorld, resolveSource } from '../named-world.ts';

/** What a query or a search is over: the worlds that it names, or the collection of a namespace. */
export interface Scope {
  /** Undefined: the worlds of the namespace that the caller may read. */
  readonly sources: readonly NamedWorld[] | undefined;
  readonly namespace: string;
}

/**
 * Refuses a body with more sources than may be, before they are looked at one by one.
 *
 * @param body as it was sent; what is wrong with it otherwise is found later
 */
export function requireFewSources(body: unknown, { maxSources }: Limits): void {
  const count = (body as { readonly sources?: readonly unknown[] } | null)?.sources?.length;
  if (count === undefined || count <= maxSources) return;
  throw new HttpError(
    413,
    `maxSources: the body names ${count} sources, more than ${maxSources}; ask for all worlds of a namespace, or in several requests.`,
  );
}

/**
 * `sources` replaces the world of the path; `namespace` says where sources without one live, and
 * which collection is meant. Throws PERMISSION_DENIED for a namespace in which the caller has no
 * grant; the sources are still to be authorised.
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
