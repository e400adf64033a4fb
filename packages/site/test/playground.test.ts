import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPlayground } from '../src/playground.ts';
import { CHROMIUM } from './chromium.ts';

if (!CHROMIUM) console.warn('The playground is not tested in a browser: there is no chromium here.');

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

describe.skipIf(!CHROMIUM)('the playground', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const errors: string[] = [];
  let bytes = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-playground-'));
    await buildPlayground(folder);
    server = createServer((message, outgoing) => {
      const path = message.url === '/' ? '/index.html' : message.url!;
      const body = gzipSync(readFileSync(join(folder, path)));
      bytes += body.length;
      outgoing.writeHead(200, { 'content-type': TYPES[extname(path)], 'content-encoding': 'gzip' });
      outgoing.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    page = await browser.newPage();
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForSelector('html[data-ready]');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    rmSync(folder, { recursive: true, force: true });
  });

  const status = () => page.textContent('#status');
  const cells = (column: number) => page.locator(`#result tbody td:nth-child(${column})`).allTextContents();
  const settled = () => expect.poll(status).not.toBe('Running.');

  it('has answered its first query after 400 kB and few requests, all of its own origin', async () => {
    expect(await status()).toMatch(/^10 rows, /);
    expect((await cells(1)).sort()[0]).toBe('Ada');
    expect(bytes).toBeLessThan(400_000);
    expect(requests.length).toBeLessThan(8);
    expect(requests.filter((url) => !url.startsWith('http://127.0.0.1:'))).toEqual([]);
  });

  it('runs each of its examples', async () => {
    for (const option of await page.locator('#example option').all()) {
      const title = (await option.textContent())!;
      await page.selectOption('#example', { label: title });
      await settled();
      expect([title, await status()]).toEqual([title, expect.stringMatching(/^[1-9]\d* (?:rows?|triples?), /)]);
    }
  });

  it('runs what is written with Ctrl+Enter, updates too', async () => {
    await page.fill('textarea', 'INSERT DATA { <urn:a> <urn:b> "<b>bold</b>" }');
    for (const box of await page.locator('#worlds input').all()) await box.uncheck();
    await page.check('#worlds input[value=garden]');
    await page.press('textarea', 'Control+Enter');
    await expect.poll(status).toMatch(/^1 quad inserted, 0 quads deleted, /);
    await page.fill('textarea', 'SELECT ?o { <urn:a> <urn:b> ?o }');
    await page.click('#run');
    await expect.poll(() => cells(1)).toEqual(['<b>bold</b>']);
  });

  it('shows where a query is wrong', async () => {
    await page.fill('textarea', 'SELECT * {\n  ?s ?p }');
    await page.click('#run');
    await expect.poll(status).toMatch(/^INVALID_SPARQL: /);
    const start = await page.$eval(
      'textarea',
      (area) => (area as unknown as { selectionStart: number }).selectionStart,
    );
    expect('SELECT * {\n  ?s ?p }'.slice(start)).toBe('}');
  });

  it('searches as words are typed', async () => {
    await page.fill('#words', 'basket weaving by the water');
    await expect.poll(async () => (await cells(3))[0]).toMatch(/woven into baskets/);
  });

  it('imports a file', async () => {
    const buffer = Buffer.from('<urn:porto> <urn:name> "Porto"@pt .\n');
    await page.setInputFiles('#file', { name: 'My places.nt', mimeType: 'application/n-triples', buffer });
    await expect.poll(status).toMatch(/^1 quads imported, /);
    expect(await page.locator('#worlds li').allTextContents()).toContainEqual(expect.stringContaining('My places.nt'));
  });

  it('had no errors on the way', () => {
    expect(errors).toEqual([]);
  });
});
