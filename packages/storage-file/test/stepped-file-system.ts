import { basename } from 'node:path';
import type { FileSystem, OpenFile } from '@rdf-worlds/storage-file';

export type StepMoment = 'before' | 'half' | 'after';

export interface Step {
  /**
   * The operation and what it is done to, such as `write log`, `create segment` or
   * `rename manifest`.
   */
  readonly name: string;
  /** `half`: half of the bytes of a write are written. */
  readonly moment: StepMoment;
  readonly path: string;
  /** Of a write. */
  readonly byteLength: number;
}

function kindOf(path: string): string {
  const [, kind] = /^(log|manifest|segment|format)\b/.exec(basename(path)) ?? [];
  return kind ?? 'directory';
}

/**
 * A file system that tells what it is about to do, has half done, and has done. It fails when
 * `onStep` throws.
 */
export function steppedFileSystem(inner: FileSystem, onStep: (step: Step) => void): FileSystem {
  async function around<T>(operation: string, path: string, run: () => Promise<T>): Promise<T> {
    const name = `${operation} ${kindOf(path)}`;
    onStep({ name, moment: 'before', path, byteLength: 0 });
    const result = await run();
    onStep({ name, moment: 'after', path, byteLength: 0 });
    return result;
  }

  function stepped(file: OpenFile, path: string): OpenFile {
    return {
      async write(bytes, offset) {
        const step = { name: `write ${kindOf(path)}`, path, byteLength: bytes.byteLength };
        onStep({ ...step, moment: 'before' });
        const half = bytes.byteLength >> 1;
        await file.write(bytes.subarray(0, half), offset);
        onStep({ ...step, moment: 'half' });
        await file.write(bytes.subarray(half), offset + half);
        onStep({ ...step, moment: 'after' });
      },
      read: (into, offset) => around('read', path, () => file.read(into, offset)),
      sync: () => around('sync', path, () => file.sync()),
      truncate: (byteLength) => around('truncate', path, () => file.truncate(byteLength)),
      size: () => file.size(),
      close: () => file.close(),
    };
  }

  return {
    async open(path, mode) {
      const operation = mode === 'create' || mode === 'replace' ? mode : 'open';
      return stepped(await around(operation, path, () => inner.open(path, mode)), path);
    },
    rename: (from, to) => around('rename', to, () => inner.rename(from, to)),
    unlink: (path) => around('unlink', path, () => inner.unlink(path)),
    makeDirectory: (path) => around('make', path, () => inner.makeDirectory(path)),
    removeDirectory: (path) => around('remove', path, () => inner.removeDirectory(path)),
    syncDirectory: (path) => around('sync', `${path}/directory`, () => inner.syncDirectory(path)),
    list: (path) => inner.list(path),
    size: (path) => inner.size(path),
    realPath: (path) => inner.realPath(path),
    lock: (directory, options) => inner.lock(directory, options),
  };
}

/** An error as the operating system gives it. */
export const systemError = (code: string): Error => Object.assign(new Error(`${code}, as the test wants it`), { code });
