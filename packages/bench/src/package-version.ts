import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the installed version of a dependency of this package, or of a package in the
 * `node_modules` of the folder `from`.
 */
export function packageVersion(name: string, from?: string): string {
  const seenFrom = from === undefined ? import.meta.url : join(from, 'package.json');
  // Searches upwards from the package's entry, because a package may not export its package.json.
  for (let folder = dirname(createRequire(seenFrom).resolve(name)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const found = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string; version: string };
      if (found.name === name) return found.version;
    }
    if (folder === dirname(folder)) throw new Error(`The package ${name} has no package.json.`);
  }
}
