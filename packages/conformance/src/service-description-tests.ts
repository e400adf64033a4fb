import type * as RDFJS from '@rdfjs/types';
import { expectIsomorphic } from './dataset-comparison.ts';
import { type HttpEndpoint, withHttpEndpoint } from './http-endpoint.ts';
import { readTriples } from './http-exchange.ts';
import { Mismatch } from './mismatch.ts';
import { expectServiceSchema } from './service-schema.ts';
import type { TestBench } from './test-bench.ts';
import type { TestRunner } from './test-runner.ts';

const SD = 'http://www.w3.org/ns/sparql-service-description#';

/** Media types that are read by the engine, since n3 does not. */
const OTHER_TYPES = ['application/rdf+xml', 'application/ld+json'];

/** The manifest gives each test a name and no action: what the name says is done here. */
const CHECKS: ReadonlyMap<string, (endpoint: HttpEndpoint, path: string, bench: TestBench) => Promise<void>> = new Map([
  ['returns-rdf', returnsRdf],
  ['has-endpoint-triple', hasEndpointTriple],
  ['conforms-to-schema', conformsToSchema],
]);

/** Asks the endpoint of a world for its description (SPARQL 1.1 Service Description section 2). */
export const serviceDescriptionTest: TestRunner = async (entry, bench) => {
  const check = CHECKS.get(entry.iri.slice(entry.iri.indexOf('#') + 1));
  if (!check) throw new Error(`No check is known for <${entry.iri}>; add it to CHECKS.`);
  const world = await bench.world();
  const name = 'http://example.org/graph';
  await bench.engine.sparql({
    query: `INSERT DATA { <urn:s> <urn:p> 1 GRAPH <${name}> { <urn:s> <urn:p> 2 } }`,
    sources: [world],
    baseIri: name,
  });
  await withHttpEndpoint(bench.engine, (endpoint) => check(endpoint, `/worlds/${world}/sparql`, bench));
};

async function description(endpoint: HttpEndpoint, path: string): Promise<RDFJS.Quad[]> {
  const { status, body, mediaType } = await endpoint.ask({ method: 'GET', path });
  if (status !== 200) throw new Mismatch(`expected a status of 200, got ${status}`);
  return readTriples(body.toString('utf8'), mediaType, endpoint.origin + path);
}

/** "GET on endpoint returns RDF": in every format that is asked for, and the same in all. */
async function returnsRdf(endpoint: HttpEndpoint, path: string, bench: TestBench): Promise<void> {
  const expected = await description(endpoint, path);
  if (expected.length === 0) throw new Mismatch('the description is empty');
  for (const accept of ['text/turtle', 'application/trig']) {
    const { mediaType, body } = await endpoint.ask({ method: 'GET', path, headers: [['accept', accept]] });
    if (mediaType !== accept) throw new Mismatch(`expected ${accept}, got ${mediaType}`);
    expectIsomorphic(readTriples(body.toString('utf8'), mediaType, endpoint.origin + path), expected);
  }
  for (const accept of OTHER_TYPES) {
    const { mediaType, body } = await endpoint.ask({ method: 'GET', path, headers: [['accept', accept]] });
    if (mediaType !== accept) throw new Mismatch(`expected ${accept}, got ${mediaType}`);
    const scratch = await bench.world();
    await bench.engine.import({ source: scratch, data: body, contentType: accept, baseIri: endpoint.origin + path });
    expectIsomorphic(await bench.quads(scratch), expected);
  }
}

/** "Service description contains a matching sd:endpoint triple": the address that was asked. */
async function hasEndpointTriple(endpoint: HttpEndpoint, path: string): Promise<void> {
  const endpoints = (await description(endpoint, path)).filter(({ predicate }) => predicate.value === `${SD}endpoint`);
  const found = endpoints.map(({ object }) => object.value);
  if (!found.includes(endpoint.origin + path))
    throw new Mismatch(`expected sd:endpoint <${endpoint.origin}${path}>, got ${found.join(', ') || 'none'}`);
}

/** "Service description conforms to schema". */
async function conformsToSchema(endpoint: HttpEndpoint, path: string): Promise<void> {
  expectServiceSchema(await description(endpoint, path));
}
