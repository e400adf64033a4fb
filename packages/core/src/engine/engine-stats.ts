import type { NamespaceStorageStats } from '../contracts/storage.ts';
import type { Catalog } from './catalog.ts';
import type { NamespaceCounts } from './namespace-counts.ts';
import type { NamespaceState } from './namespace-state.ts';
import { type NamespaceQuotaUse, type NamespaceUse, namespaceQuotaUse } from './quota-use.ts';
import { contextsOf } from './world-state.ts';

/** What the history of an engine, or of one namespace, keeps. */
export interface HistorySize {
  /** Number of commits that can be undone. */
  readonly commits: number;
  /**
   * Bytes in memory: the kept commits, and the sums of commits that recent requests have made.
   * Deleted quads and terms that the history keeps count in the `bytes` of the namespace.
   */
  readonly bytes: number;
}

/** Sizes of an engine, or of one namespace. */
export interface EngineStats {
  /** Namespaces that were counted. */
  readonly namespaces: number;
  readonly worlds: number;
  readonly quads: number;
  /** Terms in the dictionaries, including unreferenced terms that are not yet compacted. */
  readonly terms: number;
  /**
   * Bytes of columns and dictionaries, without search indexes. For evicted namespaces, as of the
   * eviction.
   */
  readonly bytes: number;
  /** Total bytes in memory, as counted by `maxMemoryBytes`. */
  readonly memoryBytes: number;
  /** What the history keeps; undefined if the engine keeps none. Part of `memoryBytes`. */
  readonly history?: HistorySize;
  /** Size in storage; undefined without storage. */
  readonly storage?: NamespaceStorageStats;
  /**
   * Use of the namespace's quotas; undefined for all namespaces and if the engine has no quotas.
   */
  readonly quotas?: NamespaceQuotaUse;
}

/**
 * Returns the sum of the sizes of the given namespaces; missing ones are skipped. For evicted
 * namespaces, uses the cached counts, so that they need not be reloaded. Those never counted are
 * loaded one after the other, within `maxMemoryBytes`.
 */
export async function engineStats(
  catalog: Catalog,
  names: readonly string[],
  { isOne }: { readonly isOne: boolean },
): Promise<EngineStats> {
  let storage: NamespaceStorageStats | undefined;
  let use: NamespaceUse | undefined;
  let history: HistorySize | undefined;
  const total = { namespaces: 0, worlds: 0, quads: 0, terms: 0, bytes: 0 };
  for (const name of names) {
    const counts = catalog.countsOf(name) ?? (await readCounts(catalog, name));
    if (!counts) continue;
    total.namespaces++;
    total.worlds += counts.worlds;
    total.quads += counts.quads;
    total.terms += counts.terms;
    total.bytes += counts.bytes;
    if (counts.history) {
      const { commits, bytes } = counts.history;
      history = { commits: commits + (history?.commits ?? 0), bytes: bytes + (history?.bytes ?? 0) };
    }
    const kept = await catalog.storageStats(name);
    if (kept) storage = addedUp(storage, kept);
    use = { ...counts.dataSize, worlds: counts.worlds, diskBytes: kept ? kept.logBytes + kept.segmentBytes : 0 };
  }
  const quotas = isOne && use && catalog.quotas ? namespaceQuotaUse(use, catalog.quotas(names[0])) : undefined;
  const memoryBytes = names.reduce((sum, name) => sum + (catalog.inMemory(name)?.byteLength ?? 0), 0);
  return { ...total, memoryBytes, ...(history && { history }), ...(storage && { storage }), ...(quotas && { quotas }) };
}

async function readCounts(catalog: Catalog, name: string): Promise<NamespaceCounts | undefined> {
  const home = await catalog.find(name);
  if (!home) return undefined;
  home.counts = countNamespace(home);
  const { counts } = home;
  await catalog.keepMemoryLimit();
  return counts;
}

function countNamespace(namespace: NamespaceState): NamespaceCounts {
  namespace.expireHistory();
  const { revision, worlds, store, dataSize, history } = namespace;
  let quads = 0;
  for (const state of worlds.values()) {
    for (const context of contextsOf(state)) quads += store.snapshot.countContext(context);
  }
  return {
    revision,
    worlds: worlds.size,
    quads,
    terms: store.dictionary.table.living,
    bytes: store.byteLength,
    dataSize,
    ...(history && { history: { commits: history.length, bytes: history.byteLength } }),
  };
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
