import fs from 'node:fs';
import { lockDirectory } from './directory-lock.ts';
import { DIRECTORY_MODE, FILE_MODE, type FileSystem, type OpenFile, type OpenMode } from './file-system.ts';

/** So little goes to the page cache faster than to another thread and back. */
const WRITE_AT_ONCE_BYTES = 64 * 1024;

/** One call reads or writes at most this much, well below the 2 GiB that a call can. */
const CALL_BYTES = 2 ** 30;

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
/** A link in the directory would lead to files of others: opening one is ELOOP. Windows has no such flag. */
const NO_LINKS = O_NOFOLLOW ?? 0;
const CREATE = O_RDWR | O_CREAT | O_EXCL | NO_LINKS;
const FLAGS: Record<OpenMode, number> = {
  read: O_RDONLY | NO_LINKS,
  write: O_RDWR | NO_LINKS,
  create: CREATE,
  replace: CREATE,
};

/** Files of this machine, by `node:fs`. */
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
    // Windows has no such call; there a name is as durable as NTFS makes it by itself.
    if (process.platform === 'win32') return;
    const directory = await fs.promises.open(path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
  list: (path) => fs.promises.readdir(path),
  size: async (path) => (await fs.promises.stat(path)).size,
  realPath: (path) => fs.promises.realpath(path),
  lock: lockDirectory,
};

async function replacing(path: string): Promise<OpenFile> {
  await fs.promises.rm(path, { force: true });
  return nodeFileSystem.open(path, 'replace');
}

/** By callbacks, which cost less than the promises of node:fs. */
class NodeFile implements OpenFile {
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    for (let at = 0; at < bytes.byteLength; ) {
      const length = Math.min(bytes.byteLength - at, CALL_BYTES);
      const written =
        bytes.byteLength <= WRITE_AT_ONCE_BYTES
          ? fs.writeSync(this.#fd, bytes, at, length, offset + at)
          : await this.#write(bytes, at, length, offset + at);
      // write(2) may write less than asked, but POSIX lets it write nothing only with an error.
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
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#fd, (error) => (error ? reject(error) : resolve()));
    });
  }

  truncate(byteLength: number): Promise<void> {
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
