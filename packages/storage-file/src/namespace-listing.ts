import { join } from 'node:path';
import { WorldsError } from '@rdf-worlds/core';
import type { Head } from '@rdf-worlds/core/plugin';
import { corrupt, telling } from './file-errors.ts';
import { type FileSystem, hasCode } from './file-system.ts';
import { checkLeftOver, foreignManifest } from './left-over.ts';
import { readManifest } from './manifest.ts';
import { namespaceDirectory } from './namespace-directory.ts';
import { isNamespaceDirectory } from './strays.ts';

export interface NamespaceListing {
  readonly fileSystem: FileSystem;
  /** The directory that contains the namespaces' directories. */
  readonly root: string;
  /** Reads the head of a namespace whose manifest does not show that it has a record. */
  readonly headOf: (namespace: string) => Promise<Head>;
  /** Called with each path in the root that does not belong to the storage. */
  readonly onStray: (path: string) => void;
}

/** Returns the names of a root's directories, in any order. */
export function listRoot({ fileSystem, root }: NamespaceListing): Promise<string[]> {
  return telling('Listing namespaces', root, () => fileSystem.list(root));
}

/**
 * Yields the namespaces of some directories. A damaged one does not hide the others: they are
 * yielded first, then one error reports all failures.
 *
 * @param check called before that error is thrown; may throw another instead
 */
export async function* namespacesOf(
  listing: NamespaceListing,
  directories: readonly string[],
  check: () => void,
): AsyncGenerator<string> {
  const failures: unknown[] = [];
  for (const directory of directories) {
    const name = await nameOf(listing, directory).catch((error: unknown) => {
      failures.push(error);
      return undefined;
    });
    if (name !== undefined) yield name;
  }
  check();
  if (failures.length > 0) throw allOf(failures);
}

/**
 * Returns the namespace in a directory; undefined if it has no record yet, has been removed, or
 * never was one.
 */
async function nameOf(listing: NamespaceListing, directory: string): Promise<string | undefined> {
  const { fileSystem, root, headOf, onStray } = listing;
  const path = join(root, directory);
  let isStray = !isNamespaceDirectory(directory);
  const manifest = await telling('Listing namespaces', path, async () => {
    try {
      const found = await readManifest(fileSystem, path);
      if (!found) await checkLeftOver(fileSystem, path);
      else await requireNoLink(fileSystem, path);
      return found;
    } catch (error) {
      if (!hasCode(error, 'ENOTDIR')) throw error;
      isStray = true; // It is a file.
      return undefined;
    }
  });
  if (!manifest) {
    if (isStray) onStray(path);
    return undefined;
  }
  const { namespace, durable } = manifest;
  if (namespaceDirectory(namespace) !== directory) throw foreignManifest(path, manifest);
  return durable > 0 || (await headOf(namespace)).position > 0 ? namespace : undefined;
}

/**
 * Throws CORRUPT if a symbolic link replaces one of the storage's directories, since it would lead
 * to foreign files. `path` must contain no other links.
 */
export async function requireNoLink(fileSystem: FileSystem, path: string): Promise<void> {
  if ((await fileSystem.realPath(path)) === path) return;
  throw corrupt(
    path,
    undefined,
    'there is a symbolic link instead of the directory; replace it with the directory itself.',
  );
}

/** Maximum number of failures in the message of one error. */
const MAX_TOLD = 100;

/** Combines all failures into one error, so that one damaged namespace does not hide another. */
function allOf([first, ...others]: readonly unknown[]): unknown {
  if (others.length === 0 || !(first instanceof WorldsError)) return first;
  const messages = [first, ...others.slice(0, MAX_TOLD - 1)].map((each) => (each as Error).message);
  const untold = others.length + 1 - messages.length;
  if (untold > 0) messages.push(`Listing failed for ${untold} more namespaces.`);
  return new WorldsError(first.code, messages.join(' '), { cause: first });
}
