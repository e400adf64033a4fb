import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM } from '../../../../scripts/chromium.mjs';
import { buildSuites } from './build-suites.ts';
import type { FileResult } from './page.ts';

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** Vitest keeps its state in a global, which its modules read while they load. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Tests of core</title>
<script>globalThis.__vitest_worker__ = { ctx: { pool: 'browser' }, config: {}, environment: { name: 'browser' }, onCleanup() {} };</script>
<script type="module" src="/browser/page.js"></script>`;

/**
 * Runs test files of core in Chromium, one after the other in one page, and reports each to
 * `onResult`. Paths are below `packages/core/test/`. Requires {@link CHROMIUM}.
 */
export async function runSuites(
  files: readonly string[],
  onResult: (file: string, result: FileResult) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-browser-suites-'));
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/') return response.setHeader('content-type', 'text/html').end(PAGE);
    const type = /^(?:\/[\w.-]+)+$/.test(url) ? TYPES[extname(url)] : undefined;
    if (!type) return response.writeHead(404).end();
    response.setHeader('content-type', type).end(readFileSync(join(folder, url)));
  });
  try {
    await buildSuites(files, folder);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      for (const file of files) {
        const path = `/${file.replace(/\.ts$/, '.js')}`;
        onResult(file, await page.evaluate<FileResult>(`runFile(${JSON.stringify(path)})`));
      }
    } finally {
      await browser.close();
    }
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
