import { QuadBatch, WANT_OBJECT, WANT_PREDICATE, WANT_SUBJECT } from '../contracts/quad-batch.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { LineWriter } from './line-writer.ts';
import type { WriteOptions } from './rdf-format.ts';

const BATCH_ROWS = 512;

/**
 * Writes a dataset as canonical N-Quads lines, directly from the stored bytes, in chunks of about
 * 64 KiB.
 */
export function writeNQuads(
  source: QuadSource,
  terms: TermBytesSource,
  options: WriteOptions,
): AsyncIterable<Uint8Array> {
  return writeGraphs(source, [DEFAULT_GRAPH, ...source.graphs], terms, options);
}

/** Like {@link writeNQuads}, for N-Triples: writes only the default graph. */
export function writeNTriples(
  source: QuadSource,
  terms: TermBytesSource,
  options: WriteOptions,
): AsyncIterable<Uint8Array> {
  return writeGraphs(source, [DEFAULT_GRAPH], terms, options);
}

async function* writeGraphs(
  source: QuadSource,
  graphs: readonly TermId[],
  terms: TermBytesSource,
  { slicer }: WriteOptions,
): AsyncIterable<Uint8Array> {
  const lines = new LineWriter(terms);
  const cursor = source.cursor();
  const batch = new QuadBatch(BATCH_ROWS, WANT_SUBJECT | WANT_PREDICATE | WANT_OBJECT);
  for (const graph of graphs) {
    cursor.seek(NO_TERM, NO_TERM, NO_TERM, graph);
    while (cursor.next(batch) > 0) {
      for (let row = 0; row < batch.length; ) {
        row = lines.write(batch, row, graph);
        for (let chunk = lines.takeFull(); chunk; chunk = lines.takeFull()) yield chunk;
        if (slicer.due) await slicer.pause();
      }
    }
  }
  const last = lines.takeRest();
  if (last.length > 0) yield last;
}
