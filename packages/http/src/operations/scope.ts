import type { WorldSource } from '@rdf-worlds/core';
import { resolveNamespace } from '@rdf-worlds/core/internal';
import type { Call } from '../call.ts';
import { HttpError } from '../http-error.ts';
import type { Limits } from '../limits.ts';
import { type NamedWorld, resolveSource } from '../named-world.ts';

/** The scope of a query or search: the worlds it names, or the collection of a namespace. */
export interface Scope {
  /** Undefined for all worlds of the namespace that the caller may read. */
  readonly sources: readonly NamedWorld[] | undefined;
  readonly namespace: string;
}

/** The namespaces that a scope reads. */
export function namespacesOf({ sources, namespace }: Scope): readonly string[] {
  return sources?.map((source) => source.namespace) ?? [namespace];
}

/**
 * Throws `HttpError` 413 if the body names more than `maxSources` sources, before they are
 * validated one by one.
 *
 * @param body the unvalidated body; other problems are reported later
 */
export function requireFewSources(body: unknown, { maxSources }: Limits): void {
  const count = (body as { readonly sources?: readonly unknown[] } | null)?.sources?.length;
  if (count === undefined || count <= maxSources) return;
  throw new HttpError(
    413,
    `maxSources: the body names ${count} sources, more than ${maxSources}; name the namespace to cover all of its worlds, or send several requests.`,
  );
}

/**
 * Resolves the scope of a request. `sources` replaces the world of the path; `namespace` is the
 * namespace of sources that name none, and of the collection. Throws `PERMISSION_DENIED` for a body
 * namespace in which the caller has no grant. The caller must still authorise the sources.
 */
export function resolveScope(
  call: Call,
  sources: readonly WorldSource[] | undefined,
  bodyNamespace: string | undefined,
): Scope {
  const namespace =
    bodyNamespace === undefined ? call.namespace : resolveNamespace(bodyNamespace, call.defaultNamespace, 'namespace');
  const scope = { namespace, defaultNamespace: call.defaultNamespace };
  // Names are validated before any permission: 400 takes precedence over 403.
  const named = sources?.map((source, i) => resolveSource(source, `sources[${i}]`, scope));
  if (bodyNamespace !== undefined) call.access.requireEntry(namespace);
  return { sources: named ?? (call.world && [call.world]), namespace };
}
