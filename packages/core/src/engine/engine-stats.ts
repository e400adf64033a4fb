import type { NamespaceStorageStats } from '../storage/storage.ts';
import type { Catalog } from './catalog.ts';

export interface EngineStats {
  readonly namespaces: number;
  readonly worlds: number;
  readonly quads: number;
  /** Terms in the dictionaries, with those that no quad uses any more and no compaction has freed yet. */
  readonly terms: number;
  /** Bytes of the columns and dictionaries, without indexes for search. */
  readonly bytes: number;
  /** Bytes of everything that is in memory: what counts against `maxMemoryBytes`. */
  readonly memoryBytes: number;
  /** What the storage keeps; undefined without storage. */
  readonly storage?: NamespaceStorageStats;
}

/** How much is in these namespaces together; those that are not there any more count nothing. */
export async function engineStats(catalog: Catalog, names: readonly string[]): Promise<EngineStats> {
  let storage: NamespaceStorageStats | undefined;
  const total = { namespaces: 0, worlds: 0, quads: 0, terms: 0, bytes: 0, memoryBytes: 0 };
  for (const name of names) {
    const home = await catalog.find(name);
    if (!home) continue;
    total.namespaces++;
    total.worlds += home.worlds.size;
    total.terms += home.store.dictionary.table.living;
    total.bytes += home.store.byteLength;
    total.memoryBytes += home.byteLength;
    const kept = await catalog.storageStats(name);
    if (kept) storage = addedUp(storage, kept);
    for (const { graphs } of home.worlds.values()) {
      for (const context of [graphs.defaultContext, ...graphs.contexts]) {
        total.quads += home.store.snapshot.countContext(context);
      }
    }
  }
  return { ...total, ...(storage && { storage }) };
}

function addedUp(a: NamespaceStorageStats | undefined, b: NamespaceStorageStats): NamespaceStorageStats {
  if (!a) return b;
  return {
    logBytes: a.logBytes + b.logBytes,
    logRecords: a.logRecords + b.logRecords,
    segmentBytes: a.segmentBytes + b.segmentBytes,
    segments: a.segments + b.segments,
  };
}
