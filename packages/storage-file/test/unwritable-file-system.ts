import type { FileSystem } from '@rdf-worlds/storage-file';

/**
 * A file system that refuses every call that could change a file or a directory, as a disk that is
 * mounted read-only.
 */
export function unwritable(fileSystem: FileSystem, onRefused: (call: string) => void): FileSystem {
  const refuse = (call: string, path: string): never => {
    onRefused(`${call} ${path}`);
    throw Object.assign(new Error(`EROFS: read-only file system, ${call} '${path}'`), { code: 'EROFS' });
  };
  return {
    open: async (path, mode) => {
      if (mode !== 'read') refuse(`open for ${mode}`, path);
      const file = await fileSystem.open(path, 'read');
      return {
        read: (into, offset) => file.read(into, offset),
        size: () => file.size(),
        close: () => file.close(),
        write: async () => refuse('write', path),
        sync: async () => refuse('sync', path),
        truncate: async () => refuse('truncate', path),
      };
    },
    list: (path) => fileSystem.list(path),
    size: (path) => fileSystem.size(path),
    realPath: (path) => fileSystem.realPath(path),
    rename: async (from) => refuse('rename', from),
    unlink: async (path) => refuse('unlink', path),
    makeDirectory: async (path) => refuse('make directory', path),
    removeDirectory: async (path) => refuse('remove directory', path),
    syncDirectory: async (path) => refuse('sync directory', path),
    lock: async (path) => refuse('lock', path),
  };
}
