import { expect, it } from 'vitest';
import { commitStatus } from '../../../src/engine/durable/commit-status.ts';
import { MemoryStorage } from '../../../src/index.ts';
import { NO_HEAD } from '../../../src/plugin.ts';

const ids = ['a', 'b'].map((digit) => digit.repeat(32));
const record = (id: string) => ({ id, chunks: [Buffer.from('content')] });

it('the first commit of a deleted and recreated namespace is TRUNCATED, not absent', async () => {
  const storage = new MemoryStorage();
  await storage.open();
  const namespace = storage.namespace('n');
  const token = { incarnation: '', position: 1, revision: 1, id: ids[0] };
  let floor = 0;
  const status = () => commitStatus(namespace, token, async () => floor);
  expect(await status()).toBe('absent');
  await namespace.append(NO_HEAD, [record(ids[0])]);
  expect(await status()).toBe('committed');
  await namespace.drop();
  floor = 2;
  await expect(status()).rejects.toMatchObject({ code: 'TRUNCATED' });
  await namespace.append(await namespace.head(), [record(ids[1])]);
  await expect(status()).rejects.toMatchObject({ code: 'TRUNCATED' });
  await storage.close();
});

it('the first commit of a namespace that another call created, and that was not deleted, is absent', async () => {
  const storage = new MemoryStorage();
  await storage.open();
  const namespace = storage.namespace('n');
  await namespace.append(NO_HEAD, [record(ids[1])]);
  const token = { incarnation: '', position: 1, revision: 1, id: ids[0] };
  expect(await commitStatus(namespace, token, async () => 0)).toBe('absent');
  await storage.close();
});
