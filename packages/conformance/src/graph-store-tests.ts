import { withHttpEndpoint } from './http-endpoint.ts';
import { runExchange } from './http-exchange.ts';
import { readHttpTest } from './http-manifest.ts';
import type { TestRunner } from './test-runner.ts';
import { RDF_TESTS } from './vocabulary.ts';

const MANIFESTS = ['direct', 'indirect'].map(
  (identification) => `${RDF_TESTS}sparql/sparql11/graph-store-protocol/manifest-${identification}.ttl`,
);

/**
 * Sends the requests of a test of SPARQL 1.1 Graph Store HTTP Protocol to the graph store of a new
 * world.
 */
export const graphStoreTest: TestRunner = async (entry, bench) => {
  const test = await readHttpTest(entry.iri, MANIFESTS, bench.files);
  const world = await bench.world();
  await withHttpEndpoint(bench.engine, (endpoint) =>
    runExchange(test, endpoint, { published: '/gsp', served: `/worlds/${world}/graphs` }),
  );
};
