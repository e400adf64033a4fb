import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import { describeRowDifference, Mismatch } from './mismatch.ts';
import { rowsMatch } from './row-matching.ts';
import type { SuiteFiles } from './suite-files.ts';
import { quadRows } from './term-cells.ts';

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['ttl', 'text/turtle'],
  ['trig', 'application/trig'],
  ['nt', 'application/n-triples'],
  ['nq', 'application/n-quads'],
]);

/** Throws a {@link Mismatch} unless the datasets are isomorphic. */
export function expectIsomorphic(actual: Iterable<RDF.Quad>, expected: Iterable<RDF.Quad>): void {
  const actualRows = quadRows(actual);
  const expectedRows = quadRows(expected);
  if (!rowsMatch(expectedRows, actualRows)) throw new Mismatch(describeRowDifference(expectedRows, actualRows));
}

/**
 * The quads of an expected result, read by n3 and not by the engine: a defect of ours must not
 * cancel itself out.
 */
export async function expectedQuads(file: string, files: SuiteFiles): Promise<RDF.Quad[]> {
  const format = FORMATS.get(file.slice(file.lastIndexOf('.') + 1));
  if (!format) throw new Error(`No reader is known for the expected result <${file}>; add its extension to FORMATS.`);
  return new Parser({ baseIRI: file, format }).parse(await files.text(file)) as RDF.Quad[];
}
