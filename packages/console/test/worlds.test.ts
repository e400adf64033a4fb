import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

describe.skipIf(!executablePath)('worlds', () => {
  let server: ConsoleServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await ConsoleServer.start();
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = (ignore?: RegExp) => WatchedPage.open(browser, server.url, { ignore });

  afterEach(() => server.resetTokens());

  it('asks who signs in, refuses a wrong token, and forgets a right one with the page', async () => {
    const watched = await open(/401/);
    const { page } = watched;
    await page.goto(`${server.url}/console`);
    await page.getByLabel('Token', { exact: true }).fill('a-token-that-is-wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('credentials are not valid').waitFor();
    await page.getByLabel('Token', { exact: true }).fill(TOKENS.tenant);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      TOKENS.tenant,
    );
    await page.reload();
    await page.getByLabel('Token', { exact: true }).waitFor();
    await page.getByLabel('Token', { exact: true }).fill(TOKENS.tenant);
    await page.getByText('Remember the token').click();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Token', { exact: true }).waitFor();
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(TOKENS.tenant);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('takes the token of a link, and removes it from the address', async () => {
    const watched = await open();
    const asked: string[] = [];
    watched.page.on('request', (request) => asked.push(request.url()));
    await watched.signIn(server.url, TOKENS.tenant);
    expect(watched.page.url()).toBe(`${server.url}/console/#/`);
    expect(asked.filter((url) => url.includes(TOKENS.tenant))).toEqual([]);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('creates a world, renames it, and deletes it once its name is typed', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.tenant);
    await page.getByRole('button', { name: 'New world' }).first().click();
    await page.getByLabel('Label').fill('Jardín de rosas');
    expect(await page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('jardin-de-rosas');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Jardín de rosas' }).waitFor();
    await page.getByText('This world is empty').waitFor();
    expect(await server.engine.getWorld({ source: 'acme/jardin-de-rosas' })).toMatchObject({
      label: 'Jardín de rosas',
    });

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Label').fill('Roses');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Roses' }).waitFor();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Type “jardin-de-rosas” to confirm').fill('jardin-de-rosas');
    await remove.click();
    await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor();
    expect(await server.engine.getWorld({ source: 'acme/jardin-de-rosas' })).toBeNull();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('pages and searches many worlds, with their sizes', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `many-${String(i).padStart(2, '0')}`);
    for (const slug of names) await server.engine.createWorld({ slug, label: `Number ${slug.slice(5)}` });
    await server.engine.import({
      source: 'many-42',
      data: '<urn:a> <urn:b> <urn:c>, <urn:d>, <urn:e> .',
      contentType: 'text/turtle',
    });
    const watched = await open();
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.tenant);
    await page.getByText('1–25 of 60').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Number 49' }).waitFor();
    await page.getByRole('searchbox').fill('number 42');
    const row = page.getByRole('row', { name: /Number 42/ });
    await row.getByRole('cell', { name: '3', exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    for (const slug of names) await server.engine.deleteWorld({ source: slug });
    await watched.close();
  });

  it('shows a tenant its own worlds only, and a reader no way to write', async () => {
    await server.engine.createWorld({ slug: 'open', label: 'Open to all' });
    await server.engine.createWorld({ slug: 'closed', label: 'Closed' });
    await server.engine.createWorld({ slug: 'secret', namespace: 'others', label: 'Of others' });
    const watched = await open(/40[134]/);
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.tenant);
    await page.getByRole('link', { name: 'Closed' }).waitFor();
    expect(await page.getByText('Of others').count()).toBe(0);
    expect(await page.getByLabel('Namespace').count()).toBe(0);
    await watched.go('#/world/others/secret');
    await page.getByRole('alert').getByText('PERMISSION_DENIED').waitFor();
    await watched.close();

    const reading = await open(/40[134]/);
    await reading.signIn(server.url, TOKENS.reader);
    await reading.go('#/worlds?namespace=acme');
    await reading.page.getByRole('link', { name: 'Open to all' }).waitFor();
    expect(await reading.page.getByRole('link', { name: 'Closed' }).count()).toBe(0);
    expect(await reading.page.getByRole('button', { name: 'New world' }).count()).toBe(0);
    await reading.page.getByRole('link', { name: 'Open to all' }).click();
    await reading.page.getByRole('tab', { name: 'Overview' }).waitFor();
    expect(await reading.page.getByRole('tab', { name: 'Import' }).isDisabled()).toBe(true);
    expect(await reading.page.getByRole('button', { name: 'More actions' }).count()).toBe(0);
    await reading.close();

    const administering = await open();
    await administering.signIn(server.url, TOKENS.admin);
    await administering.page.getByLabel('Namespace').selectOption('others');
    await administering.page.getByRole('link', { name: 'Of others' }).waitFor();
    await administering.close();
  });

  it('lets an administrator begin a namespace, and list its worlds', async () => {
    const watched = await open();
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.admin);
    await page.getByRole('button', { name: 'New world' }).first().click();
    await page.getByRole('textbox', { name: /^Name / }).fill('first');
    const namespace = page.getByRole('dialog').getByRole('combobox', { name: /^Namespace/ });
    expect(await namespace.inputValue()).toBe('acme');
    await namespace.fill('a new one');
    await page.getByRole('button', { name: 'Create' }).click();
    expect(await namespace.evaluate((input) => input.matches(':invalid'))).toBe(true);
    await namespace.fill('begun');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('This world is empty').waitFor();
    expect(await server.engine.getWorld({ source: 'begun/first' })).toMatchObject({ namespace: 'begun' });
    await watched.go('#/worlds');
    await page.getByLabel('Namespace').selectOption('begun');
    await page.getByRole('link', { name: 'first' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();

    const other = await open();
    await other.signIn(server.url, TOKENS.tenant);
    await other.page.getByRole('button', { name: 'New world' }).first().click();
    expect(await other.page.getByRole('dialog').getByText('Namespace').count()).toBe(0);
    await other.close();
  });

  it('asks for a new token when a session ends, and continues where it was', async () => {
    await server.engine.createWorld({ slug: 'kept', label: 'Kept' });
    const watched = await open(/401/);
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.tenant);
    await watched.go('#/world/acme/kept');
    await page.getByRole('heading', { name: 'Kept' }).waitFor();
    server.tokens.replace([{ token: 'the-next-token-of-the-tenant', id: 'tim', namespace: 'acme' }]);
    // Another request of the page may have noticed already, so that the dialog covers them.
    await page.getByRole('tab', { name: 'Export' }).dispatchEvent('click');
    await page.getByRole('button', { name: 'Download' }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Token', { exact: true }).fill('the-next-token-of-the-tenant');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Kept' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows no error behind the form of a session that ended, and loads after the sign-in', async () => {
    await server.engine.createWorld({ slug: 'texts' });
    const data = '<urn:a> <urn:says> "wisteria" .';
    await server.engine.import({ source: 'texts', contentType: 'text/turtle', data });
    const watched = await open(/401/);
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.tenant);
    server.tokens.replace([{ token: 'the-next-token-of-the-tenant', id: 'tim', namespace: 'acme' }]);
    const refused = page.waitForResponse((answer) => answer.url().includes('/search') && answer.status() === 401);
    await watched.go('#/search?q=wisteria&worlds=acme%2Ftexts');
    await refused;
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Token', { exact: true }).fill('the-next-token-of-the-tenant');
    expect(await page.getByText('UNAUTHENTICATED').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.hit', { hasText: 'wisteria' }).waitFor();
    server.resetTokens();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('says that the server is gone, and loads again once it is back', async () => {
    const watched = await open(/ERR_|Failed to load/);
    const { page } = watched;
    await watched.signIn(server.url, TOKENS.tenant);
    await server.hangUp();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByText('The server does not answer.').waitFor();
    await server.engine.createWorld({ slug: 'meanwhile', label: 'Created meanwhile' });
    await server.listen();
    await page.getByRole('link', { name: 'Created meanwhile' }).waitFor();
    expect(await page.getByText('The server does not answer.').count()).toBe(0);
    await watched.close();
  });
});
