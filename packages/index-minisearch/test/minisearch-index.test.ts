import { describe, expect, it, vi } from 'vitest';
import { textIndexContract } from '../../testkit/src/text-index-contract.ts';
import { type MinisearchIndexOptions, minisearchIndex } from '../src/index.ts';

async function indexOf(texts: readonly string[], options?: MinisearchIndexOptions) {
  const index = await minisearchIndex(options)();
  for (const [doc, text] of texts.entries()) index.add(doc, text, '');
  return {
    index,
    find: async (query: string) => (await index.search(query, { limit: 100 })).map(({ doc }) => doc),
  };
}

/** The contract holds with every option, not only by default. */
const OPTIONS: readonly (readonly [what: string, options: MinisearchIndexOptions])[] = [
  ['by default', {}],
  ['without prefixes', { prefix: false }],
  ['with stop words', { stopWords: ['the', 'of', 'a', 'to', 'be', 'or', 'not'] }],
];

for (const [what, options] of OPTIONS) {
  describe(`minisearchIndex keeps the contract of a text index ${what}`, () => {
    for (const { name, run } of textIndexContract(minisearchIndex(options))) it(name, run);
  });
}

describe('minisearchIndex', () => {
  it('loads its library when the first index is made', async () => {
    const loaded = vi.fn();
    vi.resetModules();
    vi.doMock('minisearch', async (original) => {
      loaded();
      return await original();
    });
    const fresh = await import('../src/index.ts');
    const make = fresh.minisearchIndex();
    expect(loaded).not.toHaveBeenCalled();
    expect((await make()).size).toBe(0);
    expect(loaded).toHaveBeenCalledTimes(1);
    vi.doUnmock('minisearch');
  });

  it('sets no timer, however much is removed', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const { index, find } = await indexOf(Array.from({ length: 2000 }, (_, doc) => `lantern w${doc}`));
    for (let doc = 0; doc < 1999; doc++) index.remove(doc, `lantern w${doc}`, '');
    expect(await find('lantern')).toEqual([1999]);
    expect(timer).not.toHaveBeenCalled();
    timer.mockRestore();
  });

  it('completes the last word of a query, from three letters on, below whole words', async () => {
    const { find } = await indexOf(['lanterns', 'lantern', 'language', 'kettle']);
    expect(await find('lantern')).toEqual([1, 0]);
    expect(await find('lan')).toEqual(expect.arrayContaining([0, 1, 2]));
    expect(await find('la')).toEqual([]);
    expect(await find('lan kettle')).toEqual([3]);
    const { find: findWhole } = await indexOf(['lanterns', 'lantern'], { prefix: false });
    expect(await findWhole('lantern')).toEqual([1]);
    expect(await findWhole('lan')).toEqual([]);
  });

  it('completes the last word of a query or not, as the search says', async () => {
    const { index } = await indexOf(['lanterns', 'lantern']);
    const found = await index.search('lan', { limit: 9, prefix: false });
    expect(found).toEqual([]);
    const { index: whole } = await indexOf(['lanterns', 'lantern'], { prefix: false });
    expect(await whole.search('lan', { limit: 9, prefix: true })).toHaveLength(2);
  });

  it('finds misspelt words on request', async () => {
    expect(await (await indexOf(['lantern'])).find('lentern')).toEqual([]);
    expect(await (await indexOf(['lantern'], { fuzzy: 0.2 })).find('lentern')).toEqual([0]);
  });

  it('leaves stop words out, in any case and accent', async () => {
    const { index, find } = await indexOf(['the king', 'été'], { stopWords: ['THE', 'ete'] });
    expect(await find('the')).toEqual([]);
    expect(await find('Été the')).toEqual([]);
    expect(await find('the king')).toEqual([0]);
    index.remove(1, 'été', '');
    expect(index.size).toBe(1);
  });

  it('counts the words that a query repeats', async () => {
    const { find } = await indexOf(['red', 'blue']);
    expect(await find('blue blue red')).toEqual([1, 0]);
    expect(await find('blue red red')).toEqual([0, 1]);
  });

  it('reads the first different words of a query up to its limit', async () => {
    const { find } = await indexOf(['first', 'second', 'third'], { maxQueryWords: 2 });
    expect(await find('first first second third')).toEqual([0, 1]);
    const filler = Array.from({ length: 31 }, (_, at) => `w${at}`).join(' ');
    const { find: findByDefault } = await indexOf(['lantern', 'kettle']);
    expect(await findByDefault(`${filler} lantern kettle`)).toEqual([0]);
  });

  it('indexes a document up to its limit, and removes it all the same', async () => {
    const text = `${'lantern '.repeat(3)}kettle`;
    const { index, find } = await indexOf([text], { maxTextLength: 24 });
    expect(await find('lantern')).toEqual([0]);
    expect(await find('kettle')).toEqual([]);
    index.remove(0, text, '');
    expect(await find('lantern')).toEqual([]);
  });

  it('says what is wrong with a document that it cannot add or remove', async () => {
    const { index } = await indexOf(['lantern']);
    const invalid = (message: RegExp) =>
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) });
    expect(() => index.add(0, 'kettle', '')).toThrow(invalid(/Document 0 is already in the index/));
    expect(() => index.remove(1, 'kettle', '')).toThrow(invalid(/Document 1 is not in the index/));
    expect(() => index.remove(0, 'kettle', '')).toThrow(invalid(/a different text/));
    expect(index.size).toBe(0);
    await expect(index.search('lantern', { limit: 0 })).rejects.toThrow(invalid(/limit/));
  });

  it.each([{ fuzzy: -1 }, { fuzzy: 7 }, { fuzzy: Number.NaN }, { maxQueryWords: 0 }, { maxTextLength: 1.5 }])(
    'refuses %o',
    (options) => {
      expect(() => minisearchIndex(options)).toThrow(/^minisearchIndex: /);
    },
  );

  it('a deadline that passed is a TIMEOUT', async () => {
    const { index } = await indexOf(['lantern']);
    const signal = AbortSignal.timeout(0);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(index.search('lantern', { limit: 1, signal })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});
