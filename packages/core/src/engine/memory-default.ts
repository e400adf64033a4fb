import { totalmem } from 'node:os';
import { MemoryPool } from '../model/memory-pool.ts';

/** What a process may take, in bytes. */
export interface MachineMemory {
  /** Infinity where the host does not tell; likewise the heap. */
  readonly totalBytes: number;
  /** Of the cgroup; undefined or more than `totalBytes` where there is no such limit. */
  readonly constrainedBytes: number | undefined;
  /** At which V8 ends the process. Columns, dictionaries and indexes are not in this heap. */
  readonly heapBytes: number;
}

export interface MemoryLimits {
  /** For everything that namespaces hold. */
  readonly maxBytes: number;
  /** For their JavaScript objects alone. */
  readonly maxHeapBytes: number;
}

/**
 * The rest is for queries and their results, for merges and checkpoints under way, and for the rest
 * of the process.
 */
const PART_OF_MEMORY = 2;
const PART_OF_HEAP = 3;
/**
 * The same for the requests of a process together: their rows and new terms are not in the heap,
 * their strings and values are.
 */
const REQUEST_PART_OF_MEMORY = 4;
const REQUEST_PART_OF_HEAP = 2;

export function machineMemory(): MachineMemory {
  return {
    totalBytes: figure(totalmem) ?? Number.POSITIVE_INFINITY,
    // Node 20 has it; other hosts may not.
    constrainedBytes: figure(() => globalThis.process?.constrainedMemory?.()),
    // Not imported: Cloudflare Workers have no node:v8, and a missing module cannot be caught.
    heapBytes:
      figure(() => globalThis.process?.getBuiltinModule?.('node:v8')?.getHeapStatistics().heap_size_limit) ??
      Number.POSITIVE_INFINITY,
  };
}

/**
 * A figure of the host; undefined if it has none or keeps it to itself, as Deno does without
 * --allow-sys.
 */
function figure(read: () => number | undefined): number | undefined {
  try {
    return read() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * How much the namespaces of an engine may take when nobody says: half of the memory of the
 * process, a third of its JavaScript heap.
 */
export function defaultMemoryLimits({ totalBytes, constrainedBytes, heapBytes }: MachineMemory): MemoryLimits {
  const bytes = memoryOf({ totalBytes, constrainedBytes });
  return { maxBytes: Math.floor(bytes / PART_OF_MEMORY), maxHeapBytes: Math.floor(heapBytes / PART_OF_HEAP) };
}

/**
 * What all requests of a process may take together: a quarter of its memory, and no more than half
 * of its JavaScript heap.
 */
export function defaultPoolBytes({ totalBytes, constrainedBytes, heapBytes }: MachineMemory): number {
  const bytes = memoryOf({ totalBytes, constrainedBytes });
  return Math.floor(Math.min(bytes / REQUEST_PART_OF_MEMORY, heapBytes / REQUEST_PART_OF_HEAP));
}

let processPool: MemoryPool | undefined;

/**
 * The pool of this process: the requests of all its engines draw on it, but for those with a pool
 * of their own.
 */
export function processMemoryPool(): MemoryPool {
  processPool ??= new MemoryPool(defaultPoolBytes(machineMemory()));
  return processPool;
}

function memoryOf({ totalBytes, constrainedBytes }: Omit<MachineMemory, 'heapBytes'>): number {
  return constrainedBytes ? Math.min(totalBytes, constrainedBytes) : totalBytes;
}
