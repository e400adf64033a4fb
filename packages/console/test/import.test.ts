import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EXPORT_FORMATS } from '../app/rdf/formats.ts';
import { executablePath, launchBrowser, WatchedPage } from './browser.ts';
import { ConsoleServer, TOKENS } from './console-server.ts';

describe.skipIf(!executablePath)('import and export', () => {
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

  async function open(slug: string, tab = 'import', ignore?: RegExp): Promise<WatchedPage> {
    await server.engine.createWorld({ slug, ifExists: 'return' });
    const watched = await WatchedPage.open(browser, server.url, { ignore });
    await watched.signIn(server.url, TOKENS.tenant, `#/world/acme/${slug}?tab=${tab}`);
    await watched.page.getByRole('tab', { name: tab === 'import' ? 'Import' : 'Export' }).waitFor();
    return watched;
  }

  /** Drops a file of lines, made in the page, on an element. */
  async function drop(
    page: Page,
    selector: string,
    file: { name: string; lines: number; line: string; isDamaged?: boolean },
  ): Promise<void> {
    await page.locator(selector).waitFor();
    await page.evaluate(`(async () => {
      const { name, lines, line, isDamaged } = ${JSON.stringify(file)};
      const text = Array.from({ length: lines }, (_, i) => line.replaceAll('#', i)).join('');
      let content = new Blob([text]);
      if (name.endsWith('.gz'))
        content = await new Response(content.stream().pipeThrough(new CompressionStream('gzip'))).blob();
      if (isDamaged) content = content.slice(0, -10);
      const data = new DataTransfer();
      data.items.add(new File([content], name));
      for (const type of ['dragenter', 'dragover', 'drop'])
        document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
  }
  async function slowUploads(page: Page, bytesPerSecond: number): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    });
  }
  async function quadsOf(slug: string): Promise<number> {
    const rows = await server.engine.select({ sources: [slug], query: 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }' });
    return Number((await rows.array())[0]!.get('n')!.value);
  }

  it('imports a dropped file of 100,000 quads with progress, recognised by its name', async () => {
    const watched = await open('dropped');
    const { page } = watched;
    // Notes each state of the progress bar.
    await page.evaluate(`(() => {
      window.seen = new Set();
      new MutationObserver(() => {
        const bar = document.querySelector('[role=progressbar]');
        if (bar) window.seen.add(document.querySelector('.jobs li').dataset.phase);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    })()`);
    await drop(page, '.drop-zone', { name: 'data.nt', lines: 100_000, line: '<urn:s:#> <urn:p> "value #" .\n' });
    const job = page.locator('.jobs li[data-phase="done"]');
    await job.waitFor();
    const text = await job.innerText();
    expect(text).toContain('N-Triples');
    expect(text).toContain('100,000 new');
    expect(text).toMatch(/[\d,]+ quads\/s/);
    expect(await page.evaluate('window.seen.size')).toBeGreaterThan(0);
    expect(await quadsOf('dropped')).toBe(100_000);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.locator('.numbers').getByText('100,000').waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('imports a file in gzip, with the progress of what is sent, which is not packed', async () => {
    const watched = await open('packed');
    const { page } = watched;
    await slowUploads(page, 200_000);
    await page.evaluate(`(() => {
      window.seen = new Set();
      new MutationObserver(() => {
        const job = document.querySelector('.jobs li[data-phase="sending"] [aria-live]');
        if (job) window.seen.add(job.innerText);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    })()`);
    const line = '<urn:s> <urn:p> "value #" .\n';
    await drop(page, '.drop-zone', { name: 'data.nt.gz', lines: 10_000, line });
    const job = page.locator('.jobs li[data-phase="done"]');
    await job.waitFor();
    expect(await job.innerText()).toContain('10,000 new');
    const states = ((await page.evaluate('[...window.seen]')) as string[]).map((text) =>
      /^([\d.]+) KiB of (\d+) KiB · [\d,]+ quads\/s$/.exec(text),
    );
    // Ten of the lines' digits have 1, 90 have 2, and so on.
    const bytes = 10_000 * (line.length - 1) + 10 + 90 * 2 + 900 * 3 + 9_000 * 4;
    expect(states.length).toBeGreaterThan(0);
    for (const state of states) {
      expect(Number(state?.[2])).toBe(Math.round(bytes / 1024));
      expect(Number(state?.[1])).toBeLessThanOrEqual(Math.round(bytes / 1024));
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('says that a file in gzip is incomplete', async () => {
    const watched = await open('damaged');
    const { page } = watched;
    await drop(page, '.drop-zone', { name: 'data.nt.gz', lines: 10, line: '<urn:s> <urn:p> #.\n', isDamaged: true });
    await page.getByText('The gzip data is damaged or incomplete.').waitFor();
    expect(await quadsOf('damaged')).toBe(0);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('cancels an import, which then changed nothing', async () => {
    const watched = await open('cancelled', 'import', /ERR_/);
    const { page } = watched;
    // There is time to cancel.
    await slowUploads(page, 200_000);
    await drop(page, '.drop-zone', { name: 'data.nt', lines: 100_000, line: '<urn:s:#> <urn:p> "value #" .\n' });
    await page.locator('.jobs li [role=progressbar]').waitFor();
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await page.getByText('Cancelled, nothing was changed').waitFor();
    expect(await quadsOf('cancelled')).toBe(0);
    await watched.close();
  });

  it('does not promise that nothing was changed once the server has the whole document', async () => {
    const watched = await open('doubtful');
    const { page } = watched;
    const importAll = server.engine.importAll.bind(server.engine);
    let isCommitted = false;
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow = vi.spyOn(server.engine, 'importAll').mockImplementation(async (request) => {
      const result = await importAll(request);
      isCommitted = true;
      await answered;
      return result;
    });
    await page.getByLabel('Or paste a text').fill('<urn:a> <urn:b> "one", "two" .');
    await page.getByRole('button', { name: 'Import the text' }).click();
    await page.locator('.jobs li[data-phase="committing"]').waitFor();
    await expect.poll(() => isCommitted).toBe(true);
    await page.getByRole('button', { name: /^Cancel/ }).click();
    await page.getByText('Cancelled during the commit').waitFor();
    answer();
    slow.mockRestore();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.locator('.numbers').getByText('2', { exact: true }).first().waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('takes files that are dropped anywhere on the page, with the options that are shown', async () => {
    const watched = await open('anywhere');
    const { page } = watched;
    const file = { name: 'data.nt', lines: 2, line: '<urn:s:#> <urn:p> "value #" .\n' };
    await page.getByRole('tab', { name: 'Overview' }).click();
    await drop(page, '.page', file);
    await page.getByRole('tab', { name: 'Import', selected: true }).waitFor();
    await page.locator('.jobs li[data-phase="done"]').waitFor();
    await page.getByLabel('Into the graph').fill('urn:g');
    await drop(page, '.page', file);
    await expect.poll(() => page.locator('.jobs li[data-phase="done"]').count()).toBe(2);
    const query = 'SELECT (COUNT(*) AS ?n) { GRAPH <urn:g> { ?s ?p ?o } }';
    const rows = await (await server.engine.select({ sources: ['anywhere'], query })).array();
    expect(rows[0]!.get('n')!.value).toBe('2');
    await page.getByText('Replace what is there').click();
    await drop(page, '.page', file);
    await page.getByRole('dialog', { name: 'Replace what is there?' }).waitFor();
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('imports one file after the other, and not the one that is cancelled while it waits', async () => {
    const watched = await open('queued');
    const { page } = watched;
    await slowUploads(page, 200_000);
    await drop(page, '.drop-zone', { name: 'first.nt', lines: 20_000, line: '<urn:s:#> <urn:p> "value #" .\n' });
    await page.locator('.jobs li [role=progressbar]').waitFor();
    for (const name of ['second.nt', 'third.nt'])
      await drop(page, '.drop-zone', { name, lines: 1, line: `<urn:of> <urn:file> "${name}" .\n` });
    const job = (name: string) => page.locator('.jobs li', { hasText: name });
    await job('second.nt').getByText('Waiting').waitFor();
    await page.getByRole('button', { name: 'Cancel second.nt' }).click();
    await job('second.nt').getByText('Cancelled, nothing was changed').waitFor();
    await page.locator('.jobs li[data-phase="done"]', { hasText: 'third.nt' }).waitFor();
    expect(await quadsOf('queued')).toBe(20_001);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('says that the connection broke during an import, of which nothing is left, and takes the next one', async () => {
    const watched = await open('broken-off', 'import', /ERR_|Failed to load/);
    const { page } = watched;
    await slowUploads(page, 100_000);
    await drop(page, '.drop-zone', { name: 'data.nt', lines: 20_000, line: '<urn:s:#> <urn:p> "value #" .\n' });
    await page.locator('.jobs li[data-phase="sending"]').waitFor();
    await server.hangUp();
    await page.locator('.jobs li[data-phase="failed"]').waitFor();
    await page.getByText('The server does not answer.').first().waitFor();
    expect(await quadsOf('broken-off')).toBe(0);
    await server.listen();
    await page.getByText('The server does not answer.').waitFor({ state: 'detached' });
    await page.getByLabel('Or paste a text').fill('<urn:a> <urn:b> "c" .');
    await page.getByRole('button', { name: 'Import the text' }).click();
    await page.locator('.jobs li[data-phase="done"]').waitFor();
    expect(await quadsOf('broken-off')).toBe(1);
    await watched.close();
  });

  it('asks before it replaces what is there', async () => {
    await server.engine.createWorld({ slug: 'replaced' });
    const data = '<urn:a> <urn:b> "old one", "old two" .';
    await server.engine.import({ source: 'replaced', contentType: 'text/turtle', data });
    const watched = await open('replaced');
    const { page } = watched;
    await page.getByLabel('Or paste a text').fill('<urn:a> <urn:b> "new" .');
    await page.getByText('Replace what is there').click();
    const submit = page.getByRole('button', { name: 'Import the text' });
    await submit.click();
    const dialog = page.getByRole('dialog', { name: 'Replace what is there?' });
    await dialog.getByText('The data of the world acme/replaced is deleted').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator('.jobs li').count()).toBe(0);
    expect(await quadsOf('replaced')).toBe(2);
    // Files, too.
    await drop(page, '.drop-zone', { name: 'data.nt', lines: 3, line: '<urn:s:#> <urn:p> "value #" .\n' });
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await page.locator('.jobs li[data-phase="done"]').waitFor();
    expect(await quadsOf('replaced')).toBe(3);
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('shows a mistake at its line with the lines around it', async () => {
    const watched = await open('broken', 'import', /400/);
    const { page } = watched;
    await page
      .getByLabel('Or paste a text')
      .fill('<urn:a> <urn:b> "one" .\n<urn:a> <urn:b> "tw\\o" .\n<urn:a> <urn:b> "three" .\n');
    await page.getByText('Recognised as').waitFor();
    await page.getByRole('button', { name: 'Import the text' }).click();
    const lines = page.locator('.lines-around');
    await lines.waitFor();
    expect(await lines.locator('.at').innerText()).toContain('"tw');
    expect(await lines.innerText()).toContain('three');
    expect(await quadsOf('broken')).toBe(0);
    await watched.close();
  });

  it('recognises each format by its text', async () => {
    const watched = await open('recognised');
    for (const [name, text] of [
      ['Turtle', '@prefix ex: <urn:> .\nex:a ex:b "c" .'],
      ['TriG', '<urn:g> { <urn:a> <urn:b> "c" . }'],
      ['N-Triples', '<urn:a> <urn:b> "c"@en .\n'],
      ['N-Quads', '<urn:a> <urn:b> "c" <urn:g> .\n'],
      ['JSON-LD', '{"@id": "urn:a", "urn:b": "c"}'],
      ['RDF/XML', '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'],
    ] as const) {
      await watched.page.getByLabel('Or paste a text').fill(text);
      await watched.page.getByText(`Recognised as ${name}`, { exact: true }).waitFor();
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('exports a graph in each format', async () => {
    await server.engine.createWorld({ slug: 'graphs' });
    await server.engine.import({
      source: 'graphs',
      contentType: 'application/trig',
      data: '<urn:a> <urn:b> "of the default graph" . <urn:g> { <urn:d> <urn:e> "of the named graph" }',
    });
    const watched = await open('graphs', 'export');
    const { page } = watched;
    for (const [graph, found, missing] of [
      ['urn:g', 'of the named graph', 'of the default graph'],
      ['The default graph', 'of the default graph', 'of the named graph'],
    ] as const) {
      await page.getByRole('combobox', { name: /^Graph/ }).selectOption(graph);
      for (const format of EXPORT_FORMATS) {
        await page.getByLabel('Format').selectOption(format.mediaType);
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download' }).click();
        const text = readFileSync(await (await download).path(), 'utf8');
        expect(text, format.name).toContain(found);
        expect(text, format.name).not.toContain(missing);
      }
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });

  it('exports a world in each format', async () => {
    await server.engine.createWorld({ slug: 'exported' });
    await server.engine.import({
      source: 'exported',
      contentType: 'application/trig',
      data: '<urn:a> <urn:b> "c" . <urn:g> { <urn:d> <urn:e> "f" }',
    });
    const watched = await open('exported', 'export');
    const { page } = watched;
    for (const [name, extension, found] of [
      ['N-Quads (.nq)', '.nq', '<urn:g>'],
      ['TriG (.trig)', '.trig', '"f"'],
      ['Turtle (.ttl)', '.ttl', '"c"'],
      ['N-Triples (.nt)', '.nt', '"c"'],
      ['JSON-LD (.jsonld)', '.jsonld', '"urn:g"'],
      ['RDF/XML (.rdf)', '.rdf', 'rdf:RDF'],
      ['Notation3 (.n3)', '.n3', '"c"'],
    ] as const) {
      await page.getByLabel('Format').selectOption(name);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toBe(`acme-exported${extension}`);
      const chunks: Buffer[] = [];
      for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
      expect(Buffer.concat(chunks).toString(), name).toContain(found);
    }
    expect(watched.problems).toEqual([]);
    await watched.close();
  });
});
