import type { FileSystem, OpenFile } from '@rdf-worlds/storage-file';
import type { SimulatedFileSystem, SimulatedOpenFile } from '../power-cut/simulated-file-system.ts';
import { systemError } from '../stepped-file-system.ts';
import type { Fault, Operation } from './fault.ts';

/** A simulated file system whose operations fail as `faultOf` says; it is asked once for each. */
export function faultyFileSystem(
  inner: SimulatedFileSystem,
  faultOf: (operation: Operation, path: string) => Fault | undefined,
): FileSystem {
  async function run<T>(operation: Operation, path: string, work: () => Promise<T>): Promise<T> {
    const fault = faultOf(operation, path);
    if (!fault) return work();
    if (fault.effect !== 'before') await work();
    throw systemError(fault.code);
  }

  function faulty(file: SimulatedOpenFile, path: string): OpenFile {
    return {
      async write(bytes, offset) {
        const fault = faultOf('write', path);
        if (!fault) return file.write(bytes, offset);
        if (fault.effect === 'half') await file.write(bytes.subarray(0, bytes.byteLength >> 1), offset);
        if (fault.effect === 'after') await file.write(bytes, offset);
        throw systemError(fault.code);
      },
      async sync() {
        const fault = faultOf('syncFile', path);
        if (!fault) return file.sync();
        if (fault.effect === 'after') await file.sync();
        if (fault.effect === 'lost') file.loseUnsynced();
        throw systemError(fault.code);
      },
      read: (into, offset) => run('read', path, () => file.read(into, offset)),
      truncate: (byteLength) => run('truncate', path, () => file.truncate(byteLength)),
      size: () => run('fileSize', path, () => file.size()),
      close: () => run('close', path, () => file.close()),
    };
  }

  return {
    open: (path, mode) => run('open', path, async () => faulty(await inner.open(path, mode), path)),
    rename: (from, to) => run('rename', to, () => inner.rename(from, to)),
    unlink: (path) => run('unlink', path, () => inner.unlink(path)),
    makeDirectory: (path) => run('makeDirectory', path, () => inner.makeDirectory(path)),
    removeDirectory: (path) => run('removeDirectory', path, () => inner.removeDirectory(path)),
    syncDirectory: (path) => run('syncDirectory', path, () => inner.syncDirectory(path)),
    list: (path) => run('list', path, () => inner.list(path)),
    size: (path) => run('size', path, () => inner.size(path)),
    realPath: (path) => run('realPath', path, () => inner.realPath(path)),
    lock: (directory) => inner.lock(directory),
  };
}
