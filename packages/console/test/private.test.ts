import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

describe.skipIf(!executablePath)('what belongs to one caller, one world, one entity', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await ConsoleServer.start();
    const { engine } = server;
    for (const slug of ['first', 'second']) {
      await engine.createWorld({ slug });
      const data = [1, 2]
        .map((i) => `<https://${slug}.example.net/v#p${i}> <https://${slug}.example.net/v#q${i}> "${slug} ${i}" .`)
        .join('\n');
      await engine.import({ source: slug, contentType: 'text/turtle', data });
    }
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const editor = (page: Page) => page.getByRole('textbox', { name: 'Query editor' });
  async function ran(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('[data-phase="done"]').waitFor();
  }
  async function signInAgain(page: Page, token: string): Promise<void> {
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.keyboard.press('Enter');
  }

  it('shows nothing of the last caller to the next one, and keeps the texts of each', async () => {
    const watched = await WatchedPage.open(browser, server.url, { ignore: /401/ });
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.admin, '#/sparql');
    await page.getByRole('button', { name: 'New query' }).click();
    await editor(page).click();
    await page.keyboard.insertText('SELECT ?of_ada { ?s ?p ?of_ada }');
    await ran(page);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInAgain(page, TOKENS.tenant);
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    await watched.go('#/sparql');
    await editor(page).waitFor();
    expect(await page.getByRole('tab', { name: 'Query 2' }).count()).toBe(0);
    expect(await page.content()).not.toContain('of_ada');
    expect(await page.getByRole('grid').count()).toBe(0);

    // The token of the tenant is withdrawn; the admin continues in the same tab of the browser.
    await ran(page);
    server.tokens.replace([{ token: TOKENS.admin, id: 'ada', namespace: 'acme', admin: true }]);
    await watched.go('#/search?q=secret-of-tim');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await signInAgain(page, TOKENS.admin);
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    expect(page.url()).not.toContain('secret-of-tim');
    await watched.go('#/sparql');
    await page.getByRole('tab', { name: 'Query 2', selected: true }).waitFor();
    expect(await editor(page).innerText()).toContain('?of_ada');
    expect(await page.getByRole('grid').count()).toBe(0);
    server.resetTokens();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('exports only the prefixes of the world', async () => {
    const watched = await WatchedPage.open(browser, server.url);
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.admin, '#/world/acme/first');
    await page.getByText('v:q1').waitFor();
    await watched.go('#/world/acme/second?tab=export');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text).toContain('second 1');
    expect(text).toMatch(/PREFIX \w+: <https:\/\/second\.example\.net\/v#>/i);
    expect(text).not.toContain('first.example.net');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows no value of the last entity while the next one is loading, or when it fails', async () => {
    const watched = await WatchedPage.open(browser, server.url, { ignore: /500/ });
    const { page } = watched;
    const place = (i: number) => `#/entity?worlds=acme%2Ffirst&of=https%3A%2F%2Ffirst.example.net%2Fv%23p${i}`;
    await watched.signIn(server.url, TOKENS.admin, place(1));
    await page.locator('.properties').getByText('first 1').waitFor();
    await page.route('**/sparql*', (route) => route.fulfill({ status: 500, body: '{}' }));
    await page.route('**/query*', (route) => route.fulfill({ status: 500, body: '{}' }));
    await watched.go(place(2));
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByText('first 1').count()).toBe(0);
    await watched.close();
  });

  it('opens queries and shows what to copy on plain HTTP beyond the loopback', async () => {
    const port = new URL(server.url).port;
    const elsewhere = `http://console.example:${port}`;
    const other = await launchBrowser(['--host-resolver-rules=MAP console.example 127.0.0.1']);
    const watched = await WatchedPage.open(other, elsewhere, { ignore: /Cross-Origin-Opener-Policy/ });
    const { page } = watched;
    await watched.signIn(elsewhere, TOKENS.admin, '#/sparql');
    expect(await page.evaluate('[isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard]')).toEqual([
      false,
      'undefined',
      'undefined',
    ]);
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByRole('tab', { name: 'Query 2', selected: true }).waitFor();
    await watched.go('#/entity?worlds=acme%2Ffirst&of=https%3A%2F%2Ffirst.example.net%2Fv%23p1');
    await page.getByRole('button', { name: 'Copy the IRI' }).click();
    const field = page.getByRole('dialog').getByRole('textbox');
    expect(await field.inputValue()).toBe('https://first.example.net/v#p1');
    expect(await field.evaluate((input) => (input as unknown as { selectionEnd: number }).selectionEnd)).toBe(30);
    expect(watched.problems).toEqual([]);
    await other.close();
  });
});
