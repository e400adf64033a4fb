import { resolveSource as resolve, type WorldSource } from '@rdf-worlds/core';
import type { WorldName } from './world-name.ts';

/**
 * A WorldSource with everything said, in the form that the engine takes: nothing is left to the
 * engine's own defaults.
 */
export interface NamedWorld extends WorldName {
  readonly write?: boolean;
  readonly schema?: boolean;
}

/** Where a request stands: what sources without a namespace and `_` mean. */
export interface NamespaceScope {
  readonly namespace: string;
  readonly defaultNamespace: string;
}

/**
 * Resolves the three forms of a source. Throws INVALID_ARGUMENT, naming the field, for a malformed
 * name.
 */
export function resolveSource(
  source: WorldSource,
  field: string,
  { namespace, defaultNamespace }: NamespaceScope,
): NamedWorld {
  return resolve(source, { namespace, defaultNamespace, field });
}
