import { FileStore, type FileStoreOptions } from './file-store.ts';
import type { FileSystem } from './file-system.ts';
import { Mutex } from './mutex.ts';

/** A directory that is open in this process, or being opened or closed. */
class SharedStore {
  readonly changes = new Mutex();
  users = 0;
  store: FileStore | undefined;
}

const storesOf = new WeakMap<FileSystem, Map<string, SharedStore>>();

function sharedStore(fileSystem: FileSystem, path: string): SharedStore {
  const stores = storesOf.get(fileSystem) ?? new Map<string, SharedStore>();
  storesOf.set(fileSystem, stores);
  const shared = stores.get(path) ?? new SharedStore();
  stores.set(path, shared);
  return shared;
}

/**
 * Opens a directory, or returns its store if it is open in this process. `path` must be canonical.
 */
export function openStore(fileSystem: FileSystem, path: string, options: FileStoreOptions): Promise<FileStore> {
  const shared = sharedStore(fileSystem, path);
  return shared.changes.run(async () => {
    shared.store ??= await FileStore.open(fileSystem, path, options);
    shared.users++;
    return shared.store;
  });
}

/** Releases an opened store; the last release closes it. */
export function closeStore(fileSystem: FileSystem, path: string): Promise<void> {
  const shared = sharedStore(fileSystem, path);
  return shared.changes.run(async () => {
    if (--shared.users > 0) return;
    const { store } = shared;
    shared.store = undefined;
    await store?.close();
  });
}
