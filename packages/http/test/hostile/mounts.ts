import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consolePages } from '@rdf-worlds/console';
import type { ServiceMount, ServicePages } from '@rdf-worlds/http';
import { mcpMount } from '@rdf-worlds/mcp';
import { WORLD } from './attack.ts';

/** What the attacked service offers besides its routes, as `rdf-worlds serve` does. */
export const MOUNTS: readonly ServiceMount[] = [
  mcpMount(),
  mcpMount({ path: '/reference', compat: 'memory', defaultWorld: WORLD, createDefaultWorld: true }),
];

/** The console, with files of its own, so that the tests need no built app. */
export const PAGES: readonly ServicePages[] = [pages()];

function pages(): ServicePages {
  const directory = mkdtempSync(join(tmpdir(), 'hostile-console-'));
  try {
    writeFileSync(join(directory, 'index.html'), `<!doctype html><title>Console</title>${'<p>text</p>'.repeat(1_000)}`);
    return consolePages({ directory });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
