import { basename, dirname } from 'node:path';
import { WorldsError } from '@rdf-worlds/core';
import type { DirectoryLock, FileSystem, OpenFile, OpenMode } from '@rdf-worlds/storage-file';
import { type DiskEvent, type NameChange, type NodeId, ROOT } from './disk-event.ts';

export interface SimulatedFile {
  readonly id: NodeId;
  bytes: Uint8Array;
}

export interface SimulatedDirectory {
  readonly id: NodeId;
  readonly names: Map<string, SimulatedFile | SimulatedDirectory>;
}

/** An open file that can lose what was written and not synced, as after a sync that failed. */
export interface SimulatedOpenFile extends OpenFile {
  loseUnsynced(): void;
}

const isDirectory = (node: SimulatedFile | SimulatedDirectory): node is SimulatedDirectory => 'names' in node;

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

/**
 * A file system in memory that tells all that happens to it, in order. Operations end some turns
 * after they began, by chance of the seed.
 */
export class SimulatedFileSystem implements FileSystem {
  readonly #root: SimulatedDirectory;
  readonly #record: (event: DiskEvent) => void;
  readonly #random: () => number;
  #lastNode: NodeId;
  #lastSync = 0;
  #isLocked = false;

  /**
   * `random` gives numbers from 0 to below 1; `root` is what there is at first, with numbers up to
   * `lastNode`.
   */
  constructor(
    random: () => number,
    record: (event: DiskEvent) => void = () => undefined,
    root: SimulatedDirectory = { id: ROOT, names: new Map() },
    lastNode: NodeId = ROOT,
  ) {
    this.#random = random;
    this.#record = record;
    this.#root = root;
    this.#lastNode = lastNode;
  }

