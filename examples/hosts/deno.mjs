// RDF Worlds in Deno: WORLDS_TOKEN=... PORT=3000 deno run --allow-net --allow-env --allow-read
// examples/hosts/deno.mjs
import process from 'node:process';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';

export const engine = await WorldsEngine.open();
const worlds = createWorldsHandler(engine, {
  authenticate: staticTokens([{ token: process.env.WORLDS_TOKEN ?? '', namespace: 'acme' }]),
  basePath: '/api',
  baseUrl: process.env.WORLDS_URL ?? 'http://localhost:3000/api',
});

// Says `Listening on ...` by itself.
Deno.serve({ port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }, (request) => {
  const { pathname } = new URL(request.url);
  return pathname.startsWith('/api/') ? worlds(request) : new Response('The host itself.');
});
