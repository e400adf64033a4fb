import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { graphStoreTest } from '../src/graph-store-tests.ts';
import type { ManifestEntry } from '../src/manifest-entry.ts';
import { protocolTest } from '../src/protocol-tests.ts';
import { TestBench } from '../src/test-bench.ts';
import type { TestRunner } from '../src/test-runner.ts';
import { RDF_TESTS } from '../src/vocabulary.ts';
import { memoryFiles } from './fixture/memory-files.ts';

const SUITE = `${RDF_TESTS}sparql/sparql11/`;
const PREFIXES = `
  @prefix mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#> .
  @prefix ut: <http://www.w3.org/2009/sparql/tests/test-update#> .
  @prefix cnt: <http://www.w3.org/2011/content#> .
  @prefix ht: <http://www.w3.org/2011/http#> .
  @prefix hts: <http://www.w3.org/2011/http-statusCodes#> .
  @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
`;
const PROTOCOL = `
  <#test> ut:graphData [ ut:graph <data.nt> ; rdfs:label "urn:g" ] ;
    mf:action [ ht:requests (
      [ ht:methodName "GET" ; ht:absolutePath "/sparql/?query=ASK%7B%7D&default-graph-uri=urn%3Ag" ;
        ht:resp [ mf:expectedStatus hts:OK ; mf:expectedFormat "boolean" ] ]
      [ ht:methodName "POST" ; ht:absolutePath "/sparql/" ;
        ht:headers ( [ ht:fieldName "Content-Type" ; ht:fieldValue "application/sparql-query" ] ) ;
        ht:body [ cnt:chars "ASK { GRAPH <urn:g> { <urn:s> <urn:p> 1 } }" ; cnt:characterEncoding "UTF-8" ] ;
        ht:resp [ mf:expectedStatus hts:OK ; mf:expectedBoolean "EXPECTED" ] ] ) ] .
`;
const GRAPH_STORE = `
  <#test> mf:action [ ht:requests (
      [ ht:methodName "PUT" ; ht:absolutePath "/gsp?graph=urn%3Ag" ;
        ht:headers ( [ ht:fieldName "Content-Type" ; ht:fieldValue "text/turtle" ] ) ;
        ht:body [ cnt:chars "[] <urn:p> 1 ." ; cnt:characterEncoding "UTF-8" ] ;
        ht:resp [ mf:expectedStatus hts:Created ] ]
      [ ht:methodName "GET" ; ht:absolutePath "/gsp?graph=urn%3Ag" ;
        ht:resp [ mf:expectedStatus hts:OK ;
          ht:headers ( [ ht:fieldName "Content-Type" ; ht:fieldValue "text/turtle" ] ) ;
          ht:body [ cnt:chars "_:x <urn:p> EXPECTED ." ; cnt:characterEncoding "UTF-8" ] ] ] ) ] .
`;

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
});
afterEach(() => engine.close());

async function run(runner: TestRunner, manifest: string, text: string): Promise<void> {
  const contents = new Map([
    [manifest, PREFIXES + text],
    [`${SUITE}graph-store-protocol/manifest-direct.ttl`, PREFIXES],
    [`${SUITE}protocol/data.nt`, '<urn:s> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .'],
  ]);
  const bench = new TestBench(engine, memoryFiles(contents));
  const entry: ManifestEntry = {
    iri: `${manifest}#test`,
    name: 'a test',
    type: 'urn:type',
    action: { data: [], graphs: [] },
    options: new Map(),
  };
  try {
    await runner(entry, bench);
  } finally {
    await bench.dispose();
  }
}

describe.each([
  ['protocol', protocolTest, `${SUITE}protocol/manifest.ttl`, PROTOCOL, 'true', 'false', /expected false, got true/],
  [
    'graph store',
    graphStoreTest,
    `${SUITE}graph-store-protocol/manifest-indirect.ttl`,
    GRAPH_STORE,
    '1',
    '2',
    /request 2.*expected 1 rows, got 1/,
  ],
] as const)('a test of the %s', (_, runner, manifest, text, right, wrong, message) => {
  it('passes where the service does what the manifest says', async () => {
    await run(runner, manifest, text.replace('EXPECTED', right));
    expect(await engine.listWorlds()).toEqual([]);
  });

  it('fails where it does not', async () => {
    await expect(run(runner, manifest, text.replace('EXPECTED', wrong))).rejects.toThrow(message);
    expect(await engine.listWorlds()).toEqual([]);
  });
});
