import { join } from 'node:path';
import { telling } from './file-errors.ts';
import { type FileSystem, hasCode } from './file-system.ts';
import { isLockName } from './lock-file.ts';
import { baseOfLogName } from './log-file-header.ts';
import { isRootName } from './namespaces-root.ts';
import { numberOfSegmentName } from './segment-file.ts';

/**
 * Names besides locks and roots; `lost+found` is the directory that ext4 creates in a new file
 * system.
 */
const STORAGE_NAMES = new Set(['format', 'format.tmp', 'trash', 'salvaged', 'lost+found']);
const NAMESPACE_DIRECTORY = /^[a-z0-9_-]{0,40}-[0-9a-f]{32}$/;

/** Returns the paths among the names of a storage's directory that do not belong to the storage. */
export function straysOf(directory: string, names: readonly string[]): string[] {
  return names
    .filter((name) => !STORAGE_NAMES.has(name) && !isLockName(name) && !isRootName(name))
    .map((name) => join(directory, name));
}

/** Returns whether a name has the form of a namespace's directory. */
export const isNamespaceDirectory = (name: string): boolean => NAMESPACE_DIRECTORY.test(name);

/**
 * Returns the paths in the directory of a namespace that do not belong to the storage. Files left
 * by a crash, such as `manifest.tmp`, do belong to it.
 */
export function straysOfNamespace(fileSystem: FileSystem, directory: string): Promise<string[]> {
  return telling('Listing the files of a namespace', directory, async () => {
    const names = await fileSystem.list(directory).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
    return names.filter((name) => !isFileOfNamespace(name.replace(/\.tmp$/, ''))).map((name) => join(directory, name));
  });
}

function isFileOfNamespace(name: string): boolean {
  return name === 'manifest' || baseOfLogName(name) !== undefined || numberOfSegmentName(name) !== undefined;
}
