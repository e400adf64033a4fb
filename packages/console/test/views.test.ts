import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TURN } from '../../../test/turn.ts';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';
import { oddWorld } from './odd-world.ts';

/**
 * A folder for pictures of all views: `SCREENSHOTS=docs/images`, relative to the checkout. Without
 * it, the same views are checked and no picture is kept.
 */
const PICTURES =
  process.env.SCREENSHOTS &&
  `${resolve(fileURLToPath(new URL('../../..', import.meta.url)), process.env.SCREENSHOTS)}/`;
/** The pictures of documents: all that `SCREENSHOTS=docs/images` writes. Other folders get all. */
const DOCUMENTED = new Set([
  'worlds-light',
  'world-light',
  'import-light',
  'sparql-light',
  'graph-light',
  'chart-light',
  'plan-light',
  'search-light',
  'entity-light',
  'schema-light',
  'live-light',
  'search-narrow-dark',
]);
const ROOT = new URL('../../../', import.meta.url);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Of WCAG 2.2, levels A and AA. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Shown {
  readonly name: string;
  readonly place: string;
  /** The worlds that are chosen. */
  readonly worlds?: string;
  /** What to do before the view is complete. */
  readonly act?: (page: Page, server: ConsoleServer) => Promise<void>;
  /**
   * Dialogs and menus that are opened in it, one after the other. Where all settings are checked,
   * each is checked light and dark.
   */
  readonly opens?: readonly Opened[];
}

