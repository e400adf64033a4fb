import { runChild } from './child-run.ts';
import type { LoadInputChoice } from './load-input.ts';

/** The work of `load-memory-child`. */
export interface LoadMemoryWork {
  readonly loader: string;
  readonly input: LoadInputChoice;
}

/** Bytes; the document itself is in memory before and after. */
export interface LoadMemory {
  readonly quads: number;
  /** What the process holds more with the loaded store than before. */
  readonly rssGrowth: number;
  /** The most that the process held at any time, the document included. */
  readonly peakRss: number;
  readonly documentBytes: number;
}

/** Loads a document in a process of its own: what an earlier load left behind would hide the growth. */
export async function measureLoadMemory(work: LoadMemoryWork): Promise<LoadMemory> {
  return runChild<LoadMemory>('load-memory-child', work);
}
