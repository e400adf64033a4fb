import { dirname, join, resolve } from 'node:path';
import { WorldsError } from '@rdf-worlds/core';
import { kindOf } from '@rdf-worlds/core/internal';
import { telling } from './file-errors.ts';
import { type FileSystem, hasCode, readFile } from './file-system.ts';
import { isLockName } from './lock-file.ts';
import { isRootName } from './namespaces-root.ts';

/**
 * Creates a directory and its missing parents, durably. Throws INVALID_ARGUMENT if that is
 * impossible.
 */
export async function makeDirectories(fileSystem: FileSystem, path: string): Promise<void> {
  if (await madeDirectory(fileSystem, path)) return;
  // The parent is missing. The root of a file system has none.
  if (dirname(path) === path) throw impossible(path);
  await makeDirectories(fileSystem, dirname(path));
  // Where nothing can be created, as below /proc, it is still missing.
  if (!(await madeDirectory(fileSystem, path))) throw impossible(path);
}

/** Creates a directory if missing. Returns false if the parent is missing. */
async function madeDirectory(fileSystem: FileSystem, path: string): Promise<boolean> {
  try {
    await fileSystem.makeDirectory(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    if (hasCode(error, 'ENOTDIR')) throw noDirectory(path, error);
    if (!hasCode(error, 'EEXIST')) throw error;
    await fileSystem.list(path).catch((cause: unknown) => {
      throw hasCode(cause, 'ENOTDIR') ? noDirectory(path, cause) : cause;
    });
    await syncParent(fileSystem, path);
    return true;
  }
  await fileSystem.syncDirectory(dirname(path));
  return true;
}

/**
 * Syncs the parent, even for an existing directory: a process may have created it and been killed
 * before its name was durable.
 */
async function syncParent(fileSystem: FileSystem, path: string): Promise<void> {
  await fileSystem.syncDirectory(dirname(path)).catch((error: unknown) => {
    // This process created no names in a directory that it may not read; /proc and /sys cannot be
    // synced.
    if (!hasCode(error, 'EACCES', 'EPERM', 'EINVAL')) throw error;
  });
}

const impossible = (path: string): WorldsError =>
  new WorldsError(
    'INVALID_ARGUMENT',
    `${path} cannot be created: the file system allows no directory there. Choose another path.`,
  );

const noDirectory = (path: string, cause: unknown): WorldsError =>
  new WorldsError('INVALID_ARGUMENT', `${path} is a file, or below one. Choose another path.`, { cause });

/**
 * Returns the path that the storage uses: absolute, and created if missing. Throws
 * INVALID_ARGUMENT, before writing anything, if it cannot be a directory or contains foreign files.
 */
export async function readyDirectory(fileSystem: FileSystem, path: string): Promise<string> {
  const absolute = resolve(path);
  return telling('Opening the storage', absolute, async () => {
    await makeDirectories(fileSystem, absolute);
    const real = await fileSystem.realPath(absolute);
    await checkOwn(fileSystem, real);
    return real;
  });
}

/** The first word of the file `format`. */
export const FORMAT = 'rdf-worlds-storage';

/**
 * Names that an interrupted first opening may leave, and the directory that ext4 creates in a new
 * file system.
 */
const isOwnName = (name: string): boolean =>
  isLockName(name) || isRootName(name) || ['trash', 'format.tmp', 'lost+found'].includes(name);

/**
 * Recognises a `format` file of the storage by its first word. A damaged one is recognised by the
 * namespaces next to it.
 */
async function isOwnFormat(fileSystem: FileSystem, directory: string): Promise<boolean> {
  const bytes = await readFile(fileSystem, join(directory, 'format'));
  return bytes !== undefined && Buffer.from(bytes).toString().startsWith(`${FORMAT} `);
}

async function checkOwn(fileSystem: FileSystem, directory: string): Promise<void> {
  const names = await fileSystem.list(directory);
  if (names.includes('format') && (names.some(isRootName) || (await isOwnFormat(fileSystem, directory)))) return;
  const foreign = names.find((name) => !isOwnName(name));
  if (foreign === undefined) return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${directory} contains files of another program, such as ${JSON.stringify(foreign)}, and no worlds. Choose an empty directory, or one that does not exist yet.`,
  );
}

/** Throws INVALID_ARGUMENT for a value that is not the path of a directory. */
export function checkStoragePath(path: unknown): void {
  if (typeof path !== 'string' || path === '' || path.includes('\u0000'))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `The path of a file storage must be the path of a directory, not ${path === '' ? 'empty' : kindOf(path)}: write fileStorage({ path: './data' }).`,
    );
}
