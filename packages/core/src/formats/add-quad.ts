import type * as RDF from '@rdfjs/types';
import type { QuadSink } from '../contracts/quad-sink.ts';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * Adds a quad. Rethrows an INVALID_RDF of the sink that has no location through `fail`, which adds
 * the place in the document.
 */
export function addQuad(sink: QuadSink, quad: RDF.Quad, fail: (message: string) => never): void {
  try {
    sink.addQuad(quad);
  } catch (error) {
    if (error instanceof WorldsError && error.code === 'INVALID_RDF' && !error.location) fail(error.message);
    throw error;
  }
}
