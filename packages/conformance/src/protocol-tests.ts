import { withHttpEndpoint } from './http-endpoint.ts';
import { runExchange } from './http-exchange.ts';
import { readHttpTest } from './http-manifest.ts';
import type { TestRunner } from './test-runner.ts';
import { RDF_TESTS } from './vocabulary.ts';

const MANIFESTS = [`${RDF_TESTS}sparql/sparql11/protocol/manifest.ttl`];

/**
 * Sends the requests of a test of SPARQL 1.1 Protocol to the endpoint of a world that holds the
 * test's graphs.
 */
export const protocolTest: TestRunner = async (entry, bench) => {
  const test = await readHttpTest(entry.iri, MANIFESTS, bench.files);
  const world = await bench.load({ data: [], graphs: test.graphs });
  await withHttpEndpoint(bench.engine, (endpoint) =>
    runExchange(test, endpoint, { published: '/sparql/', served: `/worlds/${world}/sparql` }),
  );
};
