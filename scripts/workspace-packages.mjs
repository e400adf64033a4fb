import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the packages of the workspace as `{ name, directory, manifest }`, with absolute
 * directories, in dependency order: the declarations of a package are built against the `dist` of
 * its dependencies.
 */
export function workspacePackages() {
  const found = new Map();
  for (const folder of readdirSync(join(ROOT, 'packages')).sort()) {
    const directory = join(ROOT, 'packages', folder);
    if (!statSync(join(directory, 'package.json'), { throwIfNoEntry: false })) continue;
    const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    found.set(manifest.name, { name: manifest.name, directory, manifest });
  }
  const ordered = new Set();
  const visit = (entry, path) => {
    if (path.includes(entry.name))
      throw new Error(`Packages depend on each other: ${[...path, entry.name].join(' -> ')}`);
    const { dependencies, peerDependencies, devDependencies } = entry.manifest;
    for (const name of Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies }))
      if (found.has(name)) visit(found.get(name), [...path, entry.name]);
    ordered.add(entry);
  };
  for (const entry of found.values()) visit(entry, []);
  return [...ordered];
}
