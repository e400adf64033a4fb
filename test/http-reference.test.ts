import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fences } from './documents.ts';
import { ROOT } from './source-imports.ts';

const PAGE = 'docs/reference/http.md';
/** What the page says, and what stands for it here. */
const PAGE_ORIGIN = 'http://localhost:3000';
const PAGE_TOKEN = 'example-token';
const PAGE_ADMIN_TOKEN = 'admin-token';
const TOKEN = 'a-token-of-this-test';
const ADMIN_TOKEN = 'an-admin-of-this-test';

const run = promisify(execFile);
const text = readFileSync(join(ROOT, PAGE), 'utf8');
const lines = fences(PAGE, 'sh').flatMap(({ code }) => code.trimEnd().split('\n'));

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly string[];
}

const { paths } = JSON.parse(readFileSync(join(ROOT, 'packages/http/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { responses?: Record<string, unknown> }>>;
};
const operations: Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { responses }]) => responses)
    .map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(responses!).filter((status) => status !== 'default'),
    })),
);

/** The operation of a request; of two whose paths fit, the one with fewer variables. */
function operationOf(method: string, pathname: string): Operation | undefined {
  // OpenAPI has no variable for the rest of a path: `{graph}` says in words that it is one.
  const pattern = (path: string) => path.replace('{graph}', '.+').replaceAll(/\{[^}]+\}/g, '[^/]+');
  const fits = operations.filter(
    (each) => each.method === method && new RegExp(`^${pattern(each.path)}$`).test(pathname),
  );
  return fits.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
}

describe('the HTTP reference', () => {
  it('has a section for every operation of the OpenAPI document, with its statuses', () => {
    expect(operations.length).toBeGreaterThanOrEqual(42);
    const sections = text.split(/^#{2,3} /m);
    for (const { method, path, statuses } of operations) {
      const ofIt = sections.filter((section) => section.includes(`\`${method} ${path}\``));
      expect(ofIt.length, `${method} ${path}`).toBe(1);
      const answers = ofIt[0]!.split(/^- /m).find((item) => /^(Body and answers|Answers)\b/.test(item)) ?? '';
      expect(
        statuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(answers)),
        `${method} ${path}`,
      ).toEqual([]);
    }
  });

  it('ends every line with its status', () => {
    expect(lines.filter((line) => !/^curl .* # \d{3}$/.test(line))).toEqual([]);
  });
});

const version = /^curl (\d+)\.(\d+)/.exec(spawnSync('curl', ['--version'], { encoding: 'utf8' }).stdout ?? '');
const hasCurl = version !== null && (Number(version[1]) > 7 || Number(version[2]) >= 82);
const hasShell = spawnSync('sh', ['-c', 'exit 0']).status === 0;
const canRun = hasCurl && hasShell;
if (!canRun) console.warn(`${PAGE}: its lines are not run: they need sh, and curl 7.82 or later.`);

describe.skipIf(!canRun)('the lines of the HTTP reference', () => {
  let engine: WorldsEngine;
  let server: Server;
  let origin: string;
  const reached = new Set<Operation>();
  beforeAll(async () => {
    engine = await WorldsEngine.open({ textIndex: minisearchIndex() });
    const handler = createWorldsHandler(engine, {
      authenticate: staticTokens([
        { token: TOKEN, namespace: 'acme' },
        { token: ADMIN_TOKEN, admin: true },
      ]),
      baseUrl: PAGE_ORIGIN,
    });
    const listener = nodeListener(handler);
    server = createServer((message, outgoing) => {
      const operation = operationOf(message.method!, new URL(message.url!, PAGE_ORIGIN).pathname);
      outgoing.on('finish', () => {
        if (operation && outgoing.statusCode < 300) reached.add(operation);
      });
      listener(message, outgoing);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await engine.close();
  });

  // In their order: each finds what those before it have left.
  it.each(lines)('%s', async (line) => {
    const [, words, status] = /^curl (.*) # (\d{3})$/.exec(line)!;
    // Only where it is the host that is asked: as part of a graph's name the public address stays.
    const here = words!
      .replaceAll(new RegExp(`(^|[\\s'])${PAGE_ORIGIN}`, 'g'), (_, before: string) => before + origin)
      .replaceAll(`Bearer ${PAGE_TOKEN}`, `Bearer ${TOKEN}`)
      .replaceAll(`Bearer ${PAGE_ADMIN_TOKEN}`, `Bearer ${ADMIN_TOKEN}`);
    const { stdout } = await run('sh', [
      '-c',
      `curl -q --silent --noproxy '*' --max-time 20 --write-out '\\n%{http_code}' ${here}`,
    ]);
    expect(stdout.slice(stdout.lastIndexOf('\n') + 1), stdout).toBe(status);
  });

  it('go through every operation', () => {
    expect(
      operations.filter((operation) => !reached.has(operation)).map(({ method, path }) => `${method} ${path}`),
    ).toEqual([]);
  });
});
