import { textIndexContract } from '@rdf-worlds/testkit';
import { describe, expect, it, vi } from 'vitest';
import {
  type Bm25TextIndex,
  type Bm25TextIndexOptions,
  bm25TextIndex,
} from '../../../src/search/text/bm25-text-index.ts';

async function open(options?: Bm25TextIndexOptions): Promise<Bm25TextIndex> {
  return (await bm25TextIndex(options)()) as Bm25TextIndex;
}

/** An index of texts in one language, and a search for their numbers. */
async function indexOf(texts: readonly string[], tag = '', options?: Bm25TextIndexOptions) {
  const index = await open(options);
  for (const [doc, text] of texts.entries()) index.add(doc, text, tag);
  return {
    index,
    find: async (query: string, prefix = false) =>
      (await index.search(query, { limit: 1000, prefix })).map(({ doc }) => doc),
  };
}

const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) });

for (const options of [{}, { defaultLanguage: '' }, { defaultLanguage: 'de' }])
  describe(`bm25TextIndex(${JSON.stringify(options)}) keeps the contract of a text index`, () => {
    for (const { name, run } of textIndexContract(bm25TextIndex(options))) it(name, run);
  });

describe('a search of some worlds', () => {
  const WORLDS = [
    ['the lantern burns', 'a kettle'],
    ['the lanterm burns', 'mountainside'],
    ['oil', 'the lantern is out'],
  ];

  /** All worlds in one index, and each world in one of its own, with the same numbers. */
  async function both() {
    const all = await open();
    const own = await Promise.all(WORLDS.map(() => open()));
    const docs = WORLDS.map((): number[] => []);
    let doc = 0;
    for (const [world, texts] of WORLDS.entries()) {
      for (const text of texts) {
        all.add(doc, text, '', world);
        own[world]!.add(doc, text, '', world);
        docs[world]!.push(doc++);
      }
    }
    const search = (query: string, world: number) => {
      const documents = { kind: 'sorted', ids: Uint32Array.from(docs[world]!), size: docs[world]!.length } as const;
      return all.search(query, { limit: 9, filter: documents, scope: { groups: [world], documents } });
    };
    return { search, alone: (query: string, world: number) => own[world]!.search(query, { limit: 9 }) };
  }

  it.each([
    ['a word that only another world has', 'lanterm', [1, 1, 1]],
    ['a misspelt word of two worlds', 'lantren', [1, 0, 1]],
    ['a misspelt word of another world', 'montainsid', [0, 1, 0]],
    ['a word of its own', 'kettle', [1, 0, 0]],
  ])('corrects %s by its own words alone', async (_, query, counts) => {
    const { search, alone } = await both();
    for (const [world, count] of counts.entries()) {
      const hits = await search(query, world);
      expect(hits).toHaveLength(count);
      expect(hits).toEqual(await alone(query, world));
    }
  });
});

