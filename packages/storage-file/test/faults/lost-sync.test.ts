import { NO_HEAD } from '@rdf-worlds/core/plugin';
import { expect, it } from 'vitest';
import { append, openedStorage, recordOf, textsOf } from '../opened-storage.ts';
import { DiskModel } from '../power-cut/disk-model.ts';
import { SimulatedFileSystem } from '../power-cut/simulated-file-system.ts';
import { systemError } from '../stepped-file-system.ts';
import type { Fault } from './fault.ts';
import { faultyFileSystem } from './faulty-file-system.ts';

/** A disk of which a test says which calls fail, and that tells what a power cut leaves. */
function disk() {
  const model = new DiskModel();
  const files = new SimulatedFileSystem(
    () => 0,
    (event) => model.apply(event),
  );
  const control: { faultOf: (operation: string, path: string) => Fault | undefined } = { faultOf: () => undefined };
  const fileSystem = faultyFileSystem(files, (operation, path) => control.faultOf(operation, path));
  const afterPowerCut = () =>
    new SimulatedFileSystem(
      () => 0,
      undefined,
      model.afterPowerCut('drops all', () => 0),
      model.lastNode,
    );
  return { control, fileSystem, afterPowerCut };
}

const lostSync = (operation: string, path: string): Fault | undefined => {
  if (!/log-/.test(path)) return undefined;
  if (operation === 'syncFile') return { code: 'EIO', effect: 'lost' };
  return operation === 'truncate' ? { code: 'EIO', effect: 'before' } : undefined;
};

it('makes a record whose sync failed durable before it acknowledges later ones', async () => {
  const { control, fileSystem, afterPowerCut } = disk();
  const first = await openedStorage(fileSystem);
  const head = await append(first.namespace('n'), 'a');
  control.faultOf = lostSync;
  await expect(first.namespace('n').append(head, [recordOf('b')])).rejects.toMatchObject({ code: 'IN_DOUBT' });
  await first.close();
  control.faultOf = () => undefined;
  // The kernel takes the pages of `b` for clean: a sync alone would not write them.
  const second = await openedStorage(fileSystem);
  expect(await textsOf(second.namespace('n'))).toEqual(['a', 'b']);
  await append(second.namespace('n'), 'c');
  const third = await openedStorage(afterPowerCut());
  expect(await textsOf(third.namespace('n'))).toEqual(['a', 'b', 'c']);
  await third.close();
  await second.close();
});

it('does so too if the process continues and truncates the record', async () => {
  const { control, fileSystem, afterPowerCut } = disk();
  const storage = await openedStorage(fileSystem);
  const head = await append(storage.namespace('n'), 'a');
  control.faultOf = lostSync;
  await expect(storage.namespace('n').append(head, [recordOf('b')])).rejects.toMatchObject({ code: 'IN_DOUBT' });
  control.faultOf = () => undefined;
  await append(storage.namespace('n'), 'c');
  const after = await openedStorage(afterPowerCut());
  expect(await textsOf(after.namespace('n'))).toEqual(['a', 'c']);
  await after.close();
  await storage.close();
});

it('a drop is IN_DOUBT until its directory can be synced', async () => {
  const { control, fileSystem, afterPowerCut } = disk();
  const storage = await openedStorage(fileSystem);
  const namespace = storage.namespace('n');
  await append(namespace, 'a');
  control.faultOf = (operation, path) =>
    operation === 'syncDirectory' && /(trash|namespaces)$/.test(path) ? { code: 'EIO', effect: 'before' } : undefined;
  await expect(namespace.drop()).rejects.toMatchObject({ code: 'IN_DOUBT' });
  await expect(namespace.head()).rejects.toMatchObject({ code: 'IN_DOUBT' });
  expect(await textsOf((await openedStorage(afterPowerCut())).namespace('n'))).toEqual(['a']);
  control.faultOf = () => undefined;
  await namespace.drop();
  expect((await namespace.head()).position).toBe(0);
  expect(await textsOf((await openedStorage(afterPowerCut())).namespace('n'))).toEqual([]);
  await storage.close();
});

it.each(['n', 'other'])('a namespace created after a drop in doubt is durable (%s)', async (made) => {
  const { control, fileSystem, afterPowerCut } = disk();
  const storage = await openedStorage(fileSystem);
  await append(storage.namespace('n'), 'a');
  control.faultOf = (operation, path) =>
    operation === 'syncDirectory' && path.endsWith('trash') ? { code: 'EIO', effect: 'before' } : undefined;
  await expect(storage.namespace('n').drop()).rejects.toMatchObject({ code: 'IN_DOUBT' });
  await expect(storage.namespace(made).append(NO_HEAD, [recordOf('b')])).rejects.toMatchObject({ code: 'INTERNAL' });
  control.faultOf = () => undefined;
  await append(storage.namespace(made), 'b');
  const after = await openedStorage(afterPowerCut());
  expect(await textsOf(after.namespace(made))).toEqual(['b']);
  expect(await textsOf(after.namespace('n'))).toEqual(made === 'n' ? ['b'] : []);
  await after.close();
  await storage.close();
});

it('a drop succeeds even if its files cannot be removed; the next open removes them', async () => {
  const { control, fileSystem } = disk();
  const storage = await openedStorage(fileSystem);
  await append(storage.namespace('n'), 'a');
  control.faultOf = (operation, path) =>
    operation === 'unlink' && path.includes('/trash/') ? { code: 'EACCES', effect: 'before' } : undefined;
  await storage.namespace('n').drop();
  expect((await storage.namespace('n').head()).position).toBe(0);
  expect(await fileSystem.list('/data/trash')).toHaveLength(1);
  await storage.close();
  control.faultOf = () => undefined;
  const again = await openedStorage(fileSystem);
  expect(await fileSystem.list('/data/trash')).toEqual([]);
  await again.close();
});

it('reports errors without a known code', async () => {
  const { control, fileSystem } = disk();
  const storage = await openedStorage(fileSystem);
  control.faultOf = (operation) => (operation === 'makeDirectory' ? { code: 'EWEIRD', effect: 'before' } : undefined);
  await expect(append(storage.namespace('n'), 'a')).rejects.toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining(systemError('EWEIRD').message),
  });
  await storage.close();
});
