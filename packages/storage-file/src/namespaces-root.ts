import { join } from 'node:path';
import { type FileSystem, hasCode } from './file-system.ts';

const ROOT_NAME = /^namespaces(?:-(\d{1,15}))?$/;

/**
 * The directory that contains the namespaces' directories: `namespaces`, or `namespaces-<epoch>`
 * after a takeover.
 */
export interface NamespacesRoot {
  readonly path: string;
  /** 0 for plain `namespaces`. The root with the highest epoch is valid. */
  readonly epoch: number;
}

export const isRootName = (name: string): boolean => ROOT_NAME.test(name);

/** Returns the roots among the names of a directory, highest epoch first. */
export function rootsOf(directory: string, names: readonly string[]): NamespacesRoot[] {
  return names
    .flatMap((name) => {
      const found = ROOT_NAME.exec(name);
      return found ? [{ path: join(directory, name), epoch: Number(found[1] ?? 0) }] : [];
    })
    .sort((a, b) => b.epoch - a.epoch);
}

export function rootOf(directory: string, epoch: number): NamespacesRoot {
  return { path: join(directory, epoch === 0 ? 'namespaces' : `namespaces-${epoch}`), epoch };
}

/**
 * Renames the root to this holder's epoch if an earlier holder that knows its current name may
 * still be running. The rename is atomic; a crash before it is durable leaves the old name, and the
 * next holder's lock file still requires the epoch.
 */
export async function fencedRoot(
  fileSystem: FileSystem,
  directory: string,
  roots: readonly NamespacesRoot[],
  { number, requiredEpoch }: { readonly number: number; readonly requiredEpoch: number },
): Promise<NamespacesRoot> {
  const [root, ...older] = roots;
  const isFenced = root ? root.epoch >= requiredEpoch : requiredEpoch === 0;
  const fenced = isFenced ? (root ?? rootOf(directory, 0)) : rootOf(directory, number);
  if (!root) await fileSystem.makeDirectory(fenced.path);
  else if (fenced !== root) await fileSystem.rename(root.path, fenced.path);
  for (const each of older) await removeEmpty(fileSystem, each.path);
  await fileSystem.syncDirectory(directory);
  return fenced;
}

/**
 * Removes an empty root. A superseded holder paused in its first opening may create its root again,
 * but writes nothing in it.
 */
async function removeEmpty(fileSystem: FileSystem, path: string): Promise<void> {
  await fileSystem.removeDirectory(path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
  });
}
