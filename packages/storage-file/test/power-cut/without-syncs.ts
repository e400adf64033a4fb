import type { FileSystem, OpenFile } from '@rdf-worlds/storage-file';

/** A file system with syncs that say that all is durable, and do nothing. */
export function withoutSyncs(fileSystem: FileSystem, { files = false, directories = false }): FileSystem {
  const open = async (...[path, mode]: Parameters<FileSystem['open']>): Promise<OpenFile> => {
    const file = await fileSystem.open(path, mode);
    return {
      write: (bytes, offset) => file.write(bytes, offset),
      read: (into, offset) => file.read(into, offset),
      sync: async () => undefined,
      truncate: (byteLength) => file.truncate(byteLength),
      size: () => file.size(),
      close: () => file.close(),
    };
  };
  return {
    open: files ? open : (path, mode) => fileSystem.open(path, mode),
    syncDirectory: directories ? async () => undefined : (path) => fileSystem.syncDirectory(path),
    rename: (from, to) => fileSystem.rename(from, to),
    unlink: (path) => fileSystem.unlink(path),
    makeDirectory: (path) => fileSystem.makeDirectory(path),
    removeDirectory: (path) => fileSystem.removeDirectory(path),
    list: (path) => fileSystem.list(path),
    size: (path) => fileSystem.size(path),
    realPath: (path) => fileSystem.realPath(path),
    lock: (directory, options) => fileSystem.lock(directory, options),
  };
}
