import type { WorldsEngine } from '@rdf-worlds/core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

/** More than are read in one step. */
const MANY_COMMITS = 2_100;
/** More than are read of one commit. */
const MANY_QUADS = 10_500;

/** Without storage, commits are kept from the first feed on. */
async function keepChanges(engine: WorldsEngine): Promise<() => Promise<unknown>> {
  const feed = engine.changes({ after: (await engine.getNamespace())!.revision });
  const first = feed.next();
  return async () => {
    await first;
    await feed.return(undefined);
  };
}

const ADA = 'https://example.org/ada';
const addressOf = (world: string, name = ADA) =>
  `#/entity?worlds=${encodeURIComponent(`acme/${world}`)}&of=${encodeURIComponent(name)}`;

describe.skipIf(!executablePath)('the history of an entity', () => {
  let browser: Browser;
  let server: ConsoleServer;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    browser = await launchBrowser();
    server = await ConsoleServer.start();
    const { engine } = server;
    await engine.createWorld({ slug: 'open' });
    stop = await keepChanges(engine);
    const update = (query: string, source = 'open') => engine.update({ sources: [source], query });
    await update(`INSERT DATA { <${ADA}> <urn:name> "Ada" . <urn:other> <urn:name> "Other" }`);
    await update(`INSERT DATA { <urn:other> <urn:age> 1 }`);
    await update(`INSERT DATA { GRAPH <urn:letters> { <urn:other> <urn:knows> <${ADA}> } }`);
    await update(
      `DELETE DATA { <${ADA}> <urn:name> "Ada" } ; INSERT DATA { <${ADA}> <urn:name> "Ada Lovelace", "A. L." }`,
    );
    await engine.createWorld({ slug: 'large' });
    const lines = Array.from({ length: MANY_QUADS }, (_, i) => `<urn:s:${i}> <urn:p> "${i}" .`);
    await engine.import({ source: 'large', contentType: 'text/turtle', data: lines.join('\n') });
    await engine.createWorld({ slug: 'long' });
    await update(`INSERT DATA { <${ADA}> <urn:name> "first" }`, 'long');
    for (let i = 1; i < MANY_COMMITS; i++) await update(`INSERT DATA { <urn:s> <urn:p> ${i} }`, 'long');
    await update(`INSERT DATA { <${ADA}> <urn:name> "last" }`, 'long');
  }, 120_000);
  afterAll(async () => {
    await stop?.();
    await browser?.close();
    await server?.close();
  });

  async function open(place: string, { token = TOKENS.admin as string } = {}) {
    const watched = await WatchedPage.open(browser, server.url);
    await watched.signIn(server.url, token, place);
    await watched.page.getByRole('tab', { name: 'History' }).click();
    return watched;
  }
  const commits = (page: Page) => page.getByRole('list', { name: 'History' }).getByRole('listitem');

  it('shows by commit what was inserted and deleted about it, the newest first', async () => {
    const watched = await open(addressOf('open'));
    const { page } = watched;
    await commits(page).first().waitFor();
    const texts = (await commits(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    const [renamed, linked, named] = texts;
    expect(texts).toHaveLength(3);
    expect(renamed).toMatch(/^Revision 5 .*\+2 −1 − \S+ada \S+name Ada \+ \S+ada \S+name .*\+ \S+ada \S+name /);
    expect(linked).toMatch(/^Revision 4 .*\+1 \+ \S+other \S+knows \S+ada \S+letters$/);
    expect(named).toMatch(/^Revision 2 .*\+1 \+ \S+ada \S+name Ada$/);
    const times = (await page.evaluate(
      "[...document.querySelectorAll('.changes time')].map((time) => Date.parse(time.dateTime))",
    )) as number[];
    expect(times).toEqual([...times].sort((a, b) => b - a));
    await page.getByText('Changes before revision 2 are not kept.').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows what became of an entity that is gone', async () => {
    await server.engine.update({ sources: ['open'], query: 'INSERT DATA { <urn:gone> <urn:p> "there" }' });
    await server.engine.update({ sources: ['open'], query: 'DELETE WHERE { <urn:gone> ?p ?o }' });
    const watched = await open(addressOf('open', 'urn:gone'));
    await watched.page.getByText('These worlds say nothing about it').waitFor();
    await expect.poll(() => commits(watched.page).count()).toBe(2);
    expect(await commits(watched.page).first().innerText()).toContain('−1');
    await watched.close();
  });

  it('reads a limited number of commits at a time, and says how far back', async () => {
    const watched = await open(addressOf('long'));
    const { page } = watched;
    await commits(page).first().waitFor();
    expect(await commits(page).count()).toBe(1);
    expect(await commits(page).first().innerText()).toContain('last');
    await page.getByText(/The changes were read back to revision [\d,]+\./).waitFor();
    await page.getByRole('button', { name: 'Read earlier changes' }).click();
    await expect.poll(() => commits(page).count()).toBe(2);
    expect(await commits(page).last().innerText()).toContain('first');
    await page.getByText('Changes before revision 2 are not kept.').waitFor();
    expect(await page.getByRole('button', { name: 'Read earlier changes' }).count()).toBe(0);
    await watched.close();
  });

  it('says which commits were not read to their end', async () => {
    const watched = await open(addressOf('large'));
    await watched.page
      .getByText('Only the first 10,000 of the 10,500 quads of this commit were read', { exact: false })
      .waitFor();
    await watched.close();
  });

  it('starts at the oldest change that is kept, which the server says', async () => {
    const small = await ConsoleServer.start({}, { retainChangesBytes: 8_000 });
    const { engine } = small;
    await engine.createWorld({ slug: 'open' });
    const stopSmall = await keepChanges(engine);
    for (let i = 0; i < 500; i++)
      await engine.update({ sources: ['open'], query: `INSERT DATA { <${ADA}> <urn:p> ${i} }` });
    // The oldest one, by asking for each.
    const { revision } = (await engine.getNamespace())!;
    let oldest = revision;
    for (; ; oldest--) {
      const feed = engine.changes({ after: oldest - 1 });
      const isKept = await feed.next().then(
        () => true,
        () => false,
      );
      await feed.return(undefined);
      if (!isKept) break;
    }
    expect(revision - oldest).toBeGreaterThan(10);
    expect(oldest).toBeGreaterThan(10);
    const watched = await WatchedPage.open(browser, small.url);
    const asked: URL[] = [];
    watched.page.on('request', (request) => {
      if (request.url().includes('/changes')) asked.push(new URL(request.url()));
    });
    await watched.signIn(small.url, TOKENS.admin, addressOf('open'));
    await watched.page.getByRole('tab', { name: 'History' }).click();
    await watched.page.getByText(`Changes before revision ${oldest + 1} are not kept.`).waitFor();
    expect(await commits(watched.page).count()).toBe(revision - oldest);
    // A refused one, the sizes, and the quads.
    expect(asked).toHaveLength(3);
    expect(asked.filter(({ searchParams }) => searchParams.get('quads') !== '0')).toHaveLength(1);
    expect(watched.problems).toEqual([]);
    await watched.close();
    await stopSmall();
    await small.close();
  });

  it('explains itself to callers that are not told revisions', async () => {
    const watched = await open(addressOf('open'), { token: TOKENS.reader });
    await watched.page.getByText('a token that may read the whole namespace').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('stops reading when the page is left', async () => {
    const watched = await WatchedPage.open(browser, server.url);
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.admin, addressOf('open'));
    // Never answered.
    await page.route('**/changes?*', () => undefined);
    const asked = page.waitForRequest(/\/changes\?/);
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/changes?'));
    await page.getByRole('tab', { name: 'History' }).click();
    await asked;
    await watched.go('#/worlds');
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
