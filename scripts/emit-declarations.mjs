import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './workspace-packages.mjs';

/** The native compiler. The package `typescript` is the one with the JavaScript API. */
export const COMPILER = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');

/**
 * Writes the declarations of all published packages into a folder, one file a source file, without
 * checking types. Returns the folder, in which paths are those of the repository. Throws if the
 * compiler fails.
 */
export function emitDeclarations(folder = join(ROOT, '.cache', 'declarations')) {
  rmSync(folder, { recursive: true, force: true });
  const args = [COMPILER, '-p', join(ROOT, 'tsconfig.declarations.json'), '--outDir', folder];
  const { status, stdout, error } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (error) throw new Error(`The TypeScript compiler did not start: ${error.message}`, { cause: error });
  if (status !== 0) throw new Error(`The declarations could not be made:\n${stdout}`);
  return folder;
}