describe('a text in a language', () => {
  it.each<[tag: string, text: string, query: string]>([
    ['', 'the lanterns were burning', 'lantern burns'],
    ['en-GB', 'the lanterns were burning', 'lantern burns'],
    ['EN', 'happiness', 'happy'],
    ['de', 'die Häuser am Fluss', 'haus'],
    ['de-AT', 'Straßen', 'strasse'],
    ['fr', 'les chevaux de l’école', 'cheval ecole'],
    ['es', 'la educación', 'educaciones'],
    ['es', 'la educación', 'educacion'],
    ['es', 'la educacion', 'educación'],
    ['ru', 'красные книги', 'книга'],
    ['ru', 'ёлка', 'елки'],
    ['el', 'ΟΙ ΔΡΟΜΟΙ', 'δρόμος'],
    ['zh', '这是一本关于数据库的书', '数据库'],
    ['ja', '東京都に住んでいます', '東京'],
    ['th', 'ภาษาไทยเป็นภาษา', 'ภาษา'],
    ['ko', '빨간 등불', '등불'],
    ['tlh', 'tlhIngan Hol', 'TLHINGAN'],
  ])('%s: "%s" is found by "%s"', async (tag, text, query) => {
    const { index, find } = await indexOf(['kettle', text], tag);
    expect(await find(query)).toEqual([1]);
    index.remove(1, text, tag);
    expect(await find(query)).toEqual([]);
    expect(index.size).toBe(1);
  });

  it('is stemmed by its own rules, whatever other languages there are', async () => {
    const { index, find } = await indexOf(['the houses', 'universities']);
    index.add(10, 'die Häuser', 'de');
    index.add(11, 'educaciones', 'es');
    index.add(12, 'houses', 'tlh');
    expect(await find('house')).toEqual([0]);
    expect((await find('houses')).sort()).toEqual([0, 12]);
    expect(await find('haus')).toEqual([10]);
    expect(await find('educación')).toEqual([11]);
    expect(await find('university')).toEqual([1]);
  });

  it('is in the default language without a tag', async () => {
    expect(await (await indexOf(['lanterns'])).find('lantern')).toEqual([0]);
    expect(await (await indexOf(['Häuser'], '', { defaultLanguage: 'de' })).find('haus')).toEqual([0]);
    const plain = await indexOf(['the lanterns'], '', { defaultLanguage: '' });
    // Not the same word: it is only near.
    expect(await plain.find('the')).toEqual([0]);
    expect(await plain.find('lanterns')).toEqual([0]);
  });

  it('does not rank a text first because it quotes a stop word of another language', async () => {
    const { index, find } = await indexOf(
      Array.from({ length: 40 }, (_, doc) => (doc === 7 ? 'the old lantern' : `the word${doc}`)),
    );
    for (let doc = 100; doc < 140; doc++) index.add(doc, doc === 100 ? 'the' : `wort${doc}`, 'de');
    expect(await find('the lantern')).toEqual([7, 100]);
  });
});

describe('stop words', () => {
  it('are not words of a query', async () => {
    const { find } = await indexOf(['to be or not to be', 'the lantern', "it's", '']);
    for (const query of ['the', 'to be or', "it's", 'of the and']) expect(await find(query), query).toEqual([]);
    expect(await find('the lantern')).toEqual([1]);
    // An unfinished stop word is finished.
    expect(await find('the', true)).toEqual([]);
  });

  it('keep their accents apart', async () => {
    const { find } = await indexOf(['thé vert', 'the green']);
    expect(await find('thé')).toEqual([0]);
  });
});

describe('the last word', () => {
  it('may be unfinished on request', async () => {
    const { find } = await indexOf(['lanterns', 'landing', 'kettle', 'lan']);
    expect(await find('lan')).toEqual([3]);
    expect(await find('lan', true)).toEqual([3, 1, 0]);
    expect(await find('kettle lan', true)).toEqual(expect.arrayContaining([0, 1, 2, 3]));
    expect(await find('lan kettle', true)).toEqual(expect.arrayContaining([2, 3]));
    expect(await find('lan kettle', true)).toHaveLength(2);
  });

  it('is completed as it is written, not as it is stemmed', async () => {
    const { find } = await indexOf(['the university', 'the universe', 'happiness']);
    expect(await find('universit', true)).toEqual(expect.arrayContaining([0]));
    expect(await find('happine', true)).toEqual([2]);
    expect(await find('happine')).toEqual([]);
  });

  it('finds its completions in all languages, with and without accents', async () => {
    const { index, find } = await indexOf(['catalog'], 'en');
    index.add(1, 'catálogo', 'es');
    index.add(2, 'Katalog', 'de');
    expect((await find('cata', true)).sort()).toEqual([0, 1]);
    expect((await find('catá', true)).sort()).toEqual([0, 1]);
  });

  it('knows new words immediately, and forgets removed ones', async () => {
    const { index, find } = await indexOf(['lantern']);
    expect(await find('lant', true)).toEqual([0]);
    index.add(1, 'lantana', '');
    expect((await find('lant', true)).sort()).toEqual([0, 1]);
    index.remove(0, 'lantern', '');
    expect(await find('lant', true)).toEqual([1]);
    index.add(0, 'lantern', '');
    expect((await find('lant', true)).sort()).toEqual([0, 1]);
  });
});

