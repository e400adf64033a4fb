import type { QuadSink } from '../contracts/quad-sink.ts';
import { LineParser } from './line-parser.ts';
import type { ReadOptions } from './rdf-format.ts';
import { readLines } from './read-lines.ts';

/**
 * Reads N-Quads (RDF 1.1 N-Quads), with triple terms as in RDF 1.2. Strict: violations of the
 * grammar are INVALID_RDF with line and column, columns counted in bytes. Holds no more than the
 * longest line in memory.
 */
export function readNQuads(chunks: AsyncIterable<Uint8Array>, sink: QuadSink, options: ReadOptions): Promise<void> {
  return readLines(chunks, new LineParser(sink, true, options.limits), options);
}

/** Like {@link readNQuads}, for N-Triples: a graph label is an error. */
export function readNTriples(chunks: AsyncIterable<Uint8Array>, sink: QuadSink, options: ReadOptions): Promise<void> {
  return readLines(chunks, new LineParser(sink, false, options.limits), options);
}
