import type { WorldSource } from '@rdf-worlds/core';
import { resolveSource as resolve } from '@rdf-worlds/core/internal';
import type { WorldName } from './world-name.ts';

/** A fully resolved WorldSource, as the engine takes it, so that no engine default applies. */
export interface NamedWorld extends WorldName {
  readonly write?: boolean;
  readonly schema?: boolean;
}

/** The namespaces that a request refers to: of sources without one, and of `_`. */
export interface NamespaceScope {
  readonly namespace: string;
  readonly defaultNamespace: string;
}

/**
 * Resolves any of the three forms of a source. Throws `INVALID_ARGUMENT` with the field for a
 * malformed name.
 */
export function resolveSource(
  source: WorldSource,
  field: string,
  { namespace, defaultNamespace }: NamespaceScope,
): NamedWorld {
  return resolve(source, { namespace, defaultNamespace, field });
}
