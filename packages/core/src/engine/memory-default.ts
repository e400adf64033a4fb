import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

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

/** The rest is for queries and their results, for merges and checkpoints under way, and for the rest of the process. */
const PART_OF_MEMORY = 2;
const PART_OF_HEAP = 3;

export function machineMemory(): MachineMemory {
  return {
    totalBytes: figure(totalmem) ?? Number.POSITIVE_INFINITY,
    // Node 20 has it; other hosts may not.
    constrainedBytes: figure(() => globalThis.process?.constrainedMemory?.()),
    heapBytes: figure(() => getHeapStatistics().heap_size_limit) ?? Number.POSITIVE_INFINITY,
  };
}

/** A figure of the host; undefined if it has none or keeps it to itself, as Deno does without --allow-sys. */
function figure(read: () => number | undefined): number | undefined {
  try {
    return read() || undefined;
  } catch {
    return undefined;
  }
}

/** How much the namespaces of an engine may take when nobody says: half of the memory of the process, a third of its JavaScript heap. */
export function defaultMemoryLimits({ totalBytes, constrainedBytes, heapBytes }: MachineMemory): MemoryLimits {
  const bytes = constrainedBytes ? Math.min(totalBytes, constrainedBytes) : totalBytes;
  return { maxBytes: Math.floor(bytes / PART_OF_MEMORY), maxHeapBytes: Math.floor(heapBytes / PART_OF_HEAP) };
}
