import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npmOutput } from './npm.mjs';

/**
 * Packs a workspace package as npm would publish it, into the folder `destination`. Returns
 * `{ tarball, files }`: the path of the tarball and the names of its files. Throws if the package
 * is not built.
 */
export function packPackage({ name, directory }, destination) {
  if (!existsSync(join(directory, 'dist'))) throw new Error(`${name} is not built; run npm run build first.`);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const [{ filename, files }] = JSON.parse(npmOutput(args, { cwd: directory }));
  return { tarball: join(destination, filename), files: files.map((file) => file.path) };
}