describe('a word that the index does not know', () => {
  it('finds its nearest neighbours', async () => {
    const { find } = await indexOf(['lantern', 'kettle', 'mountains']);
    expect(await find('lentern')).toEqual([0]);
    expect(await find('ketlte')).toEqual([1]);
    expect(await find('muontian')).toEqual([]);
    expect(await find('muontians')).toEqual([2]);
  });

  it('is not looked for around a word that it does know', async () => {
    const { find } = await indexOf(['kettle', 'nettle']);
    expect(await find('kettle')).toEqual([0]);
    expect(await find('kettles')).toEqual([0]);
    // Only this way round: `settle` is unknown.
    expect((await find('settle')).sort()).toEqual([0, 1]);
  });
});

describe('explain', () => {
  it('explains the contribution of each word', async () => {
    const { index } = await indexOf(['red lanterns, red kettles', 'blue lantern']);
    const [hit] = await index.search('red lantern ketles', { limit: 1 });
    const scores = await index.explain('red lantern ketles', hit!.doc);
    expect(scores.map(({ word, term, frequency }) => ({ word, term, frequency }))).toEqual([
      { word: 'red', term: 'red', frequency: 2 },
      { word: 'lantern', term: 'lantern', frequency: 1 },
      { word: 'ketles', term: 'kettl', frequency: 1 },
    ]);
    expect(scores.reduce((sum, { score }) => sum + score, 0)).toBe(hit!.score);
    expect(await index.explain('red', 1)).toEqual([]);
    expect(await index.explain('red', 77)).toEqual([]);
    expect(await index.explain('', 0)).toEqual([]);
    await index.compact();
    expect(await index.explain('red lantern ketles', hit!.doc)).toEqual(scores);
  });
});

describe('hostile texts', () => {
  it('cost only what their length costs', async () => {
    const texts = [
      'lantern '.repeat(131_072),
      Array.from({ length: 10_000 }, (_, at) => `word${at}`).join(' '),
      'x'.repeat(1_048_576),
      `e${'\u0301\u0323'.repeat(500_000)}`,
      '东'.repeat(100_000),
      'a\u0000b\ud800c\udc00d 😀😀',
      `${'\u200d'.repeat(100_000)}lantern`,
    ];
    const { index, find } = await indexOf(texts);
    expect((await find('lantern')).sort()).toEqual([0, 6]);
    expect(await find('word9999')).toEqual([1]);
    expect(await find('x'.repeat(2_000_000))).toEqual([2]);
    expect(await find('é')).toEqual([3]);
    expect(await find('b')).toEqual([5]);
    expect(index.memoryBytes).toBeLessThan(4_000_000);
    for (const [doc, text] of texts.entries()) index.remove(doc, text, '');
    expect(index.size).toBe(0);
    expect(index.memoryBytes).toBeLessThan(20_000);
  });

  it('are read up to a limit', async () => {
    const text = `${'lantern '.repeat(3)}kettle`;
    const { index, find } = await indexOf([text], '', { maxTextLength: 24 });
    expect(await find('lantern')).toEqual([0]);
    expect(await find('kettle')).toEqual([]);
    index.remove(0, text, '');
    expect(index.size).toBe(0);
  });

  it('do not slow a query down: it is read up to a limit too', async () => {
    const filler = Array.from({ length: 63 }, (_, at) => `filler${at}`).join(' ');
    const { find } = await indexOf(['lantern', 'kettle']);
    expect(await find(`${filler} lantern kettle`)).toEqual([0]);
    expect(await find(`${' '.repeat(100_000)}lantern`)).toEqual([0]);
  });
});

