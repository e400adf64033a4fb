import { expectedQuads, expectIsomorphic } from './dataset-comparison.ts';
import { Mismatch } from './mismatch.ts';
import { expectRejection } from './test-bench.ts';
import { inputFile, type TestRunner } from './test-runner.ts';
import { RDFT } from './vocabulary.ts';

/** The document is imported without an error. */
export const rdfPositiveSyntax: TestRunner = async (entry, bench) => {
  await bench.import(await bench.world(), inputFile(entry, 'action'));
};

/** The document is refused as INVALID_RDF, and leaves nothing behind. */
export const rdfNegativeSyntax: TestRunner = async (entry, bench) => {
  const world = await bench.world();
  await expectRejection(bench.import(world, inputFile(entry, 'action')), 'INVALID_RDF');
  expectIsomorphic(await bench.quads(world), []);
};

/** The document becomes a dataset that is isomorphic to the result. */
export const rdfEvaluation: TestRunner = async (entry, bench) => {
  const world = await bench.world();
  await bench.import(world, inputFile(entry, 'action'));
  expectIsomorphic(await bench.quads(world), await expectedQuads(inputFile(entry, 'result'), bench.files));
};

/**
 * The lines of the canonical form of the world are those of the result, byte by byte. The canonical
 * form of a document has no order of lines, that of a dataset has.
 */
export const rdfCanonicalForm: TestRunner = async (entry, bench) => {
  const world = await bench.world();
  await bench.import(world, inputFile(entry, 'action'));
  const { document } = await bench.engine.canonicalize({ source: world });
  const sortedLines = (text: string) => text.split('\n').sort().join('\n');
  const written = sortedLines(new TextDecoder().decode(document));
  const expected = sortedLines(await bench.files.text(inputFile(entry, 'result')));
  if (written !== expected)
    throw new Mismatch(`expected ${JSON.stringify(expected)}, found ${JSON.stringify(written)}`);
};

/**
 * The runners of one RDF syntax, by the infix of its test types: `rdft:Test<Syntax>Eval` and so on.
 */
export function rdfRunners(syntax: string): ReadonlyMap<string, TestRunner> {
  return new Map([
    [`${RDFT}Test${syntax}PositiveSyntax`, rdfPositiveSyntax],
    [`${RDFT}Test${syntax}NegativeSyntax`, rdfNegativeSyntax],
    [`${RDFT}Test${syntax}Eval`, rdfEvaluation],
    [`${RDFT}Test${syntax}PositiveC14N`, rdfCanonicalForm],
  ]);
}
