import { describe, expect, it, vi } from 'vitest';

describe('the data of a language', () => {
  it('is loaded when it is needed, and a search waits for it', async () => {
    vi.resetModules();
    const loaded: string[] = [];
    for (const name of ['english', 'finnish']) {
      vi.doMock(`@orama/stemmers/${name}`, async (original) => {
        loaded.push(name);
        return await original<object>();
      });
    }
    vi.doMock('stopword/dist/stopword.esm.mjs', async (original) => {
      loaded.push('stop words');
      return await original<object>();
    });
    const { bm25TextIndex: fresh } = await import('../../../src/search/text/bm25-text-index.ts');
    const make = fresh();
    expect(loaded).toEqual([]);
    const index = await make();
    expect(loaded.sort()).toEqual(['english', 'stop words']);
    index.add(0, 'taloissa', 'fi');
    index.add(1, 'lanterns', 'en');
    index.add(2, 'talossa', 'fi');
    index.remove(2, 'talossa', 'fi');
    expect(index.size).toBe(2);
    expect(() => index.add(0, 'talo', 'fi')).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/Document 0 is already in the index/),
      }),
    );
    const [one, two] = await Promise.all([index.search('talo', { limit: 9 }), index.search('lantern', { limit: 9 })]);
    expect([one.map(({ doc }) => doc), two.map(({ doc }) => doc)]).toEqual([[0], [1]]);
    expect(loaded).toContain('finnish');
    expect(index.size).toBe(2);
    index.remove(0, 'taloissa', 'fi');
    expect(await index.search('talo', { limit: 9 })).toEqual([]);
    vi.doUnmock('stopword/dist/stopword.esm.mjs');
    for (const name of ['english', 'finnish']) vi.doUnmock(`@orama/stemmers/${name}`);
    vi.resetModules();
  });

  it('that cannot be loaded fails the search, which can be tried again', async () => {
    vi.resetModules();
    let broken = true;
    const { LANGUAGE_TABLE } = await import('../../../src/search/text/analysis/language-table.ts');
    const { bm25TextIndex: fresh } = await import('../../../src/search/text/bm25-text-index.ts');
    const row = LANGUAGE_TABLE.find(({ tags }) => tags.includes('ga'))!;
    const { stemmer } = row;
    Object.assign(row, { stemmer: () => (broken ? Promise.reject(new Error('no such file')) : stemmer!()) });
    const index = await fresh()();
    index.add(0, 'leabhair', 'ga');
    await expect(index.search('leabhair', { limit: 1 })).rejects.toThrow('no such file');
    broken = false;
    expect(await index.search('leabhair', { limit: 1 })).toHaveLength(1);
    vi.resetModules();
  });
});
