import { turns } from '../storage/turns.ts';
import type { BackgroundActivity } from './background-failures.ts';
import type { Catalog } from './catalog.ts';

/**
 * Counters and gauges of an engine, for monitoring. Counters begin at 0 when the engine is opened.
 */
export interface EngineMetrics {
  /** Namespaces that hold a world, in memory or not. */
  readonly namespaces: number;
  readonly namespacesInMemory: number;
  readonly worldsInMemory: number;
  /** What is in memory, in bytes, by part. */
  readonly memoryBytes: EngineMemory;
  /**
   * The memory of requests while they run, in bytes; engines that were given no `memoryPool` share
   * it. `importsWaiting`: imports that wait for the share of imports.
   */
  readonly requestMemory: { readonly usedBytes: number; readonly maxBytes: number; readonly importsWaiting: number };
  /** Pieces of work of this process that wait for a slice of the event loop. */
  readonly waitingTurns: number;
  /** Counter: commits that became visible, of other engines of the same storage too. */
  readonly commits: number;
  /** Counter: checkpoints that were written. */
  readonly checkpoints: number;
  /** Bytes in the logs of namespaces in memory that their last checkpoints do not have. */
  readonly uncheckpointedBytes: number;
  /**
   * Milliseconds for which the oldest commit has been without a checkpoint, of namespaces in
   * memory; since it was read, if it was there before. 0 when every one has them all.
   */
  readonly uncheckpointedMs: number;
  /** Counter: failures of work that no caller waits for. */
  readonly backgroundFailures: Readonly<Record<BackgroundActivity, number>>;
  /** Rows of `engine.health().problems`. */
  readonly problems: number;
}

/** Bytes in memory by what they are for. */
export interface EngineMemory {
  readonly terms: number;
  readonly quads: number;
  readonly search: number;
  readonly vectors: number;
  readonly records: number;
}

/**
 * Reads what is in memory and nothing else: cheap enough for every few seconds, at thousands of
 * namespaces.
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
    const terms = store.dictionary.table.byteLength;
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
