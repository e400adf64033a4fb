import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from './child-run.ts';
import type { LoadInput } from './load-input.ts';

/** The work of `load-memory-child`. */
export interface LoadMemoryWork {
  readonly loader: string;
  /** A file of the document's plain bytes. */
  readonly path: string;
  readonly contentType: string;
}

/** Bytes; the document itself is in memory before and after. */
export interface LoadMemory {
  readonly loader: string;
  readonly quads: number;
  /** What the store says that it uses, if it says so. */
  readonly bytes?: number;
  /** What the process holds more with the loaded store than before. */
  readonly rssGrowth: number;
  /**
   * Of JavaScript objects and what they keep outside of V8's heap; the memory of WebAssembly is not
   * in it.
   */
  readonly heldGrowth: number;
  /** The most that the process held at any time, the document included. */
  readonly peakRss: number;
}

/**
 * Loads a document with each loader in turn, `rounds` times, each time in a process of its own.
 * They read plain bytes: unpacking or generating the document there would leave freed pages in the
 * process, which a loader would fill without any growth (measured: 171 MiB of them after gunzip,
 * and a growth of 2 B/quad where it is above 70).
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
 * Whether a growth can be true: a store that holds more than the process grew by has filled pages
 * that were free before.
 */
export function isPlausible({ bytes, rssGrowth }: LoadMemory): boolean {
  return rssGrowth > 0 && (bytes === undefined || rssGrowth >= bytes);
}
