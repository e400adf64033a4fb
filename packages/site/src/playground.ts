import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../playground/', import.meta.url));
const CORE = fileURLToPath(new URL('../../core/src/', import.meta.url));

/** Writes the playground to a folder: the engine with the platform of browsers, and the page. */
export async function buildPlayground(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(SOURCE, 'playground.ts')],
    outdir: folder,
    chunkNames: 'part-[name]-[hash]',
    alias: { '@rdf-worlds/core': join(CORE, 'index.ts'), '#platform': join(CORE, 'platform/browser.ts') },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
  for (const file of ['index.html', 'playground.css']) copyFileSync(join(SOURCE, file), join(folder, file));
}
