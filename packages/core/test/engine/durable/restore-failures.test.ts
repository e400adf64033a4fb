import { expect, it } from 'vitest';
import { MemoryStorage, WorldsEngine, WorldsError } from '../../../src/index.ts';

/** A storage that cannot be closed. */
class UnclosableStorage extends MemoryStorage {
  override async close(): Promise<void> {
    throw new WorldsError('INTERNAL', 'The disk does not work.');
  }
}

it('a restore that fails says why, and reports that the storage could not be closed', async () => {
  const engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w' });
  const backup: Uint8Array[] = [];
  for await (const chunk of engine.backupStream()) backup.push(chunk);
  await engine.close();
  const bytes = new Uint8Array(Buffer.concat(backup));
  bytes[bytes.length - 40] ^= 1;
  const reported: unknown[] = [];
  const restoring = WorldsEngine.restore(bytes, {
    storage: new UnclosableStorage(),
    onBackgroundError: (error, origin) => reported.push([error.message, origin]),
  });
  await expect(restoring).rejects.toMatchObject({ code: 'CORRUPT' });
  expect(reported).toEqual([['The disk does not work.', { namespace: null, activity: 'storage' }]]);
});
