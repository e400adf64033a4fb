import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { FileStore } from '../src/file-store.ts';
import type { NamespaceFiles } from '../src/namespace-files.ts';
import { append, memoryFiles, openedStorage } from './opened-storage.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it('keeps nothing in memory of a namespace that was dropped or never written to', async () => {
  const storage = await openedStorage(memoryFiles());
  const store = storage.place as FileStore;
  const kept = storage.namespace('kept');
  await append(kept, 'a');
  const refs = await (async () => {
    const found: WeakRef<NamespaceFiles>[] = [];
    for (let n = 0; n < 50; n++) {
      await append(storage.namespace(`n${n}`), 'a');
      await storage.namespace(`n${n}`).drop();
      await storage.namespace(`never ${n}`).head();
      found.push(new WeakRef(store.namespace(`n${n}`)), new WeakRef(store.namespace(`never ${n}`)));
    }
    return found;
  })();
  for (let turn = 0; turn < 20 && refs.some((ref) => ref.deref()); turn++) {
    await setImmediate();
    collect();
  }
  expect(refs.filter((ref) => ref.deref())).toEqual([]);
  // One that exists stays, although nobody refers to it: its log has its file open.
  const existing = new WeakRef(store.namespace('kept'));
  await setImmediate();
  collect();
  expect(existing.deref()).toBeDefined();
  await storage.close();
});
