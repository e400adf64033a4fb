import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { afterAll, beforeAll, beforeEach } from 'vitest';

const TOKEN = 'a-token-of-a-client-4be1';
export const NAMESPACE = 'alpha';
/** What clients send to come in. */
export const AUTHORIZATION = `Bearer ${TOKEN}`;
/** From where pages in a browser may ask. */
export const PAGE_ORIGIN = 'https://yasgui.example';

/** The two families of routes: below a namespace, and in the caller's own. */
export const FAMILIES = [
  { family: 'below a namespace', worlds: `/namespaces/${NAMESPACE}/worlds` },
  { family: "in the caller's own namespace", worlds: '/worlds' },
] as const;

export const SELECT = 'SELECT ?o { ?s ?p ?o } ORDER BY STR(?o)';
export const CONSTRUCT = 'CONSTRUCT { ?s <urn:q> ?o } WHERE { ?s ?p ?o }';

const DOCUMENT = '<urn:s> <urn:p> "d" .\n<urn:s> <urn:p> "hallo"@de .\n<urn:s> <urn:p> "1" <urn:g1> .\n';
const SLUGS = ['ada', 'bea'];

/** A running service, as clients find it: on a port of the loopback, with an engine as it comes. */
export interface Endpoint {
  readonly origin: string;
  readonly engine: WorldsEngine;
  /** What a world holds, as N-Quads. */
  data(slug?: string): Promise<string>;
}

/**
 * For the tests of one file, with the worlds `ada` and `bea` as new before each: the same document
 * in both.
 */
export function testEndpoint(): Endpoint {
  const server = createServer();
  let origin: string;
  let engine: WorldsEngine;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    engine = await WorldsEngine.open();
    const handler = createWorldsHandler(engine, {
      authenticate: staticTokens([{ token: TOKEN, namespace: NAMESPACE }]),
      baseUrl: origin,
      cors: { origins: [PAGE_ORIGIN] },
    });
    server.on('request', nodeListener(handler));
  });
  beforeEach(async () => {
    for (const slug of SLUGS) {
      const source = { namespace: NAMESPACE, slug };
      if (await engine.getWorld({ source })) await engine.deleteWorld({ source });
      await engine.createWorld(source);
      await engine.import({ source, data: DOCUMENT });
    }
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await engine.close();
  });

  return {
    get origin() {
      return origin;
    },
    get engine() {
      return engine;
    },
    data: async (slug = 'ada') =>
      new TextDecoder().decode(await engine.export({ source: { namespace: NAMESPACE, slug } })),
  };
}

/** All items of a stream. */
export async function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
