import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

describe.skipIf(!executablePath)('the activity of the server in the live view', () => {
  let browser: Browser;
  let server: ConsoleServer;

  beforeAll(async () => {
    browser = await launchBrowser();
    server = await ConsoleServer.start();
    await server.engine.createWorld({ slug: 'open' });
    await server.engine.import({ source: 'open', data: '<urn:s> <urn:p> "a secret" .' });
    const headers = { authorization: `Bearer ${TOKENS.tenant}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ query: 'SELECT * { ?s ?p "a secret" }' });
    await (await fetch(`${server.url}/worlds/open/sparql`, { method: 'POST', headers, body })).text();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it('is shown to admins: health, memory, running requests and slow queries without literals', async () => {
    const watched = await WatchedPage.open(browser, server.url, { ignore: /404/ });
    await watched.signIn(server.url, TOKENS.admin, '#/live');
    const { page } = watched;
    await page.getByText('Healthy').waitFor();
    await page.getByRole('region', { name: 'Health and memory' }).getByText('Search indexes').waitFor();
    // The feed of the view itself.
    await page.getByRole('region', { name: 'Running requests' }).getByText('namespaceChanges').waitFor();
    const slow = page.getByRole('region', { name: 'Slowest queries of the last hour' });
    await slow.getByText('SELECT * { ?s ?p ? }').waitFor();
    await slow.getByText('tim').first().waitFor();
    expect(await page.content()).not.toContain('a secret');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is not shown, nor asked for, by others', async () => {
    const watched = await WatchedPage.open(browser, server.url, { ignore: /404/ });
    const asked: string[] = [];
    watched.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await watched.signIn(server.url, TOKENS.tenant, '#/live');
    await watched.page.getByRole('heading', { name: 'Changes' }).waitFor();
    await expect.poll(() => asked.some((path) => path.endsWith('/changes')), { timeout: 30_000 }).toBe(true);
    expect(await watched.page.getByText('Health and memory').count()).toBe(0);
    expect(asked).not.toContain('/activity');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
