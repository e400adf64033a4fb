import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the installed version of a dependency of this package. */
export function packageVersion(name: string): string {
  // Searches upwards from the package's entry, because a package may not export its package.json.
  for (let folder = dirname(createRequire(import.meta.url).resolve(name)); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const found = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string; version: string };
      if (found.name === name) return found.version;
    }
    if (folder === dirname(folder)) throw new Error(`The package ${name} has no package.json.`);
  }
}
