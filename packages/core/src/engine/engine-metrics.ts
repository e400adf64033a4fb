import { turns } from '../contracts/turns.ts';
import type { BackgroundActivity } from './background-failures.ts';
import type { Catalog } from './catalog.ts';

/**
 * Counters and gauges of an engine, for monitoring. Counters start at 0 when the engine is opened.
 */
export interface EngineMetrics {
  /** Namespaces with at least one world, in memory or not. */
  readonly namespaces: number;
  readonly namespacesInMemory: number;
  readonly worldsInMemory: number;
  /** Memory of loaded namespaces, in bytes, by purpose. */
  readonly memoryBytes: EngineMemory;
  /**
   * Memory of running requests, in bytes, and the number of imports that wait for the imports'
   * share of it. Shared by all engines that have no `memoryPool` of their own.
   */
  readonly requestMemory: { readonly usedBytes: number; readonly maxBytes: number; readonly importsWaiting: number };
  /** Tasks of this process that wait for a slice of the event loop. */
  readonly waitingTurns: number;
  /** Counter: commits that became visible, including those of other engines of the same storage. */
  readonly commits: number;
  /** Counter: checkpoints written. */
  readonly checkpoints: number;
  /** Bytes in the logs of loaded namespaces after their last checkpoints. */
  readonly uncheckpointedBytes: number;
  /**
   * Age in milliseconds of the oldest commit without a checkpoint, in loaded namespaces; measured
   * from its reading if it was recovered. 0 if there is none.
   */
  readonly uncheckpointedMs: number;
  /** Counter: failures of background work. */
  readonly backgroundFailures: Readonly<Record<BackgroundActivity, number>>;
  /** Number of entries in `engine.health().problems`. */
  readonly problems: number;
}

/** Memory in bytes, by purpose. */
export interface EngineMemory {
  /** Dictionaries: the texts of terms, and their index. */
  readonly terms: number;
  /** Columns of quads, and indexes derived from them. */
  readonly quads: number;
  /** Text and vector indexes, and the commits that they do not contain yet. */
  readonly search: number;
  /** With storage: vectors of texts, kept so that they are embedded only once. */
  readonly vectors: number;
  /** Records of worlds, such as their labels. */
  readonly records: number;
}

/**
 * Returns the metrics of an engine. Reads only memory: fast enough for every few seconds with
 * thousands of namespaces.
 */
export function engineMetrics(catalog: Catalog): EngineMetrics {
  const memoryBytes = { terms: 0, quads: 0, search: 0, vectors: 0, records: 0 };
  let namespacesInMemory = 0;
  let worldsInMemory = 0;
  let uncheckpointedBytes = 0;
  let uncheckpointedMs = 0;
  const now = catalog.clock();
  for (const { store, search, worlds, recordByteLength, durability } of catalog.inMemoryNow()) {
    namespacesInMemory++;
    worldsInMemory += worlds.size;
    const terms = store.dictionary.byteLength;
    memoryBytes.terms += terms;
    memoryBytes.quads += store.byteLength - terms;
    memoryBytes.search += search.byteLength;
    memoryBytes.vectors += durability?.vectors.byteLength ?? 0;
    memoryBytes.records += recordByteLength;
    if (!durability) continue;
    const { checkpointer } = durability;
    uncheckpointedBytes += checkpointer.logBytes;
    const since = checkpointer.logSinceMs;
    if (since !== undefined) uncheckpointedMs = Math.max(uncheckpointedMs, now - since);
  }
  const { memoryPool, counters, failures } = catalog;
  return {
    namespaces: catalog.names().length,
    namespacesInMemory,
    worldsInMemory,
    memoryBytes,
    requestMemory: {
      usedBytes: memoryPool.usedBytes,
      maxBytes: memoryPool.maxBytes,
      importsWaiting: memoryPool.imports.waitingImports,
    },
    waitingTurns: turns.depth,
    commits: counters.commits,
    checkpoints: counters.checkpoints,
    uncheckpointedBytes,
    uncheckpointedMs,
    backgroundFailures: { ...failures.counts },
    problems: failures.health.problems.length,
  };
}

/** A namespace in memory. */
export interface NamespaceInMemory {
  readonly namespace: string;
  readonly worlds: number;
  readonly revision: number;
  /** As counted by `maxMemoryBytes`. */
  readonly memoryBytes: number;
}

/** Returns the namespaces in memory, largest first. */
export function namespacesInMemory(catalog: Catalog): NamespaceInMemory[] {
  return Array.from(catalog.inMemoryNow(), ({ name, worlds, revision, byteLength }) => {
    return { namespace: name, worlds: worlds.size, revision, memoryBytes: byteLength };
  }).sort((a, b) => b.memoryBytes - a.memoryBytes);
}
