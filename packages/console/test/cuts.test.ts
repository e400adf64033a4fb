import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

/** More than are read in the first two steps. */
const LINKS = 12_500;
/** More than the server lists. */
const CLASSES = 2_100;
/** More than the view asks for. */
const GRAPHS = 1_005;

const from = (length: number, line: (i: number) => string) => Array.from({ length }, (_, i) => line(i)).join('\n');

describe.skipIf(!executablePath)('what is not shown', () => {
  let browser: Browser;
  let server: ConsoleServer;
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await ConsoleServer.start();
    const { engine } = server;
    const load = async (slug: string, data: string) => {
      await engine.createWorld({ slug });
      await engine.import({ source: slug, contentType: 'application/trig', data });
    };
    await load(
      'hub',
      `<urn:hub> <urn:near> _:b . _:b <urn:of> <urn:a>, <urn:c> .\n${from(LINKS, (i) => `<urn:s:${i}> <urn:in> <urn:hub> .`)}`,
    );
    await load(
      'wide',
      `${from(CLASSES, (i) => `<urn:s:${i}> a <urn:class:${i}> .`)}\n${from(GRAPHS, (i) => `<urn:g:${i}> { <urn:s> <urn:p> ${i} }`)}`,
    );
    await load(
      'points',
      `${from(5_010, (i) => `<urn:s:${i}> <urn:x> ${i} ; <urn:y> ${i * 1e-7} .`)}
      <urn:s:a> <urn:x> "INF"^^<http://www.w3.org/2001/XMLSchema#double> ; <urn:y> 1 .
      <urn:s:b> <urn:x> "NaN"^^<http://www.w3.org/2001/XMLSchema#double> ; <urn:y> 1 .`,
    );
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(place: string, worlds: string) {
    const watched = await WatchedPage.open(browser, server.url);
    await watched.page.addInitScript(`localStorage['rdf-worlds.of.ada.worlds'] = ${JSON.stringify(worlds)}`);
    await watched.signIn(server.url, TOKENS.admin, place);
    return watched;
  }
  const entity = '#/entity?worlds=acme%2Fhub&of=urn%3Ahub';
  const graph = (page: Page) => page.locator('[data-graph]');

  it('is counted for the links of an entity, of which more can be read', async () => {
    const watched = await open(entity, 'acme/hub');
    const { page } = watched;
    await page.getByRole('tab', { name: 'Links to it 12,500' }).click();
    await page.getByText('The first 2,000 of 12,500 values were read.').waitFor();
    await page.getByText('50 of 2,000 are shown.').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('500 of 2,000 are shown.').waitFor();
    expect(await page.locator('.properties li').count()).toBe(500);
    await page.getByRole('button', { name: 'Read more' }).click();
    await page.getByText('The first 10,000 of 12,500 values were read.').waitFor();
    await page.getByRole('button', { name: 'Read more' }).click();
    await page.getByText('500 of 12,500 are shown.').waitFor();
    expect(await page.getByText('values were read').count()).toBe(0);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is told in a graph, and the next neighbours are added on demand', async () => {
    const watched = await open(entity, 'acme/hub');
    const { page } = watched;
    await page.getByRole('tab', { name: 'Graph', exact: true }).click();
    await page.getByText('62 nodes, 61 links; 1 node has more links').waitFor();
    await page.locator('[data-graph][data-settled="true"]').waitFor();
    await page.getByRole('img', { name: /^Graph around/ }).focus();
    // The first arrow key selects the node with the most links.
    await page.keyboard.press('ArrowRight');
    await page.getByText('It has more links; Expand adds the next ones.').waitFor();
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByText('122 nodes, 121 links; 1 node has more links').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is not a blank node: it can be expanded as others', async () => {
    const rows = await server.engine.select({ sources: ['hub'], query: 'SELECT ?b { <urn:hub> <urn:near> ?b }' });
    const label = (await rows.array())[0]!.get('b')!.value;
    const watched = await open(`#/entity?worlds=acme%2Fhub&of=${encodeURIComponent(`_:${label}`)}`, 'acme/hub');
    await watched.page.getByRole('tab', { name: 'Graph', exact: true }).click();
    await watched.page.locator('[data-graph][data-nodes="4"]').waitFor();
    expect(await graph(watched.page).getAttribute('data-edges')).toBe('3');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is part of the counts of a world', async () => {
    const watched = await open('#/world/acme/wide', 'acme/wide');
    const { page } = watched;
    const numbers = page.locator('.numbers');
    await numbers.getByText('2,100').waitFor();
    await numbers.getByText('1,005').waitFor();
    await page.getByText('100 that are used less are not listed.').waitFor();
    await page.getByText(/^5 that are used less are not listed\.$/).waitFor();
    const classes = page.locator('section', { has: page.getByRole('heading', { name: 'Classes' }) });
    await classes.getByRole('button', { name: 'Show 500 more' }).click();
    await expect.poll(() => classes.getByRole('listitem').count()).toBe(512);
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByText('The list has the 1,000 largest of 1,005 graphs.').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is counted in the picture of a schema', async () => {
    const watched = await open('#/schema', 'acme/wide');
    await watched.page.getByText('The picture has the 200 largest of 2,100 classes.').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is counted for points of a chart, and its axes have numbers', async () => {
    const watched = await open(
      `#/sparql?${new URLSearchParams({ query: 'SELECT ?x ?y { ?s <urn:x> ?x ; <urn:y> ?y }' })}`,
      'acme/points',
    );
    const { page } = watched;
    await page.getByRole('textbox', { name: 'Query editor' }).getByText('urn:x').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('[data-phase="done"]').waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByLabel('Value').selectOption('?y');
    await page.getByText('The first 5,000 of 5,010 points are shown.').waitFor();
    await page.getByText('2 rows have no number here.').waitFor();
    expect(await page.locator('.points circle').count()).toBe(5_000);
    expect(await page.locator('.points').innerHTML()).not.toMatch(/NaN|Infinity/);
    const ticks = await page.locator('.points text[text-anchor="end"]').allTextContents();
    expect(new Set(ticks).size).toBe(5);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('is the whole chart if no row has two numbers', async () => {
    const query = 'SELECT ?x ?y { { ?s <urn:x> ?x } UNION { ?s <urn:y> ?y } } ORDER BY ?s';
    const watched = await open(`#/sparql?${new URLSearchParams({ query })}`, 'acme/points');
    const { page } = watched;
    await page.getByRole('textbox', { name: 'Query editor' }).getByText('urn:x').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('[data-phase="done"]').waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByLabel('Value').selectOption('?y');
    await page.getByText('No row has a number in both columns.').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