interface Opened {
  readonly name: string;
  readonly open: (page: Page, server: ConsoleServer) => Promise<void>;
  /** Presses Escape when not given. */
  readonly close?: (page: Page, server: ConsoleServer) => Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
const OPENED = '.menu, dialog[open]';
const shown = (page: Page) => page.locator(OPENED).first().waitFor();
/** Clicks one button after the other. */
const clicked =
  (...names: readonly (string | RegExp)[]): Opened['open'] =>
  async (page) => {
    for (const name of names) await button(page, name).click();
    await shown(page);
  };
/** Opens a menu, and a dialog with an entry of it. */
const chosen =
  (menu: string, entry: string): Opened['open'] =>
  async (page) => {
    await button(page, menu).click();
    await page.getByRole('menuitem', { name: entry }).click();
    await shown(page);
  };

const QUERY = `PREFIX : <https://example.org/vocab#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?moon ?name ?planet ?radius
WHERE {
  ?moon a :Moon ; rdfs:label ?name ; :orbits ?planet .
  OPTIONAL { ?moon :meanRadiusKm ?radius }
  FILTER(LANG(?name) = "en")
}
ORDER BY DESC(?radius)
`;

const typed = async (page: Page, text: string) => {
  await page.getByRole('button', { name: 'New query' }).click();
  const editor = page.getByRole('textbox', { name: 'Query editor' });
  await editor.waitFor();
  await editor.click();
  await page.keyboard.insertText(text);
};
const ran = async (page: Page, text: string) => {
  await typed(page, text);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('[data-phase="done"]').waitFor();
};
const settled = (page: Page) => page.locator('[data-graph][data-settled="true"]').waitFor();

const VIEWS: readonly Shown[] = [
  {
    name: 'worlds',
    place: '#/worlds',
    act: (page) => page.getByRole('link', { name: 'Elements' }).waitFor(),
    opens: [
      { name: 'create', open: clicked('New world') },
      { name: 'account-menu', open: clicked(/^Account and appearance/) },
      {
        name: 'expired',
        async open(page, server) {
          server.tokens.replace([]);
          await page.evaluate("location.hash = '#/search?q=moon'");
          await shown(page);
        },
        close: async (_, server) => server.resetTokens(),
      },
    ],
  },
  {
    name: 'odd-worlds',
    place: '#/worlds?namespace=strange',
    act: (page) => page.getByRole('link', { name: /^Odd/ }).waitFor(),
  },
  {
    name: 'world',
    place: '#/world/acme/space',
    act: (page) => page.getByText('Show all').first().waitFor(),
    opens: [
      { name: 'world-menu', open: clicked('More actions') },
      { name: 'rename', open: chosen('More actions', 'Rename') },
      { name: 'delete', open: chosen('More actions', 'Delete') },
    ],
  },
  { name: 'empty-world', place: '#/world/acme/empty', act: (page) => page.getByText('This world is empty').waitFor() },
  {
    name: 'import',
    place: '#/world/acme/empty?tab=import',
    async act(page) {
      await page
        .getByLabel('Or paste a text')
        .fill('@prefix ex: <https://example.org/> .\nex:a ex:b "c" ;\n  ex:d .\n');
      await page.getByRole('button', { name: 'Import the text' }).click();
      await page.locator('.lines-around').waitFor();
    },
    opens: [
      {
        name: 'replace',
        async open(page, server) {
          await page.getByText('Replace what is there').click();
          await clicked('Import the text')(page, server);
        },
      },
    ],
  },
  { name: 'export', place: '#/world/acme/space?tab=export', act: (page) => page.getByText('canonical').waitFor() },
  {
    name: 'sparql',
    place: '#/sparql',
    act: (page) => ran(page, QUERY),
    opens: [
      { name: 'picker', open: clicked(/^Worlds$/) },
      { name: 'download-menu', open: clicked('Download') },
      {
        name: 'copy-refused',
        async open(page, server) {
          // As on pages of plain HTTP.
          await page.evaluate(
            "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })",
          );
          await clicked('Copy the link')(page, server);
        },
      },
      {
        name: 'update',
        async open(page, server) {
          await typed(page, 'INSERT DATA { <urn:a> <urn:b> <urn:c> }');
          await clicked('Run')(page, server);
        },
      },
    ],
  },
  { name: 'empty-result', place: '#/sparql', worlds: 'acme/empty', act: (page) => ran(page, 'SELECT * { ?s ?p ?o }') },
  {
    name: 'completion',
    place: '#/sparql',
    async act(page) {
      await typed(page, 'SELECT *\nWHERE {\n  ?thing ');
      await page.keyboard.press('Control+Space');
      await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
    },
  },
  {
    name: 'functions',
    place: '#/sparql',
    async act(page) {
      await typed(page, 'SELECT *\nWHERE {\n  ?thing ?p ?o FILTER(STR');
      await page.keyboard.press('Control+Space');
      await page.locator('.cm-completionInfo').waitFor();
    },
  },
  {
    name: 'graph',
    place: '#/sparql',
    async act(page) {
      await ran(page, 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(ISIRI(?o)) } LIMIT 350\n');
      await page.getByRole('tab', { name: 'Graph' }).click();
      const splitter = page.getByRole('separator', { name: 'Height of the editor' });
      for (let press = 0; press < 6; press++) await splitter.press('ArrowUp');
      await splitter.blur();
      await settled(page);
    },
  },
  {
    name: 'chart',
    place: '#/sparql',
    async act(page) {
      await ran(
        page,
        'SELECT ?class (COUNT(*) AS ?instances)\nWHERE { ?s a ?class }\nGROUP BY ?class\nORDER BY DESC(?instances)\n',
      );
      await page.getByRole('tab', { name: 'Chart' }).click();
      await page.locator('.bars').waitFor();
    },
  },
  {
    name: 'plan',
    place: '#/sparql',
    async act(page) {
      await ran(page, QUERY);
      await page.getByRole('tab', { name: 'Plan' }).click();
      await page.locator('.operator').first().waitFor();
    },
  },
  {
    name: 'search',
    place: '#/search?q=light%20planet',
    worlds: 'acme/space acme/elements',
    act: async (page) => {
      await page.locator('.hit').first().waitFor();
      await page.getByRole('button', { name: /^Why/ }).first().click();
    },
  },
  {
    name: 'entity',
    place: '#/search?q=saturn',
    async act(page) {
      await page.locator('.hit a').first().click();
      await page.locator('.properties').waitFor();
    },
  },
  {
    name: 'entity-graph',
    place: '#/search?q=saturn',
    async act(page) {
      await page.locator('.hit a').first().click();
      await page.getByRole('tab', { name: 'Graph' }).click();
      await settled(page);
    },
    opens: [
      { name: 'graph-filter', open: clicked('Predicates') },
      { name: 'picture-menu', open: clicked('Save as a picture') },
    ],
  },
  { name: 'schema', place: '#/schema', act: settled },
  {
    name: 'empty-schema',
    place: '#/schema',
    worlds: 'acme/empty',
    act: (page) => page.locator('.empty').waitFor(),
  },
  {
    name: 'odd-search',
    place: '#/search?q=text',
    worlds: 'strange/odd acme/space',
    act: async (page) => {
      await page.locator('.hit').first().waitFor();
      await page.getByRole('button', { name: /^Why/ }).first().click();
    },
  },
  {
    name: 'empty-search',
    place: '#/search?q=nothing%20of%20the%20kind',
    worlds: 'acme/empty',
    act: (page) => page.locator('.empty').waitFor(),
  },
  { name: 'search-start', place: '#/search', act: (page) => page.locator('.empty').waitFor() },
  {
    name: 'live',
    place: '#/live',
    async act(page, { engine }) {
      await page.locator('.numbers.card').waitFor();
      await page.getByText('Connected').waitFor();
      const note = '<https://example.org/body/titan> <https://example.org/vocab#note> "Has seas of methane."@en';
      for (const verb of ['INSERT', 'DELETE'])
        await engine.update({ sources: ['space'], query: `${verb} DATA { ${note} }` });
      await page.getByRole('button', { name: 'Show', exact: true }).nth(1).click();
      await page.locator('.quad').first().waitFor();
    },
  },
  {
    name: 'odd',
    place: '#/sparql',
    worlds: 'strange/odd',
    act: (page) =>
      ran(page, 'SELECT ?s ?p ?o { ?s ?p ?o FILTER(STRSTARTS(STR(?p), "urn:p")) } ORDER BY ?p LIMIT 200\n'),
  },
  { name: 'odd-world', place: '#/world/strange/odd', act: (page) => page.getByText('Show 500 more').first().waitFor() },
  {
    name: 'odd-entity',
    place: `#/entity?worlds=strange%2Fodd&of=${encodeURIComponent('https://example.org/hostile')}`,
    act: (page) => page.locator('.properties').waitFor(),
    opens: [{ name: 'whole-value', open: clicked(/^Show all [\d,]+ characters/) }],
  },
  {
    name: 'odd-history',
    place: `#/entity?worlds=strange%2Fodd&of=${encodeURIComponent('https://example.org/hostile')}`,
    async act(page) {
      await page.getByRole('tab', { name: 'History' }).click();
      await page.locator('.quad').first().waitFor();
    },
  },
];

const ALL_SETTINGS = [
  { name: 'light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: 'narrow', viewport: { width: 390, height: 780 }, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: { width: 390, height: 780 }, colorScheme: 'dark' },
] as const;
const IN_ALL_SETTINGS = Boolean(PICTURES) || process.env.CONSOLE_SETTINGS === 'all';
/**
 * Unless all are asked for, a run checks every other view, each in one setting: eight turns check
 * all views in all settings.
 */
const isInTurn = (at: number, setting: string) => {
  if (at % 2 !== TURN % 2) return false;
  return ALL_SETTINGS[((at + TURN - (TURN % 2) - (at % 2)) / 2) % ALL_SETTINGS.length].name === setting;
};
const viewsIn = (setting: string) => VIEWS.filter((_, at) => IN_ALL_SETTINGS || isInTurn(at, setting));

describe.skipIf(!executablePath)('all views', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await ConsoleServer.start();
    const { engine } = server;
    await engine.createWorld({
      slug: 'space',
      label: 'Space',
      description: 'Missions, agencies, bodies of the solar system',
    });
    await engine.createWorld({
      slug: 'elements',
      label: 'Elements',
      description: 'The periodic table and its discoverers',
    });
    await engine.createWorld({ slug: 'empty' });
    for (const slug of ['space', 'elements']) {
      const data = readFileSync(new URL(`examples/data/${slug}.trig`, ROOT));
      await engine.import({ source: slug, data, contentType: 'application/trig' });
    }
    // Without storage, commits are kept for histories from the first feed on.
    await engine.createWorld({ namespace: 'strange', slug: 'first' });
    const feed = engine.changes({ namespace: 'strange' });
    const first = feed.next();
    // In a list of its own, which is no picture of the documents.
    await oddWorld(engine, 'odd', 'strange');
    await first;
    await feed.return(undefined);
    browser = await launchBrowser();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens a dialog or menu, and returns its problems. */
  async function problemsIn({ name, open, close }: Opened, page: Page, setting: string): Promise<string[]> {
    const problems: string[] = [];
    try {
      await open(page, server);
      const own = setting.includes('dark') ? 'dark' : 'light';
      for (const colorScheme of IN_ALL_SETTINGS ? (['light', 'dark'] as const) : ([own] as const)) {
        await page.emulateMedia({ colorScheme });
        await atRest(page);
        if (colorScheme === own) await picture(page, `${name}-${setting}`);
        problems.push(...(await problemsOf(page, `${name}, ${colorScheme}`, OPENED)));
      }
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
      if (PICTURES) await page.screenshot({ path: `${PICTURES}failed-${name}-${setting}.png` });
    }
    if (close) await close(page, server);
    else await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: setting.includes('dark') ? 'dark' : 'light' });
    return problems;
  }

