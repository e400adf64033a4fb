import { type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { FAULTS, type Operation } from './faults/fault.ts';
import { faultyFileSystem } from './faults/faulty-file-system.ts';
import { append, memoryFiles, openedStorage, textsOf } from './opened-storage.ts';

/** Those of operations on paths that pass by themselves. */
const PASSING = ['EMFILE', 'EINTR', 'EBUSY'];

/** Opens, reads and closes; the first call fails as `faultOf` says. */
async function opens(fileSystem: FileSystem, readOnly: boolean): Promise<string[]> {
  const storage = fileStorage({ path: '/data', fileSystem, readOnly });
  await storage.open();
  const names: string[] = [];
  for await (const name of storage.namespaces()) names.push(name);
  const texts = await textsOf(storage.namespace('n'));
  await storage.close();
  return [...names, ...texts];
}

it.each([false, true])('a temporary failure at any call does not prevent opening (readOnly: %s)', async (readOnly) => {
  const filled = memoryFiles();
  const storage = await openedStorage(filled);
  await append(storage.namespace('n'), 'a');
  await storage.close();
  let failures = 0;
  for (let at = 0; ; at++) {
    let count = 0;
    const ofFile: Operation[] = ['read', 'write', 'syncFile', 'truncate', 'fileSize', 'close'];
    const fileSystem = faultyFileSystem(filled.afterKill(), (operation) => {
      if (count++ !== at || ofFile.includes(operation)) return undefined;
      const fault = FAULTS[operation].find(({ code, effect }) => effect === 'before' && PASSING.includes(code));
      if (fault) failures++;
      return fault;
    });
    expect(await opens(fileSystem, readOnly), `call ${at}`).toEqual(['n', 'a']);
    if (count <= at) break;
  }
  expect(failures).toBeGreaterThan(4);
});
