import { expectedQuads, expectIsomorphic } from './dataset-comparison.ts';
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

/** The runners of one RDF syntax, by the infix of its test types: `rdft:Test<Syntax>Eval` and so on. */
export function rdfRunners(syntax: string): ReadonlyMap<string, TestRunner> {
  return new Map([
    [`${RDFT}Test${syntax}PositiveSyntax`, rdfPositiveSyntax],
    [`${RDFT}Test${syntax}NegativeSyntax`, rdfNegativeSyntax],
    [`${RDFT}Test${syntax}Eval`, rdfEvaluation],
  ]);
}
