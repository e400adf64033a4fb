// RDF Worlds in Fastify: WORLDS_TOKEN=... PORT=3000 node --import tsx examples/hosts/fastify.ts
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import fastify from 'fastify';

export const engine = await WorldsEngine.open();
const listener = nodeListener(
  createWorldsHandler(engine, {
    authenticate: staticTokens([{ token: process.env.WORLDS_TOKEN ?? '', namespace: 'acme' }]),
    basePath: '/api',
    baseUrl: process.env.WORLDS_URL ?? 'http://localhost:3000/api',
  }),
);

const app = fastify();
app.get('/', async () => 'The host itself.');
await app.register(
  async (scope) => {
    // Bodies stay unread here: the service reads them itself, after it has looked at who asks.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.all('/*', (request, reply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    });
  },
  { prefix: '/api' },
);

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
export const { server } = app;
