import type * as RDF from '@rdfjs/types';
import { Slicer } from '../contracts/slicer.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { quadKey } from '../model/term-key.ts';

/** Number of quads between two checks of the clock. */
const STRIDE = 256;

/** Memory of a quad and its terms in bytes, without the characters of its key. */
const QUAD_BYTES = 600;

/**
 * Returns quads in an order that depends only on their terms. Throws ABORTED if the signal fires,
 * and the errors of `memory`, which claims what the quads take.
 */
export async function sortedQuads(
  quads: Iterable<RDF.Quad>,
  signal?: AbortSignal,
  memory?: RequestMemory,
): Promise<RDF.Quad[]> {
  const slicer = new Slicer(signal);
  const keyed: { readonly key: string; readonly quad: RDF.Quad }[] = [];
  for (const quad of quads) {
    const key = quadKey(quad);
    // The characters of the key, and those of the terms.
    memory?.claimMemory(QUAD_BYTES + 4 * key.length);
    keyed.push({ key, quad });
    if (keyed.length % STRIDE === 0 && slicer.due) await slicer.pause();
  }
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ quad }) => quad);
}
