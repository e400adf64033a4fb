import type * as RDF from '@rdfjs/types';
import { Slicer } from '../contracts/slicer.ts';
import { quadKey } from '../model/term-key.ts';

/** Number of quads between two checks of the clock. */
const STRIDE = 256;

/**
 * Returns quads in an order that depends only on their terms. Throws ABORTED if the signal fires.
 */
export async function sortedQuads(quads: Iterable<RDF.Quad>, signal?: AbortSignal): Promise<RDF.Quad[]> {
  const slicer = new Slicer(signal);
  const keyed: { readonly key: string; readonly quad: RDF.Quad }[] = [];
  for (const quad of quads) {
    keyed.push({ key: quadKey(quad), quad });
    if (keyed.length % STRIDE === 0 && slicer.due) await slicer.pause();
  }
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ quad }) => quad);
}
