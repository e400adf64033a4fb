import { basename } from 'node:path';
import type { FileSystem, OpenFile } from '@rdf-worlds/storage-file';
import type { Head, NamespaceStorage, Storage } from '../../../../src/contracts/storage.ts';
import { Journal } from '../../../../src/engine/durable/journal.ts';
import { throwIfAborted } from '../../../../src/plugin.ts';

// A mutated engine whose change feeds, and nothing else, show commits before they are durable. Two
// parts of the real one prevent that, so both are mutated: a feed waits until a commit is visible,
// and the log of storage-file shows readers nothing that is not synced.

/**
 * Runs work while the feeds of all engines wait for the storage to have a commit, not for the
 * commit to be visible.
 */
export async function withEarlyFeeds<Result>(work: () => Promise<Result>): Promise<Result> {
  const { beyond } = Journal.prototype;
  Journal.prototype.beyond = async function (position, signal) {
    const { storage, namespace } = this as unknown as { storage: NamespaceStorage; namespace: { dropped: boolean } };
    while (this.state.head.position <= position && !namespace.dropped) {
      throwIfAborted(signal);
      if ((await storage.head()).position > position) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  try {
    return await work();
  } finally {
    Journal.prototype.beyond = beyond;
  }
}

/** A file system whose syncs of logs return before they have begun. */
export interface LateSyncs {
  readonly fileSystem: FileSystem;
  /** Performs the syncs that are due. */
  readonly settle: () => Promise<void>;
}

export function lateSyncs(inner: FileSystem): LateSyncs {
  const settlings = new Set<() => Promise<void>>();
  const settle = async (): Promise<void> => {
    for (const each of settlings) await each();
  };

  function late(file: OpenFile): OpenFile {
    let isDue = false;
    let syncing = Promise.resolve();
    const settleFile = (): Promise<void> => {
      syncing = syncing.then(async () => {
        if (!isDue) return;
        isDue = false;
        await file.sync();
      });
      return syncing;
    };
    settlings.add(settleFile);
    return {
      write: (bytes, offset) => file.write(bytes, offset),
      read: (into, offset) => file.read(into, offset),
      truncate: (byteLength) => file.truncate(byteLength),
      size: () => file.size(),
      sync: async () => {
        isDue = true;
      },
      close: async () => {
        await settleFile();
        settlings.delete(settleFile);
        await file.close();
      },
    };
  }

  const fileSystem: FileSystem = {
    open: async (path, mode) => {
      const file = await inner.open(path, mode);
      return mode === 'write' && /^log-\d+$/.test(basename(path)) ? late(file) : file;
    },
    // A manifest says how much of the log is durable, which must be true of the mutated engine too.
    rename: async (from, to) => {
      await settle();
      await inner.rename(from, to);
    },
    unlink: (path) => inner.unlink(path),
    makeDirectory: (path) => inner.makeDirectory(path),
    removeDirectory: (path) => inner.removeDirectory(path),
    syncDirectory: (path) => inner.syncDirectory(path),
    list: (path) => inner.list(path),
    size: (path) => inner.size(path),
    realPath: (path) => inner.realPath(path),
    lock: (directory, options) => inner.lock(directory, options),
  };
  return { fileSystem, settle };
}

/** Delay of an acknowledgement, in turns of the event loop. */
const LATE_TURNS = 6;

/** A storage that acknowledges an append when the syncs that are due were performed. */
export function acknowledgingAfter(storage: Storage, settle: () => Promise<void>): Storage {
  const late: Storage = Object.create(storage, {
    capabilities: { value: storage.capabilities },
    place: { get: () => storage.place },
  });
  for (const method of ['open', 'close', 'namespaces', 'onBackgroundError', 'strays'] as const) {
    Object.defineProperty(late, method, { value: storage[method]?.bind(storage) });
  }
  late.namespace = (name) => {
    const real = storage.namespace(name);
    return {
      head: () => real.head(),
      read: (after, signal) => real.read(after, signal),
      checkpoint: () => real.checkpoint(),
      writeCheckpoint: (at, segments) => real.writeCheckpoint(at, segments),
      truncate: (upTo) => real.truncate(upTo),
      stats: () => real.stats(),
      drop: () => real.drop(),
      append: async (expected, records): Promise<Head> => {
        const head = await real.append(expected, records);
        // Time for the feeds to show what was appended.
        for (let turn = 0; turn < LATE_TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
        await settle();
        return head;
      },
    };
  };
  return late;
}
