import type { Catalog } from './catalog.ts';
import type { Consistency } from './engine-requests.ts';
import type { WorldSource } from './world.ts';

/**
 * Brings the namespaces that a request names to their heads if it asks for the latest state.
 * Returns undefined if there is nothing to wait for.
 *
 * @param sources undefined for all worlds of `namespace`
 */
export function upToDate(
  catalog: Catalog,
  {
    consistency,
    signal,
  }: { readonly consistency?: Consistency | undefined; readonly signal?: AbortSignal | undefined },
  sources: readonly WorldSource[] | undefined,
  namespace?: string | undefined,
): Promise<void> | undefined {
  if (consistency !== 'latest' || !catalog.isShared) return undefined;
  const name = catalog.namespaceName(namespace);
  const names = sources?.map((source) => catalog.sources.resolve(source, name).namespace) ?? [name];
  return catalog.catchUp([...new Set(names)], signal);
}
