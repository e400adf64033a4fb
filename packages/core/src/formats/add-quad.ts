import type * as RDF from '@rdfjs/types';
import { WorldsError } from '../model/worlds-error.ts';
import type { QuadSink } from '../storage/quad-sink.ts';

/** Adds a quad, and gives an error of the sink the place in the document that it has not got. */
export function addQuad(sink: QuadSink, quad: RDF.Quad, fail: (message: string) => never): void {
  try {
    sink.addQuad(quad);
  } catch (error) {
    if (error instanceof WorldsError && error.code === 'INVALID_RDF' && !error.location) fail(error.message);
    throw error;
  }
}
