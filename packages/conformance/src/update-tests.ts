import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { expectedQuads, expectIsomorphic } from './dataset-comparison.ts';
import type { ManifestInput } from './manifest-entry.ts';
import { Mismatch } from './mismatch.ts';
import { requestFile } from './query-tests.ts';
import type { SuiteFiles } from './suite-files.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * Runs the update over the test's dataset and compares all of what is there afterwards; an empty
 * graph is no difference.
 */
export const updateEvaluation: TestRunner = async (entry, bench) => {
  const request = requestFile(entry);
  if (!entry.result) throw new Error(`The manifest gives no result for <${entry.iri}>.`);
  const world = await bench.load(entry.action);
  const query = await bench.files.text(request);
  const results = await bench.engine.sparql({ query, sources: [world], baseIri: request });
  if (results !== null) throw new Mismatch('the update was taken for a query');
  expectIsomorphic(await bench.quads(world), await expectedDataset(entry.result, bench.files));
};

async function expectedDataset({ data, graphs }: ManifestInput, files: SuiteFiles): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for (const file of data) quads.push(...(await expectedQuads(file, files)));
  for (const { name, file } of graphs) {
    const graph = dataFactory.namedNode(name);
    for (const { subject, predicate, object } of await expectedQuads(file, files))
      quads.push(dataFactory.quad(subject, predicate, object, graph));
  }
  return quads;
}
