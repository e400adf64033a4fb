import type { Catalog } from './catalog.ts';

/** A namespace with at least one world, at one moment. */
export interface NamespaceRecord {
  readonly name: string;
  /**
   * Revision of its latest commit, even if that commit deleted a world. Compare it only for
   * equality, or pass it to `changes`.
   */
  readonly revision: number;
  /** Number of worlds; at least 1. */
  readonly worlds: number;
}

/** Returns the record of a namespace; null if it has no worlds. */
export async function findNamespace(catalog: Catalog, name: string): Promise<NamespaceRecord | null> {
  const home = await catalog.find(name);
  return home && home.worlds.size > 0 ? { name, revision: home.revision, worlds: home.worlds.size } : null;
}
