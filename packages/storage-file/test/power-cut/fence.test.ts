import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { append, textsOf } from '../opened-storage.ts';
import { kills, powerCuts, recordHistory } from './power-cuts.ts';

// LONG_TESTS=1 takes over three directories.
const SEEDS = process.env['LONG_TESTS'] ? 3 : 2;

/** As the holder number `number`, which found a directory whose holder may still be running. */
const fencing = (fileSystem: FileSystem, number: number): FileSystem => ({
  open: (path, mode) => fileSystem.open(path, mode),
  rename: (from, to) => fileSystem.rename(from, to),
  unlink: (path) => fileSystem.unlink(path),
  makeDirectory: (path) => fileSystem.makeDirectory(path),
  removeDirectory: (path) => fileSystem.removeDirectory(path),
  syncDirectory: (path) => fileSystem.syncDirectory(path),
  list: (path) => fileSystem.list(path),
  size: (path) => fileSystem.size(path),
  realPath: (path) => fileSystem.realPath(path),
  lock: async () => ({
    number,
    requiredEpoch: number,
    check: () => undefined,
    release: async () => undefined,
  }),
});

/** Opens, lists, adds a record that says who did, and closes. */
async function takenOver(fileSystem: FileSystem, number: number): Promise<string[]> {
  const storage = fileStorage({ path: '/data', fileSystem: fencing(fileSystem, number) });
  await storage.open();
  const texts = await textsOf(storage.namespace('n'));
  await append(storage.namespace('n'), `of ${number}`);
  await storage.close();
  return texts;
}

it.each([
  ['a power cut', powerCuts<string>],
  ['the end of the process', kills<string>],
])('%s after any step of a takeover loses nothing, and the next opener completes it', async (_, cutsOf) => {
  let cuts = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const filled = await recordHistory<string>(seed, async (fileSystem, mark) => {
      const storage = fileStorage({ path: '/data', fileSystem });
      await storage.open();
      await append(storage.namespace('n'), 'first');
      await storage.close();
      mark('first');
    });
    const start = [...kills<string>(filled)].at(-1)!.disk;
    const history = await recordHistory<string>(
      seed,
      async (fileSystem, mark) => {
        await takenOver(fileSystem, 2);
        mark('of 2');
      },
      start,
    );
    for (const { fileSystem, marks, name } of cutsOf(history)) {
      const texts = await takenOver(fileSystem, 3);
      expect(texts[0], name).toBe('first');
      if (marks.includes('of 2')) expect(texts, name).toEqual(['first', 'of 2']);
      const roots = (await fileSystem.list('/data')).filter((each) => each.startsWith('namespaces'));
      expect(roots, name).toEqual(['namespaces-3']);
      cuts++;
    }
  }
  expect(cuts).toBeGreaterThan(50);
});