describe('bm25TextIndex', () => {
  it('says what is wrong', async () => {
    const { index } = await indexOf(['red lantern', 'kettle']);
    expect(() => index.add(0, 'kettle', '')).toThrow(invalid(/Document 0 is already in the index/));
    expect(() => index.remove(9, 'kettle', '')).toThrow(invalid(/Document 9 is not in the index/));
    for (const text of ['blue lantern', 'red', 'kettle', ''])
      expect(() => index.remove(0, text, ''), text).toThrow(invalid(/a different text or language/));
    expect(() => index.remove(0, 'red lantern', 'fr')).toThrow(invalid(/a different text or language/));
    expect(index.size).toBe(2);
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(index.search('lantern', { limit })).rejects.toThrow(invalid(/limit/));
    for (const maxTextLength of [0, 1.5, Number.NaN])
      expect(() => bm25TextIndex({ maxTextLength })).toThrow(invalid(/maxTextLength/));
  });

  it('a deadline that passed is a TIMEOUT', async () => {
    const { index } = await indexOf(['lantern']);
    const signal = AbortSignal.timeout(0);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await expect(index.search('lantern', { limit: 1, signal })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('counts the words that a query repeats', async () => {
    const { find } = await indexOf(['red', 'blue']);
    expect(await find('blue blue red')).toEqual([1, 0]);
    expect(await find('blue red reds')).toEqual([0, 1]);
  });

  it('sets no timer, and releases memory', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const { index } = await indexOf([]);
    const empty = index.memoryBytes;
    expect(empty).toBeLessThan(4096);
    for (let round = 0; round < 3; round++) {
      for (let doc = 0; doc < 10_000; doc++) index.add(doc, `lantern word${doc} of round${round}`, '');
      for (let doc = 0; doc < 9999; doc++) index.remove(doc, `lantern word${doc} of round${round}`, '');
      expect(index.statistics.words).toBeLessThan(12_000);
      index.remove(9999, `lantern word9999 of round${round}`, '');
      expect(index.memoryBytes).toBe(empty);
    }
    expect(timer).not.toHaveBeenCalled();
    timer.mockRestore();
  });

  it('forgets words that documents no longer have, and deleted documents', async () => {
    const { index, find } = await indexOf(['kettle']);
    for (let round = 0; round < 4; round++) {
      for (let at = 0; at < 5000; at++) index.add(1 + at, `lantern word${round * 5000 + at}`, '');
      expect(await find(`word${round * 5000 + 17}`)).toEqual([18]);
      expect(await find('wor', true)).toHaveLength(32);
      for (let at = 0; at < 5000; at++) index.remove(1 + at, `lantern word${round * 5000 + at}`, '');
      const { words, deadDocuments } = index.statistics;
      expect(words).toBeLessThan(10_000);
      expect(deadDocuments).toBeLessThan(2500);
    }
    await index.compact();
    expect(index.statistics).toMatchObject({ documents: 1, deadDocuments: 0, words: 2, postings: 1 });
    expect(await find('kettle')).toEqual([0]);
  });

  it('takes below 40 bytes for a short text', async () => {
    const texts = Array.from(
      { length: 30_000 },
      (_, doc) => `the word${doc % 977} and lantern${doc % 89} of kettle${doc % 11}`,
    );
    const { index } = await indexOf(texts);
    expect(index.memoryBytes / texts.length).toBeLessThan(40);
    expect(index.memoryBytes).toBe(index.statistics.wordBytes + index.statistics.postingBytes);
  });

  it('can be changed right after a search, and searched while it is put in order', async () => {
    const { index, find } = await indexOf(Array.from({ length: 20_000 }, (_, doc) => `lantern word${doc}`));
    const compacting = index.compact();
    expect(await find('word77')).toEqual([77]);
    index.remove(77, 'lantern word77', '');
    index.add(77, 'kettle', '');
    await compacting;
    expect(await find('word77')).toEqual([]);
    expect(await find('kettle')).toEqual([77]);
    expect((await find('lantern')).length).toBe(1000);
  });
});

describe('a long text without spaces', () => {
  const text = Array.from({ length: 4_000 }, (_, i) => `\u6587\u5b57${String.fromCodePoint(0x4e00 + (i % 500))}`).join(
    '',
  );

  it('is split in steps before it is added and removed, and found all the same', async () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    const index = await open();
    const prepare = () => [...{ [Symbol.iterator]: () => index.prepare(text) }].length;
    for (const change of ['add', 'remove', 'add'] as const) {
      expect(prepare()).toBeGreaterThan(10);
      segment.mockClear();
      index[change](1, text, '');
      expect(segment).not.toHaveBeenCalled();
    }
    const { find } = await indexOf([text]);
    const hits = await index.search('\u6587\u5b57', { limit: 1 });
    expect(hits).toHaveLength(1);
    expect(await find('\u6587\u5b57')).toHaveLength(1);
    // Prepared for another text.
    index.remove(1, text, '');
    index.add(2, text, '');
    expect(index.size).toBe(1);
    segment.mockRestore();
  });

  it('of other scripts needs no steps', async () => {
    const index = await open();
    expect(index.prepare('word '.repeat(10_000)).next().done).toBe(true);
    expect(index.prepare('\u6587\u5b57').next().done).toBe(true);
  });
});
