import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_FORMATS, ROW_FORMATS } from '../app/rdf/formats.ts';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

describe.skipIf(!executablePath)('SPARQL', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await ConsoleServer.start();
    const { engine } = server;
    await engine.createWorld({ slug: 'people' });
    await engine.import({
      source: 'people',
      contentType: 'text/turtle',
      data: `PREFIX foaf: <http://xmlns.com/foaf/0.1/> PREFIX ex: <https://example.org/people#>
        ex:ada a foaf:Person ; foaf:name "Ada"@en ; foaf:knows ex:mary ; ex:born 1815 .
        ex:mary a foaf:Person ; foaf:name "Mary"@en ; ex:born 1780 .`,
    });
    await engine.createWorld({ slug: 'places' });
    await engine.import({
      source: 'places',
      contentType: 'text/turtle',
      data: '<https://example.org/people#ada> <urn:lives> "London" .',
    });
    await engine.createWorld({ slug: 'large' });
    const lines = Array.from(
      { length: 100_000 },
      (_, i) => `<urn:s:${i}> <urn:number> "${i}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n`,
    );
    await engine.import({ source: 'large', contentType: 'application/n-triples', data: lines.join('') });
    await engine.createWorld({ slug: 'ring' });
    const ring = Array.from({ length: 2_000 }, (_, i) => `<urn:n:${i}> <urn:next> <urn:n:${(i * 7 + 1) % 2_000}> .\n`);
    await engine.import({ source: 'ring', contentType: 'application/n-triples', data: ring.join('') });
    await engine.write({ source: 'ring', insert: [] });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(worlds: string, ignore?: RegExp): Promise<WatchedPage> {
    const watched = await WatchedPage.open(browser, server.url, { ignore });
    await watched.page.addInitScript(`localStorage['rdf-worlds.of.ada.worlds'] ??= ${JSON.stringify(worlds)}`);
    await watched.signIn(server.url, TOKENS.admin, '#/sparql');
    await editor(watched.page).waitFor();
    return watched;
  }
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Query editor' });
  async function write(page: Page, text: string): Promise<void> {
    await editor(page).click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
  }
  const done = (page: Page) => page.locator('[data-phase="done"]').waitFor();
  /** Runs a query over the large world and waits until this many rows are shown. */
  async function openTable(query: string, rows: string) {
    const watched = await open('acme/large');
    const { page } = watched;
    await write(page, query);
    await page.keyboard.press('Control+Enter');
    await done(page);
    await page.getByText(rows).waitFor();
    return { watched, page, grid: page.getByRole('grid') };
  }
  const cell = (page: Page, row: number, column: number) => page.locator(`[data-cell="${row}:${column}"]`);

  it('completes the vocabulary of the world with its counts, and declares the prefix', async () => {
    const watched = await open('acme/people');
    const { page } = watched;
    await write(page, 'SELECT * WHERE { ?person ');
    await page.keyboard.press('Control+Space');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await options.first().waitFor();
    const shown = await options.allTextContents();
    expect(shown.slice(0, 4).sort()).toEqual(['foaf:knows1', 'foaf:name2', 'people:born2', 'rdf:type2']);
    await page.keyboard.type('foaf:na');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'foaf:name' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.insertText(' ?name }');
    await page.keyboard.press('Control+Enter');
    await done(page);
    expect((await editor(page).innerText()).replace(/\s+/g, ' ')).toContain(
      'PREFIX foaf: <http://xmlns.com/foaf/0.1/> SELECT',
    );
    await page.getByText('2 rows').waitFor();
    expect(await cell(page, 0, 1).innerText()).toContain('en');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('completes classes after "a", and prefixes after PREFIX', async () => {
    const watched = await open('acme/people');
    const { page } = watched;
    await write(page, 'SELECT * WHERE { ?person a ');
    await page.keyboard.press('Control+Space');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await options.first().waitFor();
    expect((await options.allTextContents())[0]).toBe('foaf:Person2');
    await page.keyboard.press('Escape');
    await write(page, 'PREFIX sko');
    await page.keyboard.press('Control+Space');
    await page
      .locator('.cm-tooltip-autocomplete li', { hasText: 'skos: <http://www.w3.org/2004/02/skos/core#>' })
      .waitFor();
    await watched.close();
  });

  it('says what a function takes and does', async () => {
    const watched = await open('acme/people');
    const { page } = watched;
    await write(page, 'SELECT * WHERE { ?s ?p ?o FILTER(STRAF');
    await page.keyboard.press('Control+Space');
    const option = page.locator('.cm-tooltip-autocomplete li', { hasText: 'STRAFTER' });
    expect(await option.innerText()).toMatch(/STRAFTER\s*\(text, part\)/);
    await page.locator('.cm-completionInfo', { hasText: 'What follows the first occurrence' }).waitFor();
    const [list, info] = await Promise.all(
      ['.cm-tooltip-autocomplete > ul', '.cm-completionInfo'].map((part) => page.locator(part).boundingBox()),
    );
    // Beside the list, not over it.
    expect(info!.x >= list!.x + list!.width || info!.y >= list!.y + list!.height).toBe(true);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('says it under the list where there is no room beside it, and leaves room for results', async () => {
    const watched = await open('acme/people');
    const { page } = watched;
    await page.setViewportSize({ width: 390, height: 780 });
    await write(page, 'SELECT * WHERE { ?s ?p ?o FILTER(STRA');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-completionInfo').waitFor();
    const [list, info] = await Promise.all(
      ['.cm-tooltip-autocomplete > ul', '.cm-completionInfo'].map((part) => page.locator(part).boundingBox()),
    );
    expect(info!.y >= list!.y + list!.height || info!.y + info!.height <= list!.y).toBe(true);
    expect(info!.x + info!.width).toBeLessThanOrEqual(390);
    await page.keyboard.press('Escape');
    await write(page, 'CONSTRUCT WHERE { ?s ?p ?o }');
    await page.keyboard.press('Control+Enter');
    await done(page);
    await page.getByRole('tab', { name: 'Graph' }).click();
    const graph = await page.locator('[data-graph]').boundingBox();
    expect(graph!.height).toBeGreaterThan(280);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('underlines a mistake while it is typed, in the words of the engine, without a request', async () => {
    const watched = await open('acme/people');
    const { page } = watched;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await write(page, 'SELECT * WHERE { ?s foaf:name ?o }');
    const mark = page.locator('.cm-lintRange-error');
    await mark.waitFor();
    expect(await mark.innerText()).toBe('foaf:name');
    await mark.hover();
    await page.getByText('The prefix "foaf:" is not declared').waitFor();
    await write(page, 'SELECT * WHERE { ?s ?p ?o }');
    await mark.waitFor({ state: 'detached' });
    expect(asked.filter((url) => !url.includes('/assets/'))).toEqual([]);
    await watched.close();
  });

  it('shows an error of the server at its line', async () => {
    const watched = await open('acme/people', /400/);
    const { page } = watched;
    await write(page, 'SELECT *\nWHERE { ?s ?p }');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('INVALID_SPARQL').waitFor();
    await page.getByRole('button', { name: 'Go to line 2' }).click();
    expect(
      await editor(page).evaluate(
        (element) => element === element.ownerDocument.activeElement || element.matches(':focus'),
      ),
    ).toBe(true);
    await watched.close();
  });

  it('keeps its texts over a reload', async () => {
    const watched = await open('acme/people');
    const { page } = watched;
    await page.getByRole('button', { name: 'New query' }).click();
    await write(page, 'ASK { ?kept ?over ?reloads }');
    await page.reload();
    await page.getByLabel('Token', { exact: true }).fill(TOKENS.admin);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Query 2', selected: true }).waitFor();
    expect(await editor(page).innerText()).toContain('?kept');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Query 2' }).focus();
    await page.keyboard.press('Delete');
    expect(await page.getByRole('tab', { name: 'Query 2' }).count()).toBe(0);
    await watched.close();
  });

  it('scrolls a table of 100,000 rows, of which few are elements, by pointer and by keys', async () => {
    const { watched, page, grid } = await openTable('SELECT ?s ?n { ?s <urn:number> ?n } ORDER BY ?n', '100,000 rows');
    expect(await grid.getAttribute('aria-rowcount')).toBe('100001');
    const rows = () => grid.getByRole('row').count();
    expect(await rows()).toBeLessThan(60);
    await grid.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2;
    });
    await cell(page, 50_000, 1).waitFor();
    expect(await cell(page, 50_000, 1).innerText()).toBe('50000');
    await cell(page, 50_000, 1).click();
    await page.keyboard.press('Control+End');
    await cell(page, 99_999, 1).waitFor();
    expect(await cell(page, 99_999, 1).innerText()).toBe('99999');
    expect(await cell(page, 99_999, 1).evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(await rows()).toBeLessThan(60);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Properties' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('scrolls a table that is too high for a browser, without leaving out rows', async () => {
    const { watched, page, grid } = await openTable(
      'SELECT ?n { ?s <urn:number> ?n VALUES ?i { 1 2 3 } }',
      '300,000 rows',
    );
    const height = await grid.evaluate((element) => element.scrollHeight);
    expect(height).toBeLessThan(10_000_000);
    // The rows that are in view, by their numbers.
    const inView = async () => {
      const rows = (await page.evaluate(`(() => {
        const { top, bottom } = document.querySelector('[role=grid]').getBoundingClientRect();
        return [...document.querySelectorAll('.vt-row:not(.away)')]
          .filter((row) => row.getBoundingClientRect().top >= top + 34 && row.getBoundingClientRect().bottom <= bottom)
          .map((row) => Number(row.querySelector('.vt-number').textContent));
      })()`)) as number[];
      return rows.sort((one, other) => one - other);
    };
    await grid.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2;
    });
    await expect.poll(async () => Math.abs((await inView())[0]! - 150_000)).toBeLessThan(100);
    await grid.hover();
    for (let turn = 0; turn < 3; turn++) {
      const before = await inView();
      await page.mouse.wheel(0, 100);
      await expect.poll(async () => (await inView())[0]).toBeGreaterThan(before[0]!);
      const after = await inView();
      expect(after[0]! - before[0]!).toBeLessThan(5);
    }
    const [first] = await inView();
    await cell(page, first! - 1, 0).click();
    for (let row = 0; row < 40; row++) await page.keyboard.press('ArrowDown');
    const focused = cell(page, first! + 39, 0);
    await expect.poll(() => focused.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(await inView()).toContain(first! + 40);
    await page.keyboard.press('Control+End');
    await expect.poll(inView).toContain(300_000);
    await page.keyboard.press('Control+Home');
    await expect.poll(inView).toContain(1);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('stops a query, and shows rows while others are on their way', async () => {
    const watched = await open('acme/large');
    const { page } = watched;
    await write(page, 'SELECT (COUNT(*) AS ?n) { ?a <urn:number> ?x . ?b <urn:number> ?y . FILTER(?x * ?y = -1) }');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The query is running.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped', { exact: true }).waitFor();
    await page.getByText('The query was stopped before it had a result.').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('keeps a million cells, and says that there are more', async () => {
    const watched = await open('acme/large');
    const { page } = watched;
    const columns = Array.from({ length: 18 }, (_, i) => `(?n AS ?c${i})`).join(' ');
    await write(page, `SELECT ?s ?n ${columns} { ?s <urn:number> ?n }`);
    await page.keyboard.press('Control+Enter');
    await done(page);
    await page.getByText('First 50,000 rows').waitFor();
    await page.getByText('There are more; Download has all.').waitFor();
    await cell(page, 0, 1).click();
    await page.keyboard.press('Control+End');
    await cell(page, 49_999, 19).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('keeps the rows while a plan is made, and stops it', async () => {
    const watched = await open('acme/large');
    const { page } = watched;
    await write(page, 'SELECT ?s { ?s ?p ?o } LIMIT 7');
    await page.keyboard.press('Control+Enter');
    await done(page);
    await write(page, 'SELECT (COUNT(*) AS ?n) { ?a <urn:number> ?x . ?b <urn:number> ?y . FILTER(?x * ?y = -1) }');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByText('7 rows').waitFor();
    await cell(page, 6, 0).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('confirms an update of one world by Enter, and shows the plan with the prefixes of the query', async () => {
    const watched = await open('acme/places');
    const { page } = watched;
    await write(page, 'DELETE DATA { <urn:nothing> <urn:of> <urn:the-kind> }');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog', { name: 'Run the update?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was changed').waitFor();
    await write(page, 'PREFIX folk: <https://example.org/people#> SELECT * { folk:ada <urn:lives> ?town }');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.locator('.operator', { hasText: 'folk:ada' }).first().waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('queries several worlds, asks before an update, and says what it changed', async () => {
    const watched = await open('acme/people acme/places', /403/);
    const { page } = watched;
    await write(
      page,
      'PREFIX ex: <https://example.org/people#> SELECT ?town { ex:ada <urn:lives> ?town ; ex:born ?year }',
    );
    await page.keyboard.press('Control+Enter');
    await done(page);
    expect(await cell(page, 0, 0).innerText()).toBe('London');

    await write(
      page,
      'DELETE { ?s <urn:lives> ?o } INSERT { ?s <urn:lives> "Paris", "Rome" } WHERE { ?s <urn:lives> ?o }',
    );
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Run the update?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await server.engine.ask({ sources: ['places'], query: 'ASK { ?s ?p "London" }' })).toBe(true);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await dialog.getByText('places').click();
    await dialog.getByRole('button', { name: 'Run the update' }).click();
    await page.getByRole('heading', { name: '2 inserted, 1 deleted' }).waitFor();
    expect(await server.engine.ask({ sources: ['places'], query: 'ASK { ?s ?p "London" }' })).toBe(false);
    await watched.close();
  });

  it('shows an update that the server refuses', async () => {
    await server.engine.createWorld({ slug: 'open', ifExists: 'return' });
    const watched = await WatchedPage.open(browser, server.url, { ignore: /403/ });
    const { page } = watched;
    await page.addInitScript(`localStorage['rdf-worlds.of.rita.worlds'] = 'acme/open'`);
    await watched.signIn(server.url, TOKENS.reader, '#/sparql');
    await write(page, 'INSERT DATA { <urn:a> <urn:b> <urn:c> }');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByText('Your token has no write permission').waitFor();
    await page.getByRole('button', { name: 'Run the update' }).click();
    await page.getByRole('alert').getByText('PERMISSION_DENIED').waitFor();
    expect(await server.engine.ask({ sources: ['open'], query: 'ASK { ?s ?p ?o }' })).toBe(false);
    await watched.close();
  });

  it('draws 2,000 nodes before their layout ends, selects one by keys, and expands it', async () => {
    const watched = await open('acme/ring');
    const { page } = watched;
    await write(page, 'CONSTRUCT { ?s <urn:next> ?o } WHERE { ?s <urn:next> ?o }');
    await page.keyboard.press('Control+Enter');
    await done(page);
    const started = performance.now();
    await page.getByRole('tab', { name: 'Graph' }).click();
    const graph = page.locator('[data-graph]');
    await page.locator('[data-graph][data-nodes="2000"]').waitFor();
    const drawnMs = performance.now() - started;
    // Drawn with the first steps of the layout, not after the last.
    expect(await graph.getAttribute('data-edges')).toBe('2000');
    console.log(`2,000 nodes drawn ${Math.round(drawnMs)} ms after the click`);
    await page.getByRole('img', { name: /^Graph of the results/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Expand' }).waitFor();
    await server.engine.update({
      sources: ['ring'],
      query: 'INSERT { ?s <urn:named> <urn:new:one>, <urn:new:two> } WHERE { ?s <urn:next> ?o }',
    });
    await page.keyboard.press('Enter');
    await page.locator('[data-graph][data-nodes="2002"]').waitFor();
    await page.getByRole('button', { name: 'Save as a picture' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'SVG' }).click();
    expect((await download).suggestedFilename()).toBe('graph.svg');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('draws 10,000 nodes, says that there are more, and stays operable', async () => {
    const watched = await open('acme/large');
    const { page } = watched;
    await write(page, 'CONSTRUCT { <urn:hub> <urn:has> ?s } WHERE { ?s <urn:number> ?n }');
    await page.keyboard.press('Control+Enter');
    await done(page);
    const started = performance.now();
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.locator('[data-graph][data-nodes="10000"]').waitFor();
    console.log(`10,000 nodes drawn ${Math.round(performance.now() - started)} ms after the click`);
    await page.getByText('Only the first 10,000 nodes are drawn.').waitFor();
    await page.getByRole('img', { name: /^Graph of the results/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('.graph-selected').getByRole('link', { name: 'Open' }).waitFor();
    await page.keyboard.press('+');
    await page.getByRole('tab', { name: 'Table' }).click();
    await cell(page, 0, 0).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  }, 180_000);

  it.each([
    ['SELECT ?year { ?s <https://example.org/people#born> ?year }', ROW_FORMATS],
    ['CONSTRUCT WHERE { ?s <https://example.org/people#born> ?year }', EXPORT_FORMATS],
  ])('downloads the result of %s in each format', async (query, formats) => {
    const watched = await open('acme/people acme/places');
    const { page } = watched;
    await write(page, query);
    await page.keyboard.press('Control+Enter');
    await done(page);
    for (const { name, extension } of formats) {
      await page.getByRole('button', { name: 'Download' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: `${name} ${extension}`, exact: true }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`result${extension}`);
      expect(readFileSync(await file.path(), 'utf8'), name).toContain('1815');
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('keeps a text whose run was refused by the end of the session, and runs it after the sign-in', async () => {
    const watched = await open('acme/people', /401/);
    const { page } = watched;
    await write(page, 'SELECT ?year { ?s <https://example.org/people#born> ?year } ORDER BY ?year');
    server.tokens.replace([{ token: 'the-next-token-of-ada', id: 'ada', namespace: 'acme', admin: true }]);
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Token', { exact: true }).fill('the-next-token-of-ada');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await editor(page).click();
    await page.keyboard.press('Control+Enter');
    await done(page);
    expect(await cell(page, 0, 0).innerText()).toContain('1780');
    server.resetTokens();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('says that the connection broke while rows arrived, keeps those, and runs again once the server is back', async () => {
    const watched = await open('acme/large', /ERR_|Failed to load/);
    const { page } = watched;
    // A slow network: otherwise all rows that a tab keeps may have arrived before the server hangs
    // up.
    const network = await page.context().newCDPSession(page);
    const throughput = 500_000;
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
    await write(page, 'SELECT * { ?s ?p ?o . ?x ?y ?z }');
    await page.keyboard.press('Control+Enter');
    await cell(page, 0, 0).waitFor();
    await server.hangUp();
    await page.locator('[data-phase="failed"]').waitFor();
    await page.getByRole('alert').getByText('UNAVAILABLE').waitFor();
    await cell(page, 0, 0).waitFor();
    await server.listen();
    await write(page, 'SELECT * { ?s ?p 7 }');
    await page.keyboard.press('Control+Enter');
    await done(page);
    await page.getByText('1 row', { exact: true }).waitFor();
    await watched.close();
  });

  it('gives each of several worlds a colour of its own', async () => {
    const watched = await open('acme/people acme/places acme/ring');
    const { page } = watched;
    const dots = page.locator('.world-picker .chip .dot');
    await expect.poll(() => dots.count()).toBe(3);
    const colours = (await page.evaluate(
      "[...document.querySelectorAll('.chip .dot')].map((dot) => getComputedStyle(dot).backgroundColor)",
    )) as string[];
    expect(new Set(colours).size).toBe(3);
    await page.getByRole('button', { name: 'Worlds', exact: true }).click();
    await page.getByRole('button', { name: 'large', exact: true }).click();
    await expect.poll(() => dots.count()).toBe(4);
    await page.getByRole('button', { name: 'Remove people' }).click();
    await expect.poll(() => dots.count()).toBe(3);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows the plan with rows and times, and downloads results in a format', async () => {
    const watched = await open('acme/people');
    const { page } = watched;
    await write(page, 'SELECT * { ?s ?p ?o . ?o ?q ?r }');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.locator('.operator').first().waitFor();
    expect(await page.locator('.operator', { hasText: 'rows' }).count()).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await done(page);
    await page.getByRole('button', { name: 'Download' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    expect((await download).suggestedFilename()).toBe('result.csv');
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByText('"vars"').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
