import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** What a process may take, in bytes. */
export interface MachineMemory {
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
    totalBytes: totalmem(),
    // Node 20 has it; other hosts may not.
    constrainedBytes: globalThis.process?.constrainedMemory?.(),
    heapBytes: getHeapStatistics().heap_size_limit,
  };
}

/** How much the namespaces of an engine may take when nobody says: half of the memory of the process, a third of its JavaScript heap. */
export function defaultMemoryLimits({ totalBytes, constrainedBytes, heapBytes }: MachineMemory): MemoryLimits {
  const bytes = constrainedBytes ? Math.min(totalBytes, constrainedBytes) : totalBytes;
  return { maxBytes: Math.floor(bytes / PART_OF_MEMORY), maxHeapBytes: Math.floor(heapBytes / PART_OF_HEAP) };
}
