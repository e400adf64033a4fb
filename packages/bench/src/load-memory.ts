import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child-run.ts';
import type { LoadInput } from './load-input.ts';

/** The argument of `load-memory-child`. */
export interface LoadMemoryWork {
  readonly loader: string;
  /** A file with the uncompressed document. */
  readonly path: string;
  readonly contentType: string;
}

/** In bytes; the document itself is in memory before and after. */
export interface LoadMemory {
  readonly loader: string;
  readonly quads: number;
  /** The store's own count, if it has one. */
  readonly bytes?: number;
  /** Growth of the process between the empty and the loaded store. */
  readonly rssGrowth: number;
  /**
   * Growth of JavaScript objects and their memory outside V8's heap, not including WebAssembly
   * memory.
   */
  readonly heldGrowth: number;
  /** Peak size of the process, including the document. */
  readonly peakRss: number;
}

/**
 * Loads a document with each loader in turn, `rounds` times, each time in a fresh process. The
 * processes read uncompressed bytes: unpacking or generating the document there would leave freed
 * pages, which a loader would fill without growth (measured: 171 MiB of them after gunzip, and a
 * growth of 2 B/quad instead of more than 70).
 */
export async function measureLoadMemory(
  loaders: readonly string[],
  { bytes, contentType }: LoadInput,
  rounds: number,
  progress: (message: string) => void,
): Promise<LoadMemory[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-bench-'));
  try {
    const path = join(folder, 'document');
    await writeFile(path, bytes);
    const results: LoadMemory[] = [];
    for (let round = 1; round <= rounds; round++) {
      for (const loader of loaders) {
        progress(`memory, round ${round} of ${rounds}: ${loader}`);
        const work: LoadMemoryWork = { loader, path, contentType };
        results.push(await runChild<LoadMemory>('load-memory-child', work));
      }
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns false if the growth cannot be right: if the store holds more than the process grew by, it
 * filled pages that were already free.
 */
export function isPlausible({ bytes, rssGrowth }: LoadMemory): boolean {
  return rssGrowth > 0 && (bytes === undefined || rssGrowth >= bytes);
}
