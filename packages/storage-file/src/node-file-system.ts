import fs from 'node:fs';
import { lockDirectory } from './directory-lock.ts';
import { DIRECTORY_MODE, FILE_MODE, type FileSystem, hasCode, type OpenFile, type OpenMode } from './file-system.ts';

/**
 * Writes of up to this size are synchronous: reaching the page cache takes less time than a switch
 * to another thread and back.
 */
const WRITE_AT_ONCE_BYTES = 64 * 1024;

/** Maximum bytes per call, well below the system limit of 2 GiB. */
const CALL_BYTES = 2 ** 30;

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
/**
 * A symbolic link in the directory would lead to foreign files; opening one fails with ELOOP.
 * Windows lacks the flag.
 */
const NO_LINKS = O_NOFOLLOW ?? 0;
const CREATE = O_RDWR | O_CREAT | O_EXCL | NO_LINKS;
const FLAGS: Record<OpenMode, number> = {
  read: O_RDONLY | NO_LINKS,
  write: O_RDWR | NO_LINKS,
  create: CREATE,
  replace: CREATE,
};

/** The local file system, through `node:fs`. */
export const nodeFileSystem: FileSystem = {
  open: (path, mode) =>
    new Promise((resolve, reject) => {
      fs.open(path, FLAGS[mode], FILE_MODE, (error, fd) => {
        if (!error) resolve(new NodeFile(fd));
        else if (mode === 'replace' && error.code === 'EEXIST') resolve(replacing(path));
        else reject(error);
      });
    }),
  rename: (from, to) => fs.promises.rename(from, to),
  unlink: (path) => fs.promises.unlink(path),
  makeDirectory: (path) => fs.promises.mkdir(path, { mode: DIRECTORY_MODE }),
  removeDirectory: (path) => fs.promises.rmdir(path),
  async syncDirectory(path) {
    // Windows lacks this call; names there are as durable as NTFS makes them.
    if (process.platform === 'win32') return;
    const directory = await fs.promises.open(path, 'r');
    try {
      await directory.sync();
      requireWorking(directory.fd);
    } finally {
      await directory.close();
    }
  },
  list: (path) => fs.promises.readdir(path),
  size: async (path) => (await fs.promises.stat(path)).size,
  realPath: (path) => fs.promises.realpath(path),
  lock: lockDirectory,
  watch(directory, onChange, onEnd) {
    let watcher: fs.FSWatcher;
    try {
      watcher = fs.watch(directory, { persistent: false }, onChange);
    } catch {
      // It is missing, or the system has no more watches: who watches looks at intervals as well.
      return undefined;
    }
    watcher.on('error', () => {
      watcher.close();
      onEnd();
    });
    return () => watcher.close();
  },
};

async function replacing(path: string): Promise<OpenFile> {
  await fs.promises.rm(path, { force: true });
  return nodeFileSystem.open(path, 'replace');
}

/**
 * Throws if the file system has shut down. When ext4 aborts its journal and becomes read-only
 * during a sync that needs the journal, the sync may report success, since the transaction it waits
 * for is gone (seen with Linux 6.18). A change of the file times also needs the journal and fails
 * after the abort.
 */
function requireWorking(fd: number): void {
  const seconds = Date.now() / 1000;
  try {
    fs.futimesSync(fd, seconds, seconds);
  } catch (error) {
    // Only the owner may change the times. For files of another user, the result of the sync is
    // trusted.
    if (!hasCode(error, 'EPERM', 'EACCES')) throw error;
  }
}

/** Uses callbacks, which cost less than the promises of node:fs. */
class NodeFile implements OpenFile {
  readonly #fd: number;
  /**
   * The length up to which disk blocks are certainly allocated. A write within it overwrites, which
   * needs no journal.
   */
  #placedBytes = 0;
  /**
   * Whether the next sync must make more durable than overwritten bytes: the length, or new blocks.
   * Unknown, thus true, for a file just opened.
   */
  #needsJournal = true;

  constructor(fd: number) {
    this.#fd = fd;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    if (offset + bytes.byteLength > this.#placedBytes) this.#needsJournal = true;
    for (let at = 0; at < bytes.byteLength; ) {
      const length = Math.min(bytes.byteLength - at, CALL_BYTES);
      const written =
        bytes.byteLength <= WRITE_AT_ONCE_BYTES
          ? fs.writeSync(this.#fd, bytes, at, length, offset + at)
          : await this.#write(bytes, at, length, offset + at);
      // write(2) may write less than requested, but POSIX allows it to write nothing only with an
      // error.
      if (written === 0) throw Object.assign(new Error('EIO: the system wrote nothing'), { code: 'EIO' });
      at += written;
    }
  }

  #write(bytes: Uint8Array, at: number, length: number, offset: number): Promise<number> {
    return new Promise((resolve, reject) => {
      fs.write(this.#fd, bytes, at, length, offset, (error, written) => (error ? reject(error) : resolve(written)));
    });
  }

  async read(into: Uint8Array, offset: number): Promise<number> {
    let at = 0;
    while (at < into.byteLength) {
      const read = await this.#read(into, at, Math.min(into.byteLength - at, CALL_BYTES), offset + at);
      if (read === 0) break;
      at += read;
    }
    return at;
  }

  #read(into: Uint8Array, at: number, length: number, offset: number): Promise<number> {
    return new Promise((resolve, reject) => {
      fs.read(this.#fd, into, at, length, offset, (error, read) => (error ? reject(error) : resolve(read)));
    });
  }

  sync(): Promise<void> {
    const needsJournal = this.#needsJournal;
    this.#needsJournal = false;
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#fd, (error) => {
        try {
          if (error) throw error;
          if (needsJournal) {
            requireWorking(this.#fd);
            this.#placedBytes = fs.fstatSync(this.#fd).size;
          }
          resolve();
        } catch (failure) {
          this.#needsJournal = true;
          reject(failure);
        }
      });
    });
  }

  truncate(byteLength: number): Promise<void> {
    this.#placedBytes = Math.min(this.#placedBytes, byteLength);
    this.#needsJournal = true;
    return new Promise((resolve, reject) => {
      fs.ftruncate(this.#fd, byteLength, (error) => (error ? reject(error) : resolve()));
    });
  }

  size(): Promise<number> {
    return new Promise((resolve, reject) => {
      fs.fstat(this.#fd, (error, stats) => (error ? reject(error) : resolve(stats.size)));
    });
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.close(this.#fd, (error) => (error ? reject(error) : resolve()));
    });
  }
}
