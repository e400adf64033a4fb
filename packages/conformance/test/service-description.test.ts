import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTriples } from '../src/http-exchange.ts';
import { Mismatch } from '../src/mismatch.ts';
import { serviceDescriptionTest } from '../src/service-description-tests.ts';
import { expectServiceSchema } from '../src/service-schema.ts';
import { TestBench } from '../src/test-bench.ts';
import { memoryFiles } from './fixture/memory-files.ts';

const SUITE = 'http://www.w3.org/2009/sparql/docs/tests/data-sparql11/service-description/manifest#';

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
});
afterAll(() => engine.close());

async function run(id: string): Promise<void> {
  // The manifest of the suite names no file, so that nothing of the suites is needed.
  const bench = new TestBench(engine, memoryFiles(new Map()));
  const action = { data: [], graphs: [] };
  try {
    await serviceDescriptionTest({ iri: SUITE + id, name: id, type: '', action, options: new Map() }, bench);
  } finally {
    await bench.dispose();
  }
}

it.each([
  ['GET on endpoint returns RDF', 'returns-rdf'],
  ['Service description contains a matching sd:endpoint triple', 'has-endpoint-triple'],
  ['Service description conforms to schema', 'conforms-to-schema'],
])('%s', async (_, id) => {
  await run(id);
});

it('a test without a check is an error', async () => {
  await expect(run('sings-a-song')).rejects.toThrow(/CHECKS/);
});

const PREFIX = '@prefix sd: <http://www.w3.org/ns/sparql-service-description#> . ';
const schemaOf = (turtle: string) =>
  expectServiceSchema(readTriples(PREFIX + turtle, 'text/turtle', 'http://example.org/'));

it.each([
  '<#s> a sd:Service ; sd:endpoint <#e> .',
  '<#s> a sd:Service ; sd:endpoint <#e> ; sd:supportedLanguage sd:SPARQL11Query ; sd:feature sd:EmptyGraphs .',
  '<#s> a sd:Service ; sd:endpoint <#e> ; sd:defaultDataset [ a sd:Dataset ; sd:namedGraph [ a sd:NamedGraph ; sd:name <urn:g> ] ] .',
])('the check of the schema lets pass: %s', (turtle) => {
  schemaOf(turtle);
});

it.each([
  ['an unknown property', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:endpont <#e> .'],
  ['an unknown class', '<#s> a sd:Service, sd:Servic ; sd:endpoint <#e> .'],
  ['an unknown feature', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:feature sd:Magic .'],
  ['a literal endpoint', '<#s> a sd:Service ; sd:endpoint "e" .'],
  ['no endpoint', '<#s> a sd:Service .'],
  ['no service', '<#s> sd:endpoint <#e> .'],
  ['two services', '<#s> a sd:Service ; sd:endpoint <#e> . <#t> a sd:Service .'],
  ['a language that is a feature', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:feature sd:SPARQL11Query .'],
  ['a graph where a dataset belongs', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:defaultDataset [ a sd:Graph ] .'],
])('the check of the schema finds %s', (_, turtle) => {
  expect(() => schemaOf(turtle)).toThrow(Mismatch);
});
