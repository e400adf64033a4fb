import { memory } from '#platform';
import { MemoryPool } from '../model/memory-pool.ts';

/** Memory available to the process, in bytes. */
export interface MachineMemory {
  /** Infinity if the host does not report it; likewise `heapBytes`. */
  readonly totalBytes: number;
  /** Limit of the cgroup; undefined or more than `totalBytes` if there is none. */
  readonly constrainedBytes: number | undefined;
  /**
   * Heap size at which V8 aborts the process. Columns, dictionaries and indexes are outside this
   * heap.
   */
  readonly heapBytes: number;
}

export interface MemoryLimits {
  /** Limit for everything that namespaces hold, in bytes. */
  readonly maxBytes: number;
  /** Limit for their JavaScript objects, in bytes. */
  readonly maxHeapBytes: number;
}

/**
 * Namespaces get 1/2 of the memory and 1/3 of the heap. The rest is for queries and their results,
 * for running merges and checkpoints, and for the rest of the process.
 */
const PART_OF_MEMORY = 2;
const PART_OF_HEAP = 3;
/**
 * All requests together get at most 1/4 of the memory and 1/2 of the heap. Their rows and new terms
 * are outside the heap, their strings and values inside.
 */
const REQUEST_PART_OF_MEMORY = 4;
const REQUEST_PART_OF_HEAP = 2;

export function machineMemory(): MachineMemory {
  return {
    totalBytes: figure(memory.total) ?? Number.POSITIVE_INFINITY,
    constrainedBytes: figure(memory.constrained),
    heapBytes: figure(memory.heap) ?? Number.POSITIVE_INFINITY,
  };
}

/**
 * Reads a figure from the host. Undefined if the host lacks it or denies access, as Deno does
 * without --allow-sys.
 */
function figure(read: () => number | undefined): number | undefined {
  try {
    return read() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the default memory limit of an engine: half of the process's memory, and a third of its
 * JavaScript heap for objects.
 */
export function defaultMemoryLimits({ totalBytes, constrainedBytes, heapBytes }: MachineMemory): MemoryLimits {
  const bytes = memoryOf({ totalBytes, constrainedBytes });
  return { maxBytes: Math.floor(bytes / PART_OF_MEMORY), maxHeapBytes: Math.floor(heapBytes / PART_OF_HEAP) };
}

/**
 * Returns the default size of the request pool: a quarter of the process's memory, and at most half
 * of its JavaScript heap.
 */
export function defaultPoolBytes({ totalBytes, constrainedBytes, heapBytes }: MachineMemory): number {
  const bytes = memoryOf({ totalBytes, constrainedBytes });
  return Math.floor(Math.min(bytes / REQUEST_PART_OF_MEMORY, heapBytes / REQUEST_PART_OF_HEAP));
}

let processPool: MemoryPool | undefined;

/** Returns the pool of this process, shared by all engines without a pool of their own. */
export function processMemoryPool(): MemoryPool {
  processPool ??= new MemoryPool(defaultPoolBytes(machineMemory()));
  return processPool;
}

function memoryOf({ totalBytes, constrainedBytes }: Omit<MachineMemory, 'heapBytes'>): number {
  return constrainedBytes ? Math.min(totalBytes, constrainedBytes) : totalBytes;
}
