import type * as RDF from '@rdfjs/types';
import { WorldsError } from '../model/worlds-error.ts';
import type { QuadSink } from '../storage/quad-sink.ts';

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