  it.each(ALL_SETTINGS)(
    'have no violation of WCAG, no overflow and no error: $name',
    async ({ name: setting, ...options }) => {
      const failures: string[] = [];
      const first = await WatchedPage.open(browser, server.url, { ...options, ignore: /401/ });
      await first.page.goto(`${server.url}/console/`);
      await first.page.getByRole('button', { name: 'Sign in' }).waitFor();
      failures.push(...(await problemsOf(first.page, 'sign-in')));
      await picture(first.page, `sign-in-${setting}`);
      await first.close();
      for (const { name, place, worlds = 'acme/space', act, opens = [] } of viewsIn(setting)) {
        // The import shows an error of the server, and a token is refused.
        const watched = await WatchedPage.open(browser, server.url, { ...options, ignore: /40[014]/ });
        const { page } = watched;
        await page.addInitScript(`localStorage['rdf-worlds.of.ada.worlds'] = ${JSON.stringify(worlds)}`);
        await watched.signIn(server.url, TOKENS.admin, place);
        try {
          await act?.(page, server);
        } catch (error) {
          failures.push(`${name}: ${(error as Error).message} ${watched.problems}`);
          if (PICTURES) await page.screenshot({ path: `${PICTURES}failed-${name}-${setting}.png` });
          await watched.close();
          continue;
        }
        await atRest(page);
        await picture(page, `${name}-${setting}`);
        failures.push(...(await problemsOf(page, name)));
        for (const opened of opens) failures.push(...(await problemsIn(opened, page, setting)));
        failures.push(...watched.problems.map((problem) => `${name}: ${problem}`));
        await watched.close();
      }
      expect(failures).toEqual([]);
    },
    400_000,
  );
});

