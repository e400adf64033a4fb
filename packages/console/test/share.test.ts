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
    await server.engine.import({
      source: 'rows',
      contentType: 'text/turtle',
      data: `<urn:ada> a <urn:Person> ; <urn:name> "lantern one" ; <urn:note> "lantern two" .
        <urn:engine> a <urn:Machine> ; <urn:name> "lantern three" ; <urn:by> <urn:ada> .`,
    });
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

  it('hold the facets of a search', async () => {
    const watched = await open('#/search?q=lantern');
    const { page } = watched;
    await page.getByRole('checkbox', { name: /Person/ }).check();
    await page.getByRole('checkbox', { name: /note/ }).check();
    await expect.poll(() => page.locator('.hit').count()).toBe(1);
    const { hash } = new URL(page.url());
    expect(hash).toBe('#/search?q=lantern&worlds=acme%2Frows&type=urn%3APerson&predicate=urn%3Anote');
    expect(watched.problems).toEqual([]);
    await watched.close();

    const other = await open(hash);
    await other.page.locator('.hit').getByText('lantern two').waitFor();
    expect(await other.page.locator('.hit').count()).toBe(1);
    expect(await other.page.getByRole('checkbox', { name: /Person/ }).isChecked()).toBe(true);
    // Another link in the same page.
    await other.go('#/search?q=lantern&type=urn%3AMachine');
    await other.page.locator('.hit').getByText('lantern three').waitFor();
    expect(await other.page.locator('.hit').count()).toBe(1);
    expect(await other.page.getByRole('checkbox', { name: /Machine/ }).isChecked()).toBe(true);
    // It would be listed as long as it is chosen.
    expect(await other.page.getByRole('checkbox', { name: /note/ }).count()).toBe(0);
    expect(other.problems).toEqual([]);
    await other.close();
  });

  it('hold the tab of an entity', async () => {
    const place = '#/entity?worlds=acme%2Frows&of=urn%3Aada';
    const watched = await open(place);
    await watched.page.getByRole('tab', { name: /Links to it/ }).click();
    await watched.page
      .locator('.properties')
      .getByRole('link', { name: /engine/ })
      .waitFor();
    expect(new URL(watched.page.url()).hash).toBe(`${place}&tab=links`);
    // An entity that is opened from it begins with its properties.
    await watched.page
      .locator('.properties')
      .getByRole('link', { name: /engine/ })
      .click();
    await watched.page.getByRole('tab', { name: 'Properties', selected: true }).waitFor();
    await watched.go(`${place}&tab=links`);
    await watched.page.getByRole('tab', { name: /Links to it/, selected: true }).waitFor();
    await watched.go(`${place}&tab=nonsense`);
    await watched.page.getByRole('tab', { name: 'Properties', selected: true }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
