import type { FileSystem, OpenFile } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { append, memoryFiles, openedStorage, recordOf, segmentOf, segmentTexts, textsOf } from './opened-storage.ts';
import { systemError } from './stepped-file-system.ts';

/**
 * Files in memory of which at most `limit` can be open; counts those that are open for writing
 * logs.
 */
function limitedFiles(limit = Number.POSITIVE_INFINITY) {
  const files = memoryFiles();
  const counts = { open: 0, logs: 0, mostLogs: 0, refused: 0 };
  const opened = (file: OpenFile, isLog: boolean): OpenFile => ({
    ...file,
    close: async () => {
      counts.open--;
      if (isLog) counts.logs--;
      await file.close();
    },
  });
  const refuseAbove = (): void => {
    if (counts.open < limit) return;
    counts.refused++;
    throw systemError('EMFILE');
  };
  const fileSystem: FileSystem = {
    open: async (path, mode) => {
      refuseAbove();
      const file = await files.open(path, mode);
      counts.open++;
      const isLog = mode === 'write' && /log-\d+$/.test(path);
      if (isLog) counts.mostLogs = Math.max(counts.mostLogs, ++counts.logs);
      // Lets others begin, as a real disk does.
      await new Promise((resolve) => setImmediate(resolve));
      return opened(file, isLog);
    },
    rename: (from, to) => files.rename(from, to),
    unlink: (path) => files.unlink(path),
    makeDirectory: (path) => files.makeDirectory(path),
    removeDirectory: (path) => files.removeDirectory(path),
    syncDirectory: async (path) => {
      refuseAbove();
      await files.syncDirectory(path);
    },
    list: async (path) => {
      refuseAbove();
      return files.list(path);
    },
    size: (path) => files.size(path),
    realPath: (path) => files.realPath(path),
    lock: (directory) => files.lock(directory),
  };
  return { fileSystem, counts, control: { limitTo: (now: number) => (limit = now) } };
}

it('keeps at most maxOpenFiles logs open for appends, however many are written to concurrently', async () => {
  const { fileSystem, counts } = limitedFiles();
  const storage = await openedStorage(fileSystem, { maxOpenFiles: 3 });
  const namespaces = Array.from({ length: 40 }, (_, n) => storage.namespace(`n${n}`));
  for (let round = 0; round < 3; round++) {
    await Promise.all(namespaces.map((namespace) => append(namespace, `${round}`)));
    await Promise.all(
      namespaces.map(async (namespace) => {
        const head = await namespace.head();
        await Promise.all(
          [0, 1].map((n) => namespace.append({ ...head, position: head.position + n }, [recordOf('x')])),
        );
      }),
    );
  }
  // Recovery opens each log once more, for its end.
  expect(counts.mostLogs).toBeLessThanOrEqual(3);
  for (const namespace of namespaces) expect(await textsOf(namespace)).toHaveLength(9);
  await storage.close();
  expect(counts.open).toBe(0);
});

it('closes idle logs if the process has too many open files, and calls succeed', async () => {
  const { fileSystem, counts, control } = limitedFiles();
  const storage = await openedStorage(fileSystem, { maxOpenFiles: 100 });
  const namespaces = Array.from({ length: 20 }, (_, n) => storage.namespace(`n${n}`));
  for (const namespace of namespaces) await append(namespace, 'a');
  expect(counts.open).toBe(20);
  control.limitTo(20);
  const head = await namespaces[0].head();
  await namespaces[0].writeCheckpoint(head, [segmentOf('s', 'text')]);
  expect(await segmentTexts(namespaces[0])).toEqual(['text']);
  await append(storage.namespace('new'), 'b');
  expect(counts.refused).toBeGreaterThan(0);
  await storage.close();
});

it('fails a call if files outside the storage use up the limit, and later calls succeed', async () => {
  const { fileSystem, control } = limitedFiles();
  const storage = await openedStorage(fileSystem);
  const namespace = storage.namespace('n');
  await append(namespace, 'a');
  control.limitTo(0);
  await expect(append(storage.namespace('other'), 'b')).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringMatching(/too many files open/),
  });
  await expect(namespace.writeCheckpoint(await namespace.head(), [segmentOf('s', 'x')])).rejects.toThrow(/too many/);
  control.limitTo(1000);
  await append(namespace, 'c');
  await append(storage.namespace('other'), 'b');
  await namespace.writeCheckpoint(await namespace.head(), [segmentOf('s', 'x')]);
  await namespace.writeCheckpoint(await namespace.head(), [segmentOf('t', 'x')]);
  expect(await textsOf(namespace)).toEqual(['a', 'c']);
  await storage.close();
}, 60_000);

it('paused readers keep at most maxOpenFiles files open, and resume where they were', async () => {
  const { fileSystem, counts } = limitedFiles();
  const storage = await openedStorage(fileSystem, { maxOpenFiles: 3 });
  const namespaces = Array.from({ length: 12 }, (_, n) => storage.namespace(`n${n}`));
  // More than a reader takes at once.
  const large = 'x'.repeat(200_000);
  for (const namespace of namespaces) for (const each of ['a', 'b', 'c']) await append(namespace, `${each}${large}`);
  const readers = namespaces.map((namespace) =>
    namespace.read({ incarnation: '', position: 0, generation: 0 })[Symbol.asyncIterator](),
  );
  for (let round = 0; round < 3; round++) {
    for (const [n, reader] of readers.entries()) {
      const { value } = await reader.next();
      expect(Buffer.from(value!.data).toString().slice(0, 2), `${n}, ${round}`).toBe(`${'abc'[round]}x`);
      expect(counts.open).toBeLessThanOrEqual(3);
    }
    // Writers need files, too.
    await Promise.all(namespaces.map((namespace) => append(namespace, 'd')));
    expect(counts.open).toBeLessThanOrEqual(3);
  }
  // All at the same time.
  const rest = namespaces.map((namespace) =>
    namespace.read({ incarnation: '', position: 0, generation: 0 })[Symbol.asyncIterator](),
  );
  const firsts = await Promise.all(rest.map((reader) => reader.next()));
  expect(firsts.every(({ done }) => !done)).toBe(true);
  expect(counts.open).toBeLessThanOrEqual(3);
  for (const reader of [...readers, ...rest]) await reader.return?.();
  await storage.close();
  expect(counts.open).toBe(0);
}, 60_000);
