import type { Catalog } from './catalog.ts';

/** A namespace that holds worlds, at one moment. */
export interface NamespaceRecord {
  readonly name: string;
  /**
   * Its revision: that of its latest commit, also if that deleted a world. Compare it for equality
   * only, and pass it to `changes`.
   */
  readonly revision: number;
  /** How many worlds it holds; at least 1. */
  readonly worlds: number;
}

/** The record of a namespace; null if it holds no world. */
export async function findNamespace(catalog: Catalog, name: string): Promise<NamespaceRecord | null> {
  const home = await catalog.find(name);
  return home && home.worlds.size > 0 ? { name, revision: home.revision, worlds: home.worlds.size } : null;
}
