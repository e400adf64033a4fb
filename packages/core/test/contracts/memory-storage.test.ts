import { storageContract } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { MemoryContents } from '../../src/contracts/memory-namespace.ts';
import { MemoryStorage } from '../../src/contracts/memory-storage.ts';

describe('MemoryStorage keeps the contract of storages:', () => {
  const makePlace = () => {
    const contents = new MemoryContents();
    return { make: () => new MemoryStorage(contents) };
  };
  for (const { name, run } of storageContract(makePlace)) it(name, run);
});

it('is neither durable nor shared', () => {
  expect(new MemoryStorage().capabilities).toEqual({ durable: false, shared: false });
});

it('two that share contents see each other’s records', async () => {
  const one = new MemoryStorage();
  const other = new MemoryStorage(one.contents);
  await Promise.all([one.open(), other.open()]);
  const head = await one.namespace('n').append(await other.namespace('n').head(), [{ id: '0'.repeat(32), chunks: [] }]);
  expect(await other.namespace('n').head()).toEqual(head);
  await one.close();
  expect(await other.namespace('n').head()).toEqual(head);
});
