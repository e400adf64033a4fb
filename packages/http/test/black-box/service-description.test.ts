import { comunicaEngine } from '@rdf-worlds/comunica';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTriples } from '../../../conformance/src/http-exchange.ts';
import { serviceDescriptionTest } from '../../../conformance/src/service-description-tests.ts';
import { expectServiceSchema } from '../../../conformance/src/service-schema.ts';
import { SuiteFiles } from '../../../conformance/src/suite-files.ts';
import { TestBench } from '../../../conformance/src/test-bench.ts';
import { ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { PUBLIC_URL, type RunningServer, startServer } from './running-server.ts';

const SUITE = 'http://www.w3.org/2009/sparql/docs/tests/data-sparql11/service-description/manifest#';

describe('W3C, SPARQL 1.1 Service Description', () => {
  let engine: WorldsEngine;
  beforeAll(async () => {
    engine = await WorldsEngine.open({ sparql: comunicaEngine(), textIndex: null });
  });
  afterAll(() => engine.close());

  it.each([
    ['GET on endpoint returns RDF', 'returns-rdf'],
    ['Service description contains a matching sd:endpoint triple', 'has-endpoint-triple'],
    ['Service description conforms to schema', 'conforms-to-schema'],
  ])('%s', async (name, id) => {
    // Its manifest names no file, so that none of the suite is needed.
    const bench = new TestBench(engine, new SuiteFiles('suites'));
    const input = { data: [], graphs: [] };
    try {
      await serviceDescriptionTest({ iri: SUITE + id, name, type: '', action: input, options: new Map() }, bench);
    } finally {
      await bench.dispose();
    }
  });

  it.each([
    ['an unknown property', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:endpont <#e> .'],
    ['an unknown class', '<#s> a sd:Service, sd:Servic ; sd:endpoint <#e> .'],
    ['an unknown feature', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:feature sd:Magic .'],
    ['a literal endpoint', '<#s> a sd:Service ; sd:endpoint "e" .'],
    ['no endpoint', '<#s> a sd:Service .'],
    ['two services', '<#s> a sd:Service ; sd:endpoint <#e> . <#t> a sd:Service .'],
    ['a language that is a feature', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:feature sd:SPARQL11Query .'],
    ['a graph where a dataset belongs', '<#s> a sd:Service ; sd:endpoint <#e> ; sd:defaultDataset [ a sd:Graph ] .'],
  ])('the check of the schema finds %s', (_, turtle) => {
    const prefix = '@prefix sd: <http://www.w3.org/ns/sparql-service-description#> . ';
    expect(() => expectServiceSchema(readTriples(prefix + turtle, 'text/turtle', 'http://example.org/'))).toThrow();
  });
});

describe('the description of a caller', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer();
    for (const [namespace, slug] of [
      ['alpha', 'ada'],
      ['alpha', 'shared'],
      ['beta', 'vault'],
    ]) {
      await server.engine.createWorld({ namespace, slug });
      const source = `${namespace}/${slug}`;
      await server.engine.import({ source, data: `<urn:s> <urn:p> "o" <urn:graph:${slug}> .\n` });
    }
  });
  afterAll(() => server.close());

  it.each(FAMILIES)('names the graphs that the caller may read, and no others: $name', async (family) => {
    for (const [path, graphs] of [
      [`${family.worlds('alpha')}/sparql`, ['ada', 'shared']],
      [`${family.worlds('alpha')}/ada/sparql`, ['ada']],
    ] as const) {
      const { text } = await ask(server, { method: 'POST', path, as: 'alice', json: {} });
      const named = ['ada', 'shared', 'vault'].filter((slug) => text.includes(`urn:graph:${slug}`));
      expect(named).toEqual(graphs);
      expect(text).toContain(`${PUBLIC_URL}/`);
    }
    const path = '/namespaces/alpha/worlds/sparql';
    const { text } = await ask(server, { method: 'POST', path, as: 'carol', json: {} });
    expect(text).not.toContain('urn:graph:ada');
  });
});
