import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

describe.skipIf(!executablePath)('links to share', () => {
  let browser: Browser;
  let server: ConsoleServer;
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await ConsoleServer.start();
    for (const slug of ['rows', 'classes']) await server.engine.createWorld({ slug });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(place: string, context: Parameters<typeof WatchedPage.open>[2] = {}) {
    const watched = await WatchedPage.open(browser, server.url, context);
    await watched.page.addInitScript("localStorage['rdf-worlds.of.ada.worlds'] ??= 'acme/rows'");
    await watched.signIn(server.url, TOKENS.admin, place);
    return watched;
  }
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Query editor' });

  it('hold a search or a query with its worlds', async () => {
    const context = { permissions: ['clipboard-read', 'clipboard-write'] };
    const watched = await open('#/search?q=nothing', context);
    const { page } = watched;
    await page.getByText('Nothing matches').waitFor();
    expect(page.url()).toContain('worlds=acme%2Frows');
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByText('Copied.').waitFor();
    const link = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(link).toBe(`${server.url}/console/#/search?q=nothing&worlds=acme%2Frows`);
    // Opened in a page that shows another search of other worlds.
    await watched.go('#/search?q=other&worlds=acme%2Fclasses');
    await page.getByRole('link', { name: 'classes' }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('other');
    expect(await page.getByRole('link', { name: 'rows' }).count()).toBe(0);

    await watched.go('#/sparql');
    await editor(page).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('ASK { <urn:shared> ?p ?o }');
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()') as Promise<string>)
      .toContain('worlds=acme%2Fclasses');
    const shared = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(watched.problems).toEqual([]);
    await watched.close();

    const other = await open('#/worlds');
    await other.go(new URL(shared).hash);
    await editor(other.page).getByText('urn:shared').waitFor();
    await other.page.getByRole('link', { name: 'classes' }).waitFor();
    expect(other.problems).toEqual([]);
    await other.close();
  });
});
