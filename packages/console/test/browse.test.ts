import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';
import { oddWorld } from './odd-world.ts';

const PEOPLE = `PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> PREFIX ex: <https://example.org/people#>
  ex:ada a ex:Person ; rdfs:label "Ada Lovelace"@en ; ex:knows ex:mary ; ex:about "Wrote the first program for the engine."@en .
  ex:mary a ex:Person ; rdfs:label "Mary Somerville"@en ; ex:about "Explained the mechanism of the heavens."@en .
  ex:engine a ex:Machine ; rdfs:label "Analytical engine"@en ; ex:programmer ex:ada .`;

describe.skipIf(!executablePath)('search, entities, schema and live changes', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await ConsoleServer.start();
    await server.engine.createWorld({ slug: 'people' });
    await server.engine.import({ source: 'people', contentType: 'text/turtle', data: PEOPLE });
    await server.engine.createWorld({ slug: 'machines' });
    const machines = '<urn:steam> a <urn:Engine> ; <urn:about> "A steam engine"@en .';
    await server.engine.import({ source: 'machines', contentType: 'text/turtle', data: machines });
    await oddWorld(server.engine, 'odd');
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  type Opening = { worlds?: string } & Parameters<typeof WatchedPage.open>[2];
  async function open(place: string, { worlds = 'acme/people', ...context }: Opening = {}) {
    const watched = await WatchedPage.open(browser, server.url, context);
    await watched.page.addInitScript(`localStorage['rdf-worlds.of.ada.worlds'] ??= ${JSON.stringify(worlds)}`);
    await watched.signIn(server.url, TOKENS.admin, place);
    return watched;
  }
  const hits = (page: Page) => page.locator('.hit');

  it('searches while words are typed, marks them, and explains a hit on demand', async () => {
    const watched = await open('#/search');
    const { page } = watched;
    await page.getByRole('searchbox').pressSequentially('analyt');
    await hits(page).first().waitFor();
    expect(await page.locator('.hit mark').first().innerText()).toBe('Analytical');
    await page.getByRole('searchbox').fill('engine');
    await page.getByText(/^2 hits/).waitFor();
    expect(new Set(await page.locator('.hit mark').allInnerTexts())).toEqual(new Set(['engine']));
    await page.getByRole('button', { name: /^Why/ }).first().click();
    await page.getByRole('columnheader', { name: 'Matched' }).waitFor();
    expect(page.url()).toContain('q=engine');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('names hits by their labels', async () => {
    const watched = await open('#/search?q=heavens');
    const { page } = watched;
    const hit = hits(page).first();
    await hit.getByRole('link', { name: 'Mary Somerville' }).waitFor();
    expect(await hit.innerText()).toContain('people:mary');
    // A hit of the label itself is not named twice.
    await page.getByRole('searchbox').fill('somerville');
    await hits(page).locator('mark', { hasText: 'Somerville' }).waitFor();
    await hits(page).first().getByRole('link', { name: 'people:mary' }).waitFor();
    expect(await page.getByText('Mary Somerville').count()).toBe(1);
    await page.getByRole('searchbox').fill('nothing of the kind');
    await page.getByText('Try fewer or other words').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('narrows hits by type', async () => {
    const watched = await open('#/search?q=engine');
    const { page } = watched;
    await hits(page).nth(1).waitFor();
    await page.getByRole('checkbox', { name: /Machine/ }).check();
    await page.getByText(/^1 hit /).waitFor();
    expect(await hits(page).first().innerText()).toContain('Analytical');
    await watched.close();
  });

  it('narrows hits by world, and keeps the other values to be chosen', async () => {
    const watched = await open('#/search?q=engine', { worlds: 'acme/people acme/machines' });
    const { page } = watched;
    const facet = (name: RegExp) => page.getByRole('checkbox', { name });
    await page.getByText(/^3 hits/).waitFor();
    await facet(/^machines/).check();
    await page.getByText(/^1 hit /).waitFor();
    expect(await hits(page).first().innerText()).toContain('A steam engine');
    expect(new URL(page.url()).hash).toContain('world=acme%2Fmachines');
    // Nothing of the world has this type, which can be said only while it is chosen.
    expect(await facet(/Person/).count()).toBe(0);
    await facet(/^people/).check();
    await page.getByText(/^3 hits/).waitFor();
    await facet(/^machines/).uncheck();
    await page.getByText(/^2 hits/).waitFor();
    await facet(/Person/).check();
    await page.getByText(/^1 hit /).waitFor();
    await facet(/Machine/).check();
    await page.getByText(/^2 hits/).waitFor();
    // A world that is no longer searched is not chosen either.
    await page.getByRole('button', { name: 'Remove people' }).click();
    await page.getByText('No hit has what is chosen').waitFor();
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await page.getByText(/^1 hit /).waitFor();
    expect(new URL(page.url()).hash).toBe('#/search?q=engine&worlds=acme%2Fmachines');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows what narrows hits above them, on demand, where the screen is narrow', async () => {
    const watched = await open('#/search?q=engine', { viewport: { width: 390, height: 780 } });
    const { page } = watched;
    await hits(page).nth(1).waitFor();
    const machine = page.getByRole('checkbox', { name: /Machine/ });
    expect(await machine.isVisible()).toBe(false);
    const toggle = page.getByRole('button', { name: 'Filters' });
    await toggle.click();
    await machine.check();
    await page.getByText(/^1 hit /).waitFor();
    const [above, below] = [await machine.boundingBox(), await hits(page).first().boundingBox()];
    expect(above!.y).toBeLessThan(below!.y);
    await toggle.click();
    expect(await machine.isVisible()).toBe(false);
    // That something is chosen is still said.
    expect(await toggle.innerText()).toMatch(/Filters\s*1/);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('opens an entity with its types, properties, links to it, and its graph', async () => {
    const watched = await open('#/search?q=lovelace');
    const { page } = watched;
    await page.locator('.hit a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await page.locator('.properties').getByRole('link', { name: 'Mary Somerville' }).waitFor();
    await page.getByRole('tab', { name: /Links to it/ }).click();
    await page.locator('.properties').getByRole('link', { name: 'Analytical engine' }).waitFor();
    await page.getByRole('tab', { name: 'Graph', exact: true }).click();
    await page.locator('[data-graph][data-settled="true"]').waitFor();
    const graph = page.locator('[data-graph]');
    const before = Number(await graph.getAttribute('data-nodes'));
    expect(before).toBe(4);
    // The neighbour to the right, whatever it is, and its neighbours.
    await page.getByRole('img', { name: /^Graph around/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Expand' }).waitFor();
    await page.locator('.graph-selected').getByRole('link', { name: 'Open' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows the classes of a world and their links, as a picture and as a table', async () => {
    const watched = await open('#/schema');
    const { page } = watched;
    await page.locator('[data-graph][data-nodes="2"]').waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    const row = page.getByRole('row', { name: /Machine.*programmer.*Person/ });
    await row.getByRole('link', { name: /Query/ }).click();
    await page.getByRole('textbox', { name: 'Query editor' }).getByText('#programmer').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows changes as they are committed, and those that came while it was paused', async () => {
    // The server has no metrics.
    const watched = await open('#/live', { ignore: /404/ });
    const { page } = watched;
    await page.getByText('Connected').waitFor();
    const insert = (name: string) =>
      server.engine.update({ sources: ['people'], query: `INSERT DATA { <urn:${name}> <urn:is> "new" }` });
    const changes = page.getByRole('region', { name: 'Changes' }).locator('.changes > li');
    // The feed may not have been opened yet.
    await expect
      .poll(async () => {
        await insert(crypto.randomUUID());
        return changes.count();
      })
      .toBeGreaterThan(0);
    expect(await changes.first().innerText()).toContain('+1');
    await changes.first().getByRole('button', { name: 'Show' }).click();
    await page.locator('.quad').getByText('new').first().waitFor();
    const before = await changes.count();
    await page.getByRole('button', { name: 'Pause' }).click();
    await insert('while-paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => changes.count()).toBeGreaterThan(before);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('runs nothing of a world full of hostile names and texts, and loads nothing from elsewhere', async () => {
    const watched = await open('#/worlds', { worlds: 'acme/odd', ignore: /404/ });
    const { page } = watched;
    const hostile = encodeURIComponent('https://example.org/hostile');
    const places: readonly (readonly [string, string])[] = [
      ['#/worlds', '.world-list'],
      ['#/world/acme/odd', '.counts'],
      [`#/entity?worlds=acme%2Fodd&of=${hostile}`, '.properties'],
      [`#/entity?worlds=acme%2Fodd&of=${encodeURIComponent('javascript:window.hacked=8')}`, '.properties'],
      ['#/search?q=window', '.hit'],
      ['#/schema', '[data-graph][data-nodes]'],
      ['#/live', '.numbers'],
    ];
    for (const [place, shown] of places) {
      await watched.go(place);
      await page.locator(shown).first().waitFor();
    }
    await watched.go('#/sparql');
    const editor = page.getByRole('textbox', { name: 'Query editor' });
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(
      'SELECT ?s ?p ?o { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } FILTER(?s = <https://example.org/hostile> || ?o = <https://example.org/hostile>) }',
    );
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-phase="done"]').waitFor();
    await page.getByRole('gridcell').first().waitFor();
    for (const tab of ['Graph', 'Chart', 'Raw', 'Table']) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await page
        .locator({ Graph: '[data-graph][data-nodes]', Chart: '.bars', Raw: '.raw pre', Table: '[role=gridcell]' }[tab]!)
        .first()
        .waitFor();
    }
    // No address of data is the target of a link, and no markup of data became elements.
    const links = (await page.evaluate(
      "[...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))",
    )) as string[];
    expect(links.filter((address) => !address.startsWith('#/'))).toEqual([]);
    expect(
      await page.evaluate(
        "document.querySelectorAll('iframe, script:not([src]), svg script, [onerror], [onload], main style').length",
      ),
    ).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows a literal of 1 MiB in part, and turns no text around', async () => {
    const watched = await open(`#/entity?worlds=acme%2Fodd&of=${encodeURIComponent('https://example.org/hostile')}`);
    const { page } = watched;
    await page.getByRole('button', { name: 'Show all 1,048,576 characters' }).click();
    await page.getByRole('dialog', { name: 'Value' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('U+202E').first().waitFor();
    // As text, these characters would change how what follows is shown.
    expect(await page.evaluate(String.raw`/[\u202a-\u202e\u2066-\u2069\u200b]/.test(document.body.innerText)`)).toBe(
      false,
    );
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await watched.close();
  });

  it('shows the beginning of a description, and the rest on demand', async () => {
    const watched = await open('#/world/acme/odd');
    const { page } = watched;
    const description = page.locator('.titles p');
    const length = async () => (await description.innerText()).length;
    await page.getByRole('button', { name: 'Show more', exact: true }).click();
    expect(await length()).toBeGreaterThan(1_000);
    await description.getByRole('button', { name: 'Show less', expanded: true }).click();
    expect(await length()).toBeLessThan(320);

    await watched.go(`#/entity?worlds=acme%2Fodd&of=${encodeURIComponent('https://example.org/hostile')}`);
    const comment = page.locator('.value', { hasText: 'A sentence of a comment.' });
    const sentences = async () => (await comment.innerText()).split('sentence').length - 1;
    expect(await sentences()).toBe(12);
    await comment.getByRole('button', { name: 'Show more' }).click();
    expect(await sentences()).toBe(40);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows a hit in the direction of its whole text, with the words marked', async () => {
    const watched = await open('#/search?q=text', { worlds: 'acme/odd' });
    const hit = watched.page.locator('.hit-text', { hasText: 'מימין' });
    await hit.locator('mark', { hasText: 'text' }).waitFor();
    expect(await hit.innerText()).toBe('זה text מימין');
    expect(await hit.evaluate((element) => element.matches(':dir(rtl)'))).toBe(true);
    // The first word stands to the right of the marked one.
    const [mark, whole] = [await hit.locator('mark').boundingBox(), await hit.boundingBox()];
    expect(mark!.x).toBeGreaterThan(whole!.x + whole!.width / 2);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('needs no pointer: signs in, opens a world and its menu, and returns', async () => {
    const watched = await WatchedPage.open(browser, server.url, { ignore: /401/ });
    const { page } = watched;
    await page.goto(`${server.url}/console/`);
    await page.getByLabel('Token', { exact: true }).focus();
    await page.keyboard.type(TOKENS.admin);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'people' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Drop files here').waitFor();
    await page.getByRole('button', { name: 'More actions' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /^Delete/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
