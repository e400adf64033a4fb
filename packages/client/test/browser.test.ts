import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM as executablePath, INSTALL_CHROMIUM } from '../../../scripts/chromium.mjs';
import type * as Client from '../src/index.ts';
import { browserBundle } from './browser-bundle.ts';
import { type RunningServer, startServer } from './running-server.ts';

if (!executablePath) console.warn(`The client is not tested in a browser; ${INSTALL_CHROMIUM} installs one.`);

/** Runs in the page, with the module of the client. */
type InPage<Result> = (module: typeof Client, server: { url: string; token: string }) => Promise<Result>;

describe.skipIf(!executablePath)('in a browser, on a page of another origin', () => {
  let server: RunningServer;
  let pages: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const bundle = await browserBundle();
    pages = createServer((message, outgoing) => {
      const isModule = message.url === '/client.js';
      outgoing.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html' });
      outgoing.end(isModule ? bundle : '<!doctype html><title>A page</title>');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const origin = `http://localhost:${(pages.address() as AddressInfo).port}`;
    server = await startServer({ cors: { origins: [origin] } });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    page = await browser.newPage();
    await page.goto(origin);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    pages?.closeAllConnections();
    await new Promise((resolve) => (pages ? pages.close(resolve) : resolve(undefined)));
  });

  async function inPage<Result>(run: InPage<Result>): Promise<Result> {
    const { url, token } = server;
    const program = `import('/client.js').then((module) => (${run.toString()})(module, ${JSON.stringify({ url, token })}))`;
    return page.evaluate(program) as Promise<Result>;
  }

  it('worlds are created, filled, queried, searched, updated and exported', async () => {
    const seen = await inPage(async ({ dataFactory, sparql, WorldsClient }, server) => {
      const { literal, namedNode, quad } = dataFactory;
      const worlds = new WorldsClient(server);
      const { revision } = await worlds.createWorld({ slug: 'page', label: 'Of a page' });
      const text = await worlds.import({
        source: 'page',
        contentType: 'text/turtle',
        data: '<urn:porto> <urn:name> "Porto"@pt, "𝄞 é" .',
        ifRevision: revision,
      });
      const quads = [quad(namedNode('urn:oulu'), namedNode('urn:name'), literal('Oulu', 'fi'))];
      await worlds.import({ source: 'page', data: quads });
      const lines = Array.from({ length: 5000 }, (_, i) => `<urn:${i}> <urn:n> "${i}" .\n`);
      await worlds.import({ source: 'page', data: new Blob(lines).stream() });
      const gzip = new Blob(['<urn:z> <urn:name> "zipped" .\n']).stream().pipeThrough(new CompressionStream('gzip'));
      await worlds.import({ source: 'page', data: gzip });
      const name = 'Oulu';
      const rows = await worlds.select({
        sources: ['page'],
        query: sparql`SELECT ?s ?o { ?s <urn:name> ?o FILTER(STR(?o) = ${name}) }`,
      });
      const numbers = await worlds.select({ sources: ['page'], query: 'SELECT ?n { ?s <urn:n> ?n }' });
      let count = 0;
      for await (const row of numbers) if (row.has('n')) count++;
      const updated = await worlds.update({ sources: ['page'], query: 'DELETE WHERE { ?s <urn:n> ?n }' });
      const [hit] = await worlds.search({ query: 'porto', sources: ['page'] });
      const document = new TextDecoder().decode(await worlds.export({ source: 'page' }));
      return {
        inserted: text.inserted,
        rows: await rows.objects(),
        count,
        deleted: updated.deleted,
        hit: [hit.object, hit.ftsRank, hit.world.label],
        lines: document.split('\n').sort(),
      };
    });
    expect(seen).toEqual({
      inserted: 2,
      rows: [{ s: 'urn:oulu', o: 'Oulu' }],
      count: 5000,
      deleted: 5000,
      hit: ['Porto', 1, 'Of a page'],
      lines: [
        '',
        '<urn:oulu> <urn:name> "Oulu"@fi .',
        '<urn:porto> <urn:name> "Porto"@pt .',
        '<urn:porto> <urn:name> "𝄞 é" .',
        '<urn:z> <urn:name> "zipped" .',
      ],
    });
  });

  it('errors have their codes and details', async () => {
    const codes = await inPage(async ({ WorldsClient, WorldsError }, server) => {
      const worlds = new WorldsClient(server);
      await worlds.createWorld({ slug: 'errors', ifExists: 'return' });
      const sources = ['errors'];
      const controller = new AbortController();
      controller.abort();
      const calls = [
        worlds.ask({ sources, query: 'ASK {\n!' }),
        worlds.export({ source: 'nowhere' }),
        worlds.updateWorld({ source: 'errors', label: 'x', ifRevision: 0 }),
        worlds.import({ source: 'errors', data: new URL('file:///etc/hostname') }),
        worlds.ask({ sources, query: 'ASK {}', signal: controller.signal }),
        new WorldsClient({ ...server, token: 'wrong' }).listWorlds(),
        new WorldsClient({ url: 'http://127.0.0.1:1', retry: { retries: 0 } }).listWorlds(),
      ];
      const results = await Promise.allSettled(calls);
      return results.map((result) => {
        const { reason } = result as PromiseRejectedResult;
        return reason instanceof WorldsError ? [reason.code, reason.location?.line] : [String(reason)];
      });
    });
    expect(codes).toEqual([
      ['INVALID_SPARQL', 2],
      ['NOT_FOUND', undefined],
      ['CONFLICT', undefined],
      ['INVALID_ARGUMENT', undefined],
      ['ABORTED', undefined],
      ['UNAUTHENTICATED', undefined],
      ['UNAVAILABLE', undefined],
    ]);
  });
});
