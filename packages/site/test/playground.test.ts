import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, INSTALL_CHROMIUM } from '../../../scripts/chromium.mjs';
import { buildPlayground } from '../src/playground.ts';

if (!CHROMIUM) console.warn(`The playground is not tested in a browser; ${INSTALL_CHROMIUM} installs one.`);

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/**
 * Chromium's message when it joins lines that are edited in place: to keep their looks, it gives
 * them style attributes, which the policy takes away and the editor would overwrite. It has no
 * place, so styles of the page itself are found by {@link reportOwnStyles}.
 */
const EDITED_STYLE = /^Applying inline style violates /;

/** Reports a style that the policy refuses, outside of text that is edited. Runs in the page. */
function reportOwnStyles(): void {
  const { document } = globalThis as unknown as { readonly document: EventTarget };
  document.addEventListener('securitypolicyviolation', (event) => {
    const places = event.composedPath() as readonly { readonly isContentEditable?: boolean }[];
    const isEdited = places.some(({ isContentEditable }) => isContentEditable === true);
    if (event.target !== document && !isEdited) console.error(`The policy refused a style of ${String(places[0])}.`);
  });
}

describe.skipIf(!CHROMIUM)('the playground', () => {
  let folder: string;
  let server: Server;
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const errors: string[] = [];
  let bytes = 0;
  /** When the editor of the console is requested, which is after the first answer. */
  let firstLoad: { bytes: number; requests: number } | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-playground-'));
    await buildPlayground(folder);
    server = createServer((message, outgoing) => {
      const path = message.url === '/' ? '/index.html' : message.url!;
      if (path.startsWith('/part-console-editor')) firstLoad ??= { bytes, requests: requests.length };
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
    page.on('console', (message) => {
      if (message.type() === 'error' && !EDITED_STYLE.test(message.text())) errors.push(message.text());
    });
    await page.addInitScript(reportOwnStyles);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForSelector('html[data-ready]');
    await page.waitForSelector('html[data-editor]');
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
    expect(firstLoad!.bytes).toBeLessThan(400_000);
    expect(firstLoad!.requests).toBeLessThan(8);
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
    await page.fill('.cm-content', 'INSERT DATA { <urn:a> <urn:b> "<b>bold</b>" }');
    for (const box of await page.locator('#worlds input').all()) await box.uncheck();
    await page.check('#worlds input[value=garden]');
    await page.press('.cm-content', 'Control+Enter');
    await expect.poll(status).toMatch(/^1 quad inserted, 0 quads deleted, /);
    await page.fill('.cm-content', 'SELECT ?o { <urn:a> <urn:b> ?o }');
    await page.click('#run');
    await expect.poll(() => cells(1)).toEqual(['<b>bold</b>']);
  });

  it('underlines where a query is wrong, and puts the cursor there when it is run', async () => {
    await page.fill('.cm-content', 'SELECT * {\n  ?s ?p }');
    await expect.poll(() => page.locator('.cm-lintRange-error').allTextContents()).toEqual(['}']);
    await page.click('#run');
    await expect.poll(status).toMatch(/^INVALID_SPARQL: /);
    await page.keyboard.type('?o ');
    expect(await page.locator('.cm-line').allTextContents()).toEqual(['SELECT * {', '  ?s ?p ?o }']);
  });

  it('completes the vocabulary of the chosen worlds, with counts', async () => {
    await page.fill('.cm-content', '');
    await page.locator('.cm-content').pressSequentially('SELECT * { ?plant ex:grows');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await expect.poll(() => options.allTextContents()).toEqual(['ex:growsBeside10']);
  });

  it('has the query and its worlds in its address, and does not run an address by itself', async () => {
    await page.fill('.cm-content', 'SELECT (2 + 3 AS ?sum) {}');
    const other = await browser.newPage();
    other.on('pageerror', (error) => errors.push(String(error)));
    await other.goto(page.url());
    await other.waitForSelector('html[data-editor]');
    expect(await other.textContent('#status')).toMatch(/^This query came with the address/);
    const chosen = (on: Page) =>
      on
        .locator('#worlds input:checked')
        .evaluateAll((boxes) => boxes.map((box) => (box as unknown as { value: string }).value));
    expect(await chosen(other)).toEqual(await chosen(page));
    await other.click('#run');
    await expect.poll(() => other.locator('#result tbody td').allTextContents()).toEqual(['5']);
    await other.close();
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
