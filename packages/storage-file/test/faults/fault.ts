import type { FileSystem, OpenFile } from '@rdf-worlds/storage-file';

/** An operation of the file system, or of an open file. */
export type Operation =
  | Exclude<keyof FileSystem, 'lock' | 'watch'>
  | Exclude<keyof OpenFile, 'sync' | 'size'>
  | 'syncFile'
  | 'fileSize';

/** How one operation fails. */
export interface Fault {
  readonly code: string;
  /**
   * `before`: nothing happened. `after`: it happened all the same. `half`: half of the bytes were
   * written. `lost`, of a sync: what was to be synced will never be durable, although it can be
   * read until a crash.
   */
  readonly effect: 'before' | 'after' | 'half' | 'lost';
}

const before = (...codes: string[]): Fault[] => codes.map((code) => ({ code, effect: 'before' }));
const after = (...codes: string[]): Fault[] => codes.map((code) => ({ code, effect: 'after' }));

/** The ways in which each operation fails; adding one is adding an item. */
export const FAULTS: Record<Operation, readonly Fault[]> = {
  open: before('EIO', 'ENOSPC', 'EDQUOT', 'EACCES', 'EMFILE', 'EINTR', 'EBUSY'),
  rename: [...before('EIO', 'ENOSPC', 'EDQUOT', 'EACCES', 'EINTR', 'EBUSY'), ...after('EIO')],
  unlink: [...before('EIO', 'EACCES', 'EINTR', 'EBUSY'), ...after('EIO')],
  makeDirectory: [...before('EIO', 'ENOSPC', 'EDQUOT', 'EACCES', 'EINTR'), ...after('EIO')],
  removeDirectory: [...before('EIO', 'EACCES', 'EBUSY'), ...after('EIO')],
  syncDirectory: before('EIO', 'ENOSPC', 'EDQUOT', 'EMFILE', 'EINTR'),
  list: before('EIO', 'EACCES', 'EMFILE', 'EINTR'),
  size: before('EIO', 'EACCES'),
  realPath: before('EIO', 'EACCES'),
  write: [
    ...before('EIO', 'ENOSPC', 'EDQUOT', 'EINTR'),
    { code: 'ENOSPC', effect: 'half' },
    { code: 'EIO', effect: 'half' },
    ...after('EIO'),
  ],
  read: before('EIO', 'EINTR'),
  syncFile: [
    ...before('EIO', 'ENOSPC', 'EDQUOT', 'EINTR'),
    { code: 'EIO', effect: 'lost' },
    { code: 'ENOSPC', effect: 'lost' },
    ...after('EIO'),
  ],
  truncate: [...before('EIO', 'EACCES', 'EINTR'), ...after('EIO')],
  fileSize: before('EIO'),
  close: after('EIO', 'ENOSPC', 'EDQUOT', 'EINTR'),
};
