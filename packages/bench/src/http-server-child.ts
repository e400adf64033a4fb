import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { childWork } from './child-run.ts';
import { HTTP_NAMESPACE, HTTP_TOKEN, httpWorlds } from './http-mix.ts';
import type { HttpServerKind, HttpServerUsage } from './http-server-process.ts';
import { settledMemory } from './settled-memory.ts';

/** As long as the service's answer. */
const ECHOED = JSON.stringify({ slug: 'w0', namespace: HTTP_NAMESPACE, createdAt: Date.now(), updatedAt: Date.now() });

const LISTENERS: Readonly<Record<HttpServerKind, () => RequestListener | Promise<RequestListener>>> = {
  'RDF Worlds': worlds,
  'node:http echo': () => (message, response) => {
    if (message.method === 'GET') {
      response.setHeader('content-type', 'application/json');
      response.end(ECHOED);
    } else message.pipe(response);
  },
};

async function worlds(): Promise<RequestListener> {
  const engine = await WorldsEngine.open({ textIndex: minisearchIndex() });
  for (const { slug, data } of httpWorlds()) {
    await engine.createWorld({ slug, namespace: HTTP_NAMESPACE });
    await engine.import({ source: { slug, namespace: HTTP_NAMESPACE }, data });
  }
  const authenticate = staticTokens([{ token: HTTP_TOKEN, namespace: HTTP_NAMESPACE }]);
  return nodeListener(createWorldsHandler(engine, { authenticate }));
}

const server = createServer(await LISTENERS[childWork<HttpServerKind>()]());
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

process.on('message', async ({ settle }: { settle: boolean }) => {
  const { user, system } = process.cpuUsage();
  const { rss } = settle ? await settledMemory() : process.memoryUsage();
  const usage: HttpServerUsage = { rss, cpuMs: (user + system) / 1000 };
  process.send!(usage);
});
process.on('disconnect', () => process.exit(0));
process.send!({ port: (server.address() as AddressInfo).port });
