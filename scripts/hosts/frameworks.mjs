import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HTTP_DONE, serveAndCheck } from './served.mjs';

/** Returns statements that open an engine and create a router for it. */
const routerOn = (directory) => `import { WorldsEngine } from '@rdf-worlds/core';
import { staticTokens } from '@rdf-worlds/http';
import { worldsRouter } from '@rdf-worlds/http/express';
import { fileStorage } from '@rdf-worlds/storage-file';

const engine = await WorldsEngine.open({ storage: fileStorage({ path: '${directory}' }) });
const router = worldsRouter(engine, {
  authenticate: staticTokens([{ token: process.env.WORLDS_TOKEN, namespace: 'acme' }]),
  baseUrl: 'http://localhost:3000/api',
});
`;

const express = (major, ci) => ({
  name: `Express ${major}`,
  ci,
  install: [`express@^${major}`],
  version: 'express',
  does: '`worldsRouter` on a durable engine: the HTTP round',
  async run(workshop) {
    const program = `import express from 'express';
${routerOn('express-data')}
const app = express();
app.use('/api', router);
app.get('/', (request, response) => void response.send('The host itself.'));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
`;
    workshop.write({ 'express.mjs': program });
    return [await serveAndCheck(workshop, process.execPath, ['express.mjs'])];
  },
  done: HTTP_DONE,
});

const NEST = `import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
${routerOn('nest-data')}
class AppModule {}
Module({})(AppModule); // the decorator, in JavaScript
const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.use('/api', router);
app.use((request, response, next) => (request.url === '/' ? response.end('The host itself.') : next()));
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
`;

const NEXT_ROUTE = `import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { fileStorage } from '@rdf-worlds/storage-file';

let worlds;
const handler = (request) => {
  // On the first request, not when the module loads: a build loads it too.
  worlds ??= createWorldsHandler(WorldsEngine.open({ storage: fileStorage({ path: process.env.WORLDS_DATA }) }), {
    authenticate: staticTokens([{ token: process.env.WORLDS_TOKEN, namespace: 'acme' }]),
    basePath: '/api',
    baseUrl: 'http://localhost:3000/api',
  });
  return worlds(request);
};
export { handler as DELETE, handler as GET, handler as HEAD, handler as OPTIONS, handler as POST, handler as PUT };
`;

export const FRAMEWORKS = [
  express(5, true),
  express(4, false),
  {
    name: 'NestJS',
    install: [
      '@nestjs/core@^11',
      '@nestjs/common@^11',
      '@nestjs/platform-express@^11',
      'reflect-metadata@^0.2',
      'rxjs@^7',
    ],
    version: '@nestjs/core',
    does: '`worldsRouter` as middleware on a durable engine: the HTTP round',
    settings: '`app.use("/api", router)` before `app.listen`',
    async run(workshop) {
      workshop.write({ 'nest.mjs': NEST });
      return [await serveAndCheck(workshop, process.execPath, ['nest.mjs'])];
    },
    done: HTTP_DONE,
  },
  {
    name: 'Next, route handler',
    install: ['next@^16', 'react@^19', 'react-dom@^19'],
    version: 'next',
    does: '`next build`, which must not create the data directory; `next start` on a durable engine: the HTTP round',
    settings: 'open the engine on the first request, because `next build` loads every module',
    async run(workshop) {
      const data = join(workshop.folder, 'next-data');
      const root = JSON.stringify(workshop.folder);
      workshop.write({
        'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;\n',
        'app/route.js': "export const GET = () => new Response('The host itself.');\n",
        'app/api/[...path]/route.js': NEXT_ROUTE,
        'next.config.mjs': `export default { outputFileTracingRoot: ${root}, turbopack: { root: ${root} } };\n`,
      });
      const env = { WORLDS_DATA: data, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
      await workshop.node([workshop.bin('next'), 'build'], { env });
      if (existsSync(data)) throw new Error(`next build opened an engine: it created ${data}.`);
      const start = ['start', '--port', '0', '--hostname', '127.0.0.1'];
      return [await serveAndCheck(workshop, process.execPath, [workshop.bin('next'), ...start], env)];
    },
    done: HTTP_DONE,
  },
];
