// RDF Worlds in Hono, on Node: WORLDS_TOKEN=... PORT=3000 node --import tsx examples/hosts/hono.ts
import { createServer } from 'node:http';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { Hono } from 'hono';

export const engine = await WorldsEngine.open();
const worlds = createWorldsHandler(engine, {
  authenticate: staticTokens([{ token: process.env.WORLDS_TOKEN ?? '', namespace: 'acme' }]),
  basePath: '/api',
  baseUrl: process.env.WORLDS_URL ?? 'http://localhost:3000/api',
});

const app = new Hono();
app.get('/', (context) => context.text('The host itself.'));
// The request as it came: no middleware before this may have read its body.
app.all('/api/*', (context) => worlds(context.req.raw));

// On Bun, Deno and Workers `app.fetch` is all that is needed. On Node any listener for fetch
// handlers will do, ours too.
export const server = createServer(nodeListener(async (request) => app.fetch(request)));
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
