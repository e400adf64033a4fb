/**
 * `@rdf-worlds/storage-file`: durable storage in a local directory.
 *
 * @module @rdf-worlds/storage-file
 */
export { type FileStorageOptions, fileStorage } from './file-storage.ts';
export type { DirectoryLock, FileSystem, OpenFile, OpenMode } from './file-system.ts';
export type { LockOptions } from './lock-options.ts';
export { nodeFileSystem } from './node-file-system.ts';
