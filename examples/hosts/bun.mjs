// RDF Worlds in Bun: WORLDS_TOKEN=... PORT=3000 bun examples/hosts/bun.mjs
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';

export const engine = await WorldsEngine.open();
const worlds = createWorldsHandler(engine, {
  authenticate: staticTokens([{ token: process.env.WORLDS_TOKEN ?? '', namespace: 'acme' }]),
  basePath: '/api',
  baseUrl: process.env.WORLDS_URL ?? 'http://localhost:3000/api',
});

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  hostname: '127.0.0.1',
  fetch(request) {
    const { pathname } = new URL(request.url);
    return pathname.startsWith('/api/') ? worlds(request) : new Response('The host itself.');
  },
});
console.log(`Listening on ${server.url}`);
