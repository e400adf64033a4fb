import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

const ROWS = 5_000;

describe.skipIf(!executablePath)('keyboard, focus and small windows', () => {
  let browser: Browser;
  let server: ConsoleServer;
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await ConsoleServer.start();
    const { engine } = server;
    await engine.createWorld({ slug: 'rows' });
    await engine.import({
      source: 'rows',
      contentType: 'text/turtle',
      data: Array.from({ length: ROWS }, (_, i) => `<urn:s:${i}> <urn:p> ${i} .`).join('\n'),
    });
    await engine.createWorld({ slug: 'classes' });
    await engine.import({
      source: 'classes',
      contentType: 'text/turtle',
      data: `<urn:x> a <urn:one#A> ; <https://a.example/v/knows> <urn:y> ; <https://b.example/v/knows> <urn:y> .
        <urn:y> a <urn:two#B> .`,
    });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(place: string, options: Parameters<typeof WatchedPage.open>[2] & { worlds?: string } = {}) {
    const { worlds = 'acme/rows', ...rest } = options;
    const watched = await WatchedPage.open(browser, server.url, rest);
    await watched.page.addInitScript(`localStorage['rdf-worlds.of.ada.worlds'] ??= ${JSON.stringify(worlds)}`);
    await watched.signIn(server.url, TOKENS.admin, place);
    return watched;
  }
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Query editor' });
  async function ran(page: Page, query: string) {
    await editor(page).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(query);
    await page.keyboard.press('Control+Enter');
  }
  const focused = (page: Page) =>
    page.evaluate("document.activeElement?.dataset.cell ?? document.activeElement?.className ?? ''");

  it('keeps the focus in a cell that is scrolled out of view, and continues there', async () => {
    const watched = await open('#/sparql');
    const { page } = watched;
    await ran(page, 'SELECT ?s ?o { ?s <urn:p> ?o } ORDER BY ?o');
    await page.locator('[data-phase="done"]').waitFor();
    await page.locator('[data-cell="0:0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe('1:1');
    await page.evaluate("document.querySelector('.virtual-table').scrollTop = 100000");
    await page.locator('[data-cell="2945:1"]').waitFor();
    expect(await focused(page)).toBe('1:1');
    expect(await page.locator('[data-cell="1:1"]').getAttribute('tabindex')).toBe('0');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('2:1');
    expect(await page.evaluate("document.querySelector('.virtual-table').scrollTop")).toBeLessThan(200);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('changes the width of a column', async () => {
    const watched = await open('#/sparql');
    const { page } = watched;
    await ran(page, 'SELECT ?s ?o { ?s <urn:p> ?o } LIMIT 10');
    const header = page.locator('[role=columnheader][aria-colindex="3"]');
    await page.locator('[data-cell="0:1"]').focus();
    const before = (await header.boundingBox())!.width;
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(async () => (await header.boundingBox())!.width).toBe(before + 24);
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(async () => (await header.boundingBox())!.width).toBe(before - 24);
    expect(await focused(page)).toBe('0:1');
    await watched.close();
  });

  it('returns the focus from a dialog to the editor that opened it', async () => {
    const watched = await open('#/sparql');
    const { page } = watched;
    await ran(page, 'INSERT DATA { <urn:a> <urn:b> "c" }');
    await page.getByRole('dialog', { name: 'Run the update?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.insertText('# typed');
    await editor(page).getByText('# typed').waitFor();
    await watched.close();
  });

  it('closes a query with Delete and stays in the tabs', async () => {
    const watched = await open('#/sparql');
    const { page } = watched;
    await page.getByRole('button', { name: 'New query' }).click();
    await page.getByRole('tab', { name: 'Query 2' }).focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('Renamed');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Query 2');
    await page.keyboard.press('Delete');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Query 1');
    expect(await page.getByRole('tab', { name: /^Query/ }).count()).toBe(1);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it.each([320, 390])('shows all views in the navigation of a window of %i pixels', async (width) => {
    const watched = await open('#/worlds', { viewport: { width, height: 700 } });
    const { page } = watched;
    for (const name of ['Worlds', 'SPARQL', 'Search', 'Schema', 'Live']) {
      const box = (await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).boundingBox())!;
      expect(box.x, name).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width, name).toBeLessThanOrEqual(width);
    }
    await watched.close();
  });

  it('shows characters in the editor that turn text around', async () => {
    const watched = await open('#/sparql');
    await editor(watched.page).click();
    await watched.page.keyboard.insertText('# a\u202eb\u2066c\u202ad\u200be');
    for (const name of ['U+202E', 'U+2066', 'U+202A', 'U+200B'])
      await editor(watched.page).getByText(name, { exact: true }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('keeps predicates apart that have the same short name', async () => {
    const watched = await open('#/schema', { worlds: 'acme/classes' });
    const graph = watched.page.locator('[data-graph][data-nodes="2"]');
    await graph.waitFor();
    expect(await graph.getAttribute('data-edges')).toBe('2');
    await watched.close();
  });

  it('no longer marks a node in a graph once the pointer has left', async () => {
    const watched = await open('#/entity?worlds=acme%2Frows&of=urn%3As%3A1');
    const { page } = watched;
    await page.getByRole('tab', { name: 'Graph', exact: true }).click();
    const graph = page.locator('[data-graph][data-nodes="1"][data-settled="true"]');
    await graph.waitFor();
    const frames = async () => Number(await graph.getAttribute('data-frames'));
    // The only node is in the middle.
    const box = (await graph.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction("document.querySelector('[data-graph] canvas').style.cursor === 'pointer'");
    // All frames that were asked for are drawn.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const before = await frames();
    await page.mouse.move(2, 2);
    await expect.poll(frames).toBeGreaterThan(before);
    await watched.close();
  });
});
