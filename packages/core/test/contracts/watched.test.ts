import { describe, expect, it } from 'vitest';
import { watched } from '../../src/contracts/watched.ts';

/** Counts to three, and tells whether it was closed. */
function counting() {
  const state = { closed: false };
  const items = (async function* () {
    try {
      yield 1;
      yield 2;
      yield 3;
    } finally {
      state.closed = true;
    }
  })();
  return { items, state };
}

async function consumed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a watched iteration', () => {
  it.each([
    ['asynchronous', () => counting().items],
    ['synchronous', () => [1, 2, 3]],
  ])('passes on the items of an %s one, and shows each, and the end', async (_, items) => {
    const seen: unknown[] = [];
    expect(await consumed(watched<number>(items(), (item) => seen.push(item)))).toEqual([1, 2, 3]);
    expect(seen).toEqual([1, 2, 3, undefined]);
  });

  it('closes the items and fails if the function throws', async () => {
    const { items, state } = counting();
    const iterator = watched(items, (item) => {
      if (item === 2) throw new Error('enough');
    })[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    await expect(iterator.next()).rejects.toThrow('enough');
    expect(state.closed).toBe(true);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('closes the items when its reader leaves', async () => {
    const { items, state } = counting();
    for await (const item of watched(items, () => {})) if (item === 2) break;
    expect(state.closed).toBe(true);
  });

  it('fails as the items do', async () => {
    const items = (async function* () {
      yield 1;
      throw new Error('broken');
    })();
    await expect(consumed(watched(items, () => {}))).rejects.toThrow('broken');
  });
});
