import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

describe.skipIf(!executablePath)('the live view', () => {
  let browser: Browser;
  let server: ConsoleServer;
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await ConsoleServer.start();
    await server.engine.createWorld({ slug: 'people' });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const insert = (name: string, { engine } = server) =>
    engine.update({ sources: ['people'], query: `INSERT DATA { <urn:${name}> <urn:is> "new" }` });
  const changes = (page: Page) => page.getByRole('region', { name: 'Changes' });
  const entries = (page: Page) => changes(page).locator('.changes > li');

  it('is connected once the server has answered, not before', async () => {
    const watched = await WatchedPage.open(browser, server.url);
    const { page } = watched;
    let answer: (() => Promise<void>) | undefined;
    await page.route('**/changes?*', (route) => {
      answer = () => route.continue();
    });
    const asked = page.waitForRequest(/\/changes\?/);
    await watched.signIn(server.url, TOKENS.tenant, '#/live');
    await asked;
    await changes(page).getByText('Connecting').waitFor();
    expect(await changes(page).getByText('Connected').count()).toBe(0);
    await expect.poll(() => answer).toBeDefined();
    await answer!();
    await changes(page).getByText('Connected').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('counts all changes, shows the last 200, and asks for the numbers rarely', async () => {
    const watched = await WatchedPage.open(browser, server.url);
    const { page } = watched;
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/stats')) asked++;
    });
    await watched.signIn(server.url, TOKENS.tenant, '#/live');
    await changes(page).getByText('Connected').waitFor();
    for (let i = 0; i < 250; i++) {
      await insert(`many-${i}`);
      // So that they do not all arrive before the view is drawn.
      if (i % 5 === 4)
        await changes(page)
          .getByRole('heading', { name: `Changes ${i + 1}`, exact: true })
          .waitFor();
    }
    await changes(page).getByText('The last 200 are shown.').waitFor();
    expect(await entries(page).count()).toBe(200);
    const { quads } = (await server.engine.stats({ namespace: 'acme' })) as { quads: number };
    await page.locator('.numbers').getByText(String(quads), { exact: true }).waitFor();
    // The view was drawn 50 times at least.
    expect(asked).toBeLessThan(25);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('receives changes while it is paused, and shows them afterwards', async () => {
    const watched = await WatchedPage.open(browser, server.url);
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.tenant, '#/live');
    await changes(page).getByText('Connected').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await insert('while-paused');
    await changes(page).getByText('1 new').waitFor();
    expect(await entries(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => entries(page).count()).toBe(1);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('says that changes were missed, and continues with the next ones', async () => {
    const small = await ConsoleServer.start({}, { retainChangesBytes: 1_000 });
    await small.engine.createWorld({ slug: 'people' });
    const watched = await WatchedPage.open(browser, small.url, { ignore: /ERR_|Failed to load/ });
    const { page } = watched;
    await watched.signIn(small.url, TOKENS.tenant, '#/live');
    await changes(page).getByText('Connected').waitFor();
    await insert('before', small);
    await expect.poll(() => entries(page).count()).toBe(1);
    await small.hangUp();
    await changes(page).getByText('Connecting').waitFor();
    for (let i = 0; i < 50; i++) await insert(`missed-${i}`, small);
    await small.listen();
    await changes(page).getByText('Some changes were missed: the server no longer keeps them.').waitFor();
    await changes(page).getByText('Connected').waitFor();
    await insert('after', small);
    await expect.poll(() => entries(page).count()).toBe(3);
    expect(await entries(page).first().innerText()).toContain('+1');
    await watched.close();
    await small.close();
  });

  it('waits for the first world of a namespace', async () => {
    const watched = await WatchedPage.open(browser, server.url, { ignore: /40[34]/ });
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.reader, '#/live');
    await changes(page).getByText('The namespace has no world yet.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await server.engine.createWorld({ namespace: 'rita', slug: 'first' });
    await changes(page).getByText('Connected').waitFor();
    const sources = [{ namespace: 'rita', slug: 'first' }];
    await server.engine.update({ sources, query: 'INSERT DATA { <urn:a> <urn:is> "new" }' });
    await expect.poll(() => entries(page).count()).toBe(1);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