/** Waits for fonts, and until transitions have ended. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  })()`);
}

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES || (process.env.SCREENSHOTS === 'docs/images' && !DOCUMENTED.has(name))) return;
  // The pointer would colour what is below it.
  await page.mouse.move(0, 0);
  await atRest(page);
  const png = (await page.screenshot()).toString('base64');
  writeFileSync(`${PICTURES}console-${name}.webp`, await asWebp(page, png));
}

/** Half the bytes of PNG, or less. The browser has an encoder. */
async function asWebp(page: Page, png: string): Promise<Buffer> {
  const webp = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(png)}), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    const encoded = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(encoded, (byte) => String.fromCharCode(byte)).join(''));
  })()`);
  return Buffer.from(webp as string, 'base64');
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Arrow keys of the editor scroll its list of completions (aria-activedescendant), which axe cannot
 * see.
 */
const isCompletionList = (id: string, html: string) =>
  id === 'scrollable-region-focusable' && html.includes('aria-label="Completions"');

/**
 * Returns violations of accessibility, of the page or of the elements of a selector, and what is
 * wider than the window.
 */
async function problemsOf(page: Page, name: string, selector = 'html'): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const run = `axe.run(${JSON.stringify(selector)}, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as readonly Violation[];
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  const cut = await page.evaluate(`[...document.querySelectorAll(${JSON.stringify(OPENED)})].some((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < 0 || right > innerWidth);
  })`);
  const wider = (await page.evaluate(`[...document.querySelectorAll('.card')]
    .filter((card) => getComputedStyle(card).overflowX === 'visible' && card.scrollWidth > card.clientWidth)
    .map((card) => card.className + ' ' + card.innerText.slice(0, 80))`)) as readonly string[];
  return [
    ...wider.map((text) => `${name}: something is wider than its card: ${text}`),
    ...violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => !isCompletionList(id, html))
        .map(
          ({ html, failureSummary = '' }) => `${name}: ${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 200)}`,
        ),
    ),
    ...(wide ? [`${name}: the page is wider than the window`] : []),
    ...(cut ? [`${name}: a menu or dialog is outside of the window`] : []),
  ];
}