  /**
   * Returns what another process finds if this one is killed now. Later writes to the original do
   * not reach the copy.
   */
  afterKill(): SimulatedFileSystem {
    const copy = (directory: SimulatedDirectory): SimulatedDirectory => ({
      id: directory.id,
      names: new Map(
        Array.from(directory.names, ([name, node]) => [
          name,
          isDirectory(node) ? copy(node) : { id: node.id, bytes: node.bytes.slice() },
        ]),
      ),
    });
    return new SimulatedFileSystem(this.#random, undefined, copy(this.#root), this.#lastNode);
  }

  async open(path: string, mode: OpenMode): Promise<SimulatedOpenFile> {
    await this.#turns();
    const { directory, name, node } = this.#find(path);
    if (node && isDirectory(node)) throw systemError('EISDIR', path);
    if (mode === 'create' && node) throw systemError('EEXIST', path);
    if ((mode === 'read' || mode === 'write') && !node) throw systemError('ENOENT', path);
    const file = node && mode !== 'replace' ? node : this.#make(directory, name, false);
    return this.#opened(file, path);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#turns();
    const source = this.#find(from);
    const target = this.#find(to);
    if (!source.node) throw systemError('ENOENT', from);
    this.#change([
      { directory: source.directory, name: source.name, node: undefined },
      { directory: target.directory, name: target.name, node: source.node },
    ]);
  }

  async unlink(path: string): Promise<void> {
    await this.#turns();
    const { directory, name, node } = this.#find(path);
    if (!node) throw systemError('ENOENT', path);
    if (isDirectory(node)) throw systemError('EISDIR', path);
    this.#change([{ directory, name, node: undefined }]);
  }

  async makeDirectory(path: string): Promise<void> {
    await this.#turns();
    const { directory, name, node } = this.#find(path);
    if (node) throw systemError('EEXIST', path);
    this.#make(directory, name, true);
  }

  async removeDirectory(path: string): Promise<void> {
    await this.#turns();
    const { directory, name, node } = this.#find(path);
    if (!node) throw systemError('ENOENT', path);
    if (!isDirectory(node)) throw systemError('ENOTDIR', path);
    if (node.names.size > 0) throw systemError('ENOTEMPTY', path);
    this.#change([{ directory, name, node: undefined }]);
  }

  async syncDirectory(path: string): Promise<void> {
    await this.#sync(this.#directory(path).id);
  }

  async list(path: string): Promise<string[]> {
    await this.#turns();
    return [...this.#directory(path).names.keys()];
  }

  async size(path: string): Promise<number> {
    await this.#turns();
    const { node } = this.#find(path);
    if (!node) throw systemError('ENOENT', path);
    return isDirectory(node) ? 0 : node.bytes.byteLength;
  }

  async realPath(path: string): Promise<string> {
    this.#directory(path);
    return path;
  }

  async lock(directory: string): Promise<DirectoryLock> {
    if (this.#isLocked) throw new WorldsError('CONFLICT', `${directory} is locked.`);
    this.#isLocked = true;
    return {
      number: 1,
      requiredEpoch: 0,
      check: () => undefined,
      release: async () => {
        this.#isLocked = false;
      },
    };
  }

  #opened(file: SimulatedFile, path: string): SimulatedOpenFile {
    let isClosed = false;
    const checkOpen = (): void => {
      if (isClosed) throw systemError('EBADF', path);
    };
    return {
      write: async (bytes, offset) => {
        checkOpen();
        this.#record({ kind: 'write', node: file.id, offset, bytes: new Uint8Array(bytes) });
        file.bytes = written(file.bytes, bytes, offset);
        await this.#turns();
      },
      read: async (into, offset) => {
        checkOpen();
        const part = file.bytes.subarray(offset, offset + into.byteLength);
        into.set(part);
        await this.#turns();
        return part.byteLength;
      },
      sync: () => {
        checkOpen();
        return this.#sync(file.id);
      },
      loseUnsynced: () => this.#record({ kind: 'lose', node: file.id }),
      truncate: async (byteLength) => {
        checkOpen();
        this.#truncate(file, byteLength);
        await this.#turns();
      },
      size: async () => {
        checkOpen();
        return file.bytes.byteLength;
      },
      close: async () => {
        checkOpen();
        isClosed = true;
      },
    };
  }

  #truncate(file: SimulatedFile, byteLength: number): void {
    this.#record({ kind: 'truncate', node: file.id, byteLength });
    file.bytes = resized(file.bytes, byteLength);
  }

  async #sync(node: NodeId): Promise<void> {
    const sync = ++this.#lastSync;
    this.#record({ kind: 'sync-begin', node, sync });
    await this.#turns();
    this.#record({ kind: 'sync-end', node, sync });
  }

  #make(directory: SimulatedDirectory, name: string, asDirectory: true): SimulatedDirectory;
  #make(directory: SimulatedDirectory, name: string, asDirectory: false): SimulatedFile;
  #make(directory: SimulatedDirectory, name: string, asDirectory: boolean): SimulatedFile | SimulatedDirectory {
    const id = ++this.#lastNode;
    const node = asDirectory ? { id, names: new Map() } : { id, bytes: new Uint8Array(0) };
    this.#record({ kind: 'make', node: id, isDirectory: asDirectory });
    this.#change([{ directory, name, node }]);
    return node;
  }

  #change(
    changes: readonly {
      directory: SimulatedDirectory;
      name: string;
      node: SimulatedFile | SimulatedDirectory | undefined;
    }[],
  ): void {
    const recorded = changes.map(
      ({ directory, name, node }): NameChange => ({ directory: directory.id, name, node: node?.id }),
    );
    this.#record({ kind: 'names', changes: recorded });
    for (const { directory, name, node } of changes) {
      if (node) directory.names.set(name, node);
      else directory.names.delete(name);
    }
  }

  #directory(path: string): SimulatedDirectory {
    if (path === '/') return this.#root;
    const { node } = this.#find(path);
    if (!node) throw systemError('ENOENT', path);
    if (!isDirectory(node)) throw systemError('ENOTDIR', path);
    return node;
  }

  #find(path: string) {
    const directory = this.#directory(dirname(path));
    const name = basename(path);
    return { directory, name, node: directory.names.get(name) };
  }

  /**
   * Lets others go on: mostly within this turn of the event loop, sometimes into one of the next.
   */
  async #turns(): Promise<void> {
    const chance = this.#random();
    if (chance < 0.6) return;
    if (chance < 0.9) await Promise.resolve();
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A file's bytes after a write; a gap before it is zeros. */
export function written(content: Uint8Array, bytes: Uint8Array, offset: number): Uint8Array {
  const end = offset + bytes.byteLength;
  const grown = end > content.byteLength ? resized(content, end) : content;
  grown.set(bytes, offset);
  return grown;
}

export function resized(content: Uint8Array, byteLength: number): Uint8Array {
  const changed = new Uint8Array(byteLength);
  changed.set(content.subarray(0, byteLength));
  return changed;
}
