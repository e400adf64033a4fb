import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Embedder } from '../../src/contracts/embedder.ts';
import { Slicer } from '../../src/contracts/slicer.ts';
import { dataFactory } from '../../src/model/term.ts';
import { NamespaceSearch } from '../../src/search/namespace-search.ts';
import type { NamespaceSearchOptions } from '../../src/search/namespace-search-options.ts';
import type { SearchExplanation } from '../../src/search/search-query.ts';
import { bm25TextIndex } from '../../src/search/text/bm25-text-index.ts';
import { BagOfWordsEmbedder } from './bag-of-words-embedder.ts';
import { type Row, SearchFixture } from './search-fixture.ts';

const ROWS: readonly Row[] = [
  [1, 'ada', 'name', 'Ada Lovelace'],
  [1, 'ada', 'note', 'wrote the first program for the analytical engine'],
  [1, 'engine', 'name', 'analytical engine'],
  [2, 'babbage', 'name', 'Charles Babbage'],
  [2, 'babbage', 'note', 'designed the analytical engine'],
  [2, 'loom', 'name', 'Jacquard loom'],
];

const only = (...names: string[]) => ({
  ids: (fixture: SearchFixture) => new Set(names.map((name) => fixture.terms.iri(name))),
});

describe('NamespaceSearch by text', () => {
  it('ranks documents; vecRank is null everywhere', async () => {
    const fixture = new SearchFixture();
    await fixture.apply(ROWS);
    expect(fixture.search.size).toBe(6);
    expect(await fixture.find('engine', { fusion: 'rrf' })).toEqual([
      { row: ROWS[2], ftsRank: 1, vecRank: null, score: 1 / 61 },
      { row: ROWS[4], ftsRank: 2, vecRank: null, score: 1 / 62 },
      { row: ROWS[1], ftsRank: 3, vecRank: null, score: 1 / 63 },
    ]);
    const [best, second] = await fixture.find('engine');
    expect(best!.score).toBe(1);
    expect(second!.score).toBeLessThan(1);
    expect(await fixture.find('engine', { limit: 1 })).toHaveLength(1);
    expect(await fixture.find('teapot')).toEqual([]);
  });

  it('filters by worlds, subjects, predicates, and subjects of worlds', async () => {
    const fixture = new SearchFixture();
    await fixture.apply(ROWS);
    expect(await fixture.subjects('engine', { worlds: Uint32Array.of(2) })).toEqual(['babbage']);
    expect(await fixture.subjects('engine', { worlds: Uint32Array.of(2, 1, 2, 99) })).toHaveLength(3);
    expect(await fixture.subjects('engine', { worlds: Uint32Array.of(99) })).toEqual([]);
    expect(await fixture.subjects('engine', { subjects: only('ada').ids(fixture) })).toEqual(['ada']);
    expect(await fixture.subjects('engine', { predicates: only('note').ids(fixture) })).toEqual(['babbage', 'ada']);
    expect(
      await fixture.subjects('engine', { predicates: only('note').ids(fixture), worlds: Uint32Array.of(1) }),
    ).toEqual(['ada']);
    const engine = fixture.terms.iri('engine');
    expect(
      await fixture.subjects('engine', { subjectsByWorld: (world, subject) => world === 1 && subject === engine }),
    ).toEqual(['engine']);
  });

  it('tests only documents that contain a word of the query', async () => {
    const fixture = new SearchFixture();
    const search = new NamespaceSearch({ textIndex: bm25TextIndex(), embedder: null });
    const rows = Array.from(
      { length: 5000 },
      (_, at): Row => [1, `s${at}`, 'p', at % 100 === 0 ? 'lantern' : 'kettle'],
    );
    await search.apply({ added: fixture.columns(rows), removed: fixture.columns([]) }, fixture.terms, new Slicer());
    const tested: number[] = [];
    const subjectsByWorld = (_: number, subject: number) => {
      tested.push(subject);
      return fixture.terms.term(subject).value.endsWith('700');
    };
    const { hits } = await search.search({ query: 'lantern', limit: 10, subjectsByWorld });
    expect(hits.map(({ subject }) => fixture.terms.term(subject).value.replace(/.*\//, ''))).toEqual([
      's700',
      's1700',
      's2700',
      's3700',
      's4700',
    ]);
    // Each hit is tested again when the index returns it.
    expect(tested).toHaveLength(50 + hits.length);
  });

  it('null filters allow everything, empty ones nothing', async () => {
    const fixture = new SearchFixture();
    await fixture.apply(ROWS);
    expect(await fixture.subjects('engine', { worlds: null, subjects: null, predicates: null })).toHaveLength(3);
    for (const nothing of [
      { worlds: new Uint32Array(0) },
      { subjects: new Set<number>() },
      { predicates: new Set<number>() },
    ])
      expect(await fixture.subjects('engine', nothing)).toEqual([]);
  });

  it('orders ties by ids, independent of the order of insertion', async () => {
    const rows: Row[] = [
      [2, 'b', 'p', 'lantern'],
      [1, 'c', 'p', 'lantern'],
      [1, 'a', 'q', 'lantern'],
      [1, 'a', 'p', 'lantern'],
    ];
    const orders: Row[][] = [rows, [...rows].reverse(), [rows[2], rows[0], rows[3], rows[1]]];
    const answers = [];
    for (const order of orders) {
      const fixture = new SearchFixture();
      for (const name of ['a', 'b', 'c', 'p', 'q']) fixture.terms.iri(name);
      for (const row of order) await fixture.apply([row]);
      answers.push((await fixture.find('lantern')).map(({ row }) => row));
    }
    expect(answers).toEqual([
      [rows[3], rows[2], rows[1], rows[0]],
      [rows[3], rows[2], rows[1], rows[0]],
      [rows[3], rows[2], rows[1], rows[0]],
    ]);
  });

  it('takes literals with a letter or a digit for documents, and nothing else', async () => {
    const fixture = new SearchFixture();
    const { terms, search } = fixture;
    const integer = dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#integer');
    const objects = [
      terms.literal('bonjour', 'fr'),
      terms.intern(dataFactory.literal('1815', integer)),
      terms.literal(''),
      terms.literal(' \n?!'),
      terms.iri('bonjour'),
      terms.intern(dataFactory.blankNode('bonjour')),
    ];
    const columns = {
      length: objects.length,
      world: new Uint32Array(objects.length).fill(1),
      subject: new Uint32Array(objects.length).fill(terms.iri('s')),
      predicate: new Uint32Array(objects.length).fill(terms.iri('p')),
      object: Uint32Array.from(objects),
    };
    const none = fixture.columns([]);
    await search.apply({ added: columns, removed: none }, terms, new Slicer());
    expect([...fixture.textIndex.texts.values()]).toEqual(['bonjour', '1815']);
    expect(await fixture.subjects('1815')).toEqual(['s']);
    await search.apply({ added: none, removed: columns }, terms, new Slicer());
    expect(search.size).toBe(0);
  });

  it('returns nothing for a query without words', async () => {
    const fixture = new SearchFixture();
    await fixture.apply(ROWS);
    for (const query of ['', ' ', '?!', '\n\t']) expect(await fixture.find(query)).toEqual([]);
  });

  it('rejects an index that returns documents outside the filter', async () => {
    const fixture = new SearchFixture();
    await fixture.apply(ROWS);
    fixture.textIndex.ignoresFilter = true;
    await expect(fixture.find('engine', { worlds: Uint32Array.of(2) })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('explains the search', async () => {
    const fixture = new SearchFixture();
    await fixture.apply(ROWS);
    const explanations: SearchExplanation[] = [];
    await fixture.find('engine', {
      worlds: Uint32Array.of(1),
      explain: (explanation) => explanations.push(explanation),
    });
    expect(explanations).toEqual([
      {
        documents: 6,
        filter: { kind: 'ranges', size: 3 },
        tested: false,
        depth: 6,
        textHits: 2,
        vectorHits: null,
        wordDoubt: 1,
        coverage: null,
        vectors: null,
        rankingMs: expect.any(Number),
      },
    ]);
  });
});

describe('NamespaceSearch.apply', () => {
  it('adding existing texts and removing missing ones are no-ops', async () => {
    const fixture = new SearchFixture();
    await fixture.apply([...ROWS, ...ROWS]);
    await fixture.apply(ROWS);
    expect(fixture.textIndex.size).toBe(6);
    await fixture.apply([], [ROWS[0], ROWS[0], [9, 'x', 'y', 'Ada Lovelace']]);
    await fixture.apply([], [ROWS[0]]);
    expect(fixture.textIndex.size).toBe(5);
    expect(await fixture.find('lovelace')).toEqual([]);
  });

  it('removes before it adds', async () => {
    const fixture = new SearchFixture();
    await fixture.apply([ROWS[0]]);
    await fixture.apply([ROWS[0]], [ROWS[0]]);
    expect(await fixture.subjects('lovelace')).toEqual(['ada']);
  });

  it('loads the text index at its first call, and again when that failed', async () => {
    const good = new SearchFixture();
    const factory = vi.fn().mockRejectedValueOnce(new Error('not installed')).mockResolvedValue(good.textIndex);
    const search = new NamespaceSearch({ textIndex: factory, embedder: null });
    expect(factory).not.toHaveBeenCalled();
    const changes = { added: good.columns(ROWS), removed: good.columns([]) };
    await expect(search.apply(changes, good.terms, new Slicer())).rejects.toThrow('not installed');
    expect(search.size).toBe(0);
    await search.apply(changes, good.terms, new Slicer());
    await search.search({ query: 'engine', limit: 1 });
    expect(search.size).toBe(6);
    expect(factory).toHaveBeenCalledTimes(2);
  });

  it('continues after reading terms failed halfway', async () => {
    for (let decodes = 0; decodes < 12; decodes++) {
      const fixture = new SearchFixture({ embedder: new BagOfWordsEmbedder() });
      await fixture.apply(ROWS.slice(0, 3));
      // Embedding decodes too, whenever it gets to it.
      await fixture.search.flush();
      fixture.terms.decodesLeft = decodes;
      const change = () => fixture.apply(ROWS.slice(2), ROWS.slice(0, 2));
      // Two are removed and three added, one is there already.
      if (decodes < 5) await expect(change()).rejects.toThrow('the term source failed');
      else await change();
      fixture.terms.decodesLeft = Number.POSITIVE_INFINITY;
      await change();
      expect(fixture.search.size).toBe(4);
      expect(fixture.textIndex.size).toBe(4);
      expect(await fixture.subjects('analytical')).toEqual(['engine', 'babbage']);
    }
  });

  it('continues after the index failed halfway, and never shows a partial document', async () => {
    const fixture = new SearchFixture();
    fixture.textIndex.failsOn = 'Charles Babbage';
    await expect(fixture.apply(ROWS)).rejects.toThrow('the index failed');
    expect(fixture.search.size).toBe(3);
    // The index holds the half-added text, but no document has its number.
    expect(await fixture.find('babbage')).toEqual([]);
    fixture.textIndex.failsOn = undefined;
    await fixture.apply(ROWS);
    expect(fixture.search.size).toBe(6);
    expect(await fixture.subjects('babbage')).toEqual(['babbage']);
    fixture.textIndex.failsOn = 'Jacquard loom';
    await expect(fixture.apply([], ROWS)).rejects.toThrow('the index failed');
    expect(await fixture.subjects('loom')).toEqual(['loom']);
    fixture.textIndex.failsOn = undefined;
    await fixture.apply([], ROWS);
    expect(fixture.search.size).toBe(0);
  });

  it('works in slices, and continues after an abort', async () => {
    const fixture = new SearchFixture();
    const rows = Array.from({ length: 50 }, (_, at): Row => [1, `s${at}`, 'p', `lantern ${at}`]);
    // Fill the dictionary first: the clock below counts what apply does.
    fixture.columns(rows);
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1));
    try {
      const controller = new AbortController();
      const applying = fixture.apply(rows, [], new Slicer(controller.signal));
      setImmediate(() => setImmediate(() => controller.abort()));
      await expect(applying).rejects.toMatchObject({ code: 'ABORTED' });
    } finally {
      clock.mockRestore();
    }
    expect(fixture.search.size).toBeGreaterThan(0);
    expect(fixture.search.size).toBeLessThan(50);
    expect(fixture.textIndex.size).toBe(fixture.search.size);
    await fixture.apply(rows);
    expect(fixture.search.size).toBe(50);
  });

  it('does nothing where there is nothing to search with, and says so in a search', async () => {
    const fixture = new SearchFixture({ text: false });
    await fixture.apply(ROWS);
    await fixture.search.dropWorld(1);
    await expect(fixture.find('engine')).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('textIndex'),
    });
  });
});

describe('NamespaceSearch.dropWorld', () => {
  it('removes the documents and vectors of one world', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    await fixture.apply([...ROWS, [2, 'ada', 'name', 'Ada Lovelace']]);
    await fixture.search.flush();
    await fixture.search.dropWorld(1);
    await fixture.search.dropWorld(1);
    expect(fixture.search.size).toBe(4);
    expect(await fixture.subjects('engine')).toEqual(['babbage']);
    expect((await fixture.find('lovelace')).map(({ row }) => row)).toEqual([[2, 'ada', 'name', 'Ada Lovelace']]);
    await fixture.search.dropWorld(2);
    expect(fixture.search.size).toBe(0);
    expect(fixture.textIndex.size).toBe(0);
    const calls = embedder.calls.length;
    expect(await fixture.find('engine')).toEqual([]);
    expect(embedder.calls.length).toBe(calls);
  });
});

describe('NamespaceSearch by vectors', () => {
  it('without a text index gives vecRank only; ftsRank is always null', async () => {
    const fixture = new SearchFixture({ text: false, embedder: new BagOfWordsEmbedder() });
    await fixture.apply(ROWS);
    expect(await fixture.find('analytical engine', { limit: 2, fusion: 'rrf' })).toEqual([
      { row: ROWS[2], ftsRank: null, vecRank: 1, score: 1 / 61 },
      { row: ROWS[4], ftsRank: null, vecRank: 2, score: 1 / 62 },
    ]);
    expect(await fixture.find('Jacquard', { worlds: Uint32Array.of(1) })).toEqual([]);
  });

  it('and text are fused', async () => {
    const fixture = new SearchFixture({ embedder: new BagOfWordsEmbedder() });
    await fixture.apply(ROWS);
    await fixture.search.flush();
    const [first] = await fixture.find('analytical engine', { fusion: 'rrf' });
    expect(first).toEqual({ row: ROWS[2], ftsRank: 1, vecRank: 1, score: 2 / 61 });
  });

  it('gives documents of one literal one rank', async () => {
    const fixture = new SearchFixture({ text: false, embedder: new BagOfWordsEmbedder() });
    const shared: Row[] = ['a', 'b', 'c'].map((subject): Row => [1, subject, 'p', 'lantern']);
    await fixture.apply([...shared, [2, 'b', 'p', 'lantern'], [1, 'd', 'p', 'lantern kettle']]);
    const hits = await fixture.find('lantern');
    expect(hits.map(({ row, vecRank }) => [row[0], row[1], vecRank])).toEqual([
      [1, 'a', 1],
      [1, 'b', 1],
      [1, 'c', 1],
      [2, 'b', 1],
      [1, 'd', 2],
    ]);
    const worlds = Uint32Array.of(2);
    expect((await fixture.find('lantern', { worlds })).map(({ vecRank }) => vecRank)).toEqual([1]);
  });

  it('leaves room beside a literal that fills the ranking', async () => {
    const crowd = Array.from({ length: 400 }, (_, at): Row => [1, `s${at}`, 'speaker', 'lantern']);
    const other: Row = [1, 'other', 'text', 'lantern kettle'];
    const fixture = new SearchFixture({ embedder: new BagOfWordsEmbedder() });
    await fixture.apply([...crowd, other]);
    await fixture.search.flush();
    const told: (number | null)[] = [];
    const hits = await fixture.find('lantern', {
      limit: 50,
      explain: ({ vectorHits }) => told.push(vectorHits),
    });
    expect(hits.map(({ row, vecRank }) => [row[3], vecRank])).toEqual(Array(50).fill(['lantern', 1]));
    // As many of the literal as can be hits, and the next literal.
    expect(told).toEqual([51]);
    expect((await fixture.find('lantern', { limit: 401 })).at(-1)).toMatchObject({ row: other, vecRank: 2 });
  });

  it('filters before any cut, in both indexes', async () => {
    const crowd = Array.from({ length: 400 }, (_, at): Row => [1, `s${at}`, 'p', 'lantern']);
    const last: Row = [2, 'last', 'p', 'lantern among many other words of a longer text'];
    for (const text of [true, false]) {
      const fixture = new SearchFixture({ text, embedder: new BagOfWordsEmbedder() });
      await fixture.apply([...crowd, last]);
      await fixture.search.flush();
      expect(await fixture.subjects('lantern', { limit: 1, worlds: Uint32Array.of(2) })).toEqual(['last']);
      expect(await fixture.subjects('lantern', { limit: 1, subjects: only('last').ids(fixture) })).toEqual(['last']);
      expect(await fixture.subjects('lantern', { limit: 400 })).toHaveLength(400);
    }
  });

  it('are made of each literal once, in batches, in the background; texts are found meanwhile', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    const rows = Array.from({ length: 300 }, (_, at): Row => [1, `s${at}`, 'p', `lantern ${at % 150}`]);
    await fixture.apply(rows);
    expect(embedder.calls).toEqual([]);
    expect(fixture.search.pendingVectors).toBe(150);
    const explanations: SearchExplanation[] = [];
    const found = await fixture.find('lantern 3', { explain: (explanation) => explanations.push(explanation) });
    expect(found[0]).toMatchObject({ ftsRank: 1, vecRank: null });
    expect(explanations[0].vectors).toMatchObject({ model: 'bag-of-words', failure: null });
    await Promise.all([fixture.search.flush(), fixture.search.flush()]);
    expect(embedder.documents.sort()).toEqual([...new Set(rows.map(([, , , text]) => text))].sort());
    expect(Math.max(...embedder.calls.map(({ texts }) => texts.length))).toBeLessThanOrEqual(64);
    expect(fixture.search.pendingVectors).toBe(0);
    embedder.calls.length = 0;
    expect((await fixture.find('lantern 3'))[0]).toMatchObject({ ftsRank: 1, vecRank: 1 });
    expect(embedder.calls).toEqual([{ texts: ['lantern 3'], kind: 'query' }]);
    expect(explanations[0].vectors!.pending).toBe(150);
  });

  it('are made without anybody waiting', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    await fixture.apply(ROWS);
    await vi.waitFor(() => expect(fixture.search.pendingVectors).toBe(0), { timeout: 30_000 });
    expect(embedder.documents).toHaveLength(6);
  });

  it('are awaited if there is no text index', async () => {
    const fixture = new SearchFixture({ text: false, embedder: new BagOfWordsEmbedder() });
    await fixture.apply(Array.from({ length: 200 }, (_, at): Row => [1, `s${at}`, 'p', `lantern ${at}`]));
    expect(await fixture.subjects('lantern 77', { limit: 1 })).toEqual(['s77']);
    expect(fixture.search.pendingVectors).toBe(0);
  });

  it('come in batches of the size that the embedder wants', async () => {
    const embedder = Object.assign(new BagOfWordsEmbedder(), { batchSize: 4 });
    const fixture = new SearchFixture({ embedder });
    await fixture.apply(ROWS);
    await fixture.search.flush();
    expect(embedder.calls.map(({ texts }) => texts.length)).toEqual([4, 2]);
  });

  it('receive the language of each text', async () => {
    const seen: unknown[] = [];
    const embedder: Embedder = {
      id: 'linguist',
      dimensions: 1,
      embed: async (texts, { kind, languages }) => {
        seen.push(kind, texts, languages);
        return texts.map(() => [1]);
      },
    };
    const fixture = new SearchFixture({ text: false, embedder });
    const { terms, search } = fixture;
    const objects = [terms.literal('bonjour', 'fr'), terms.literal('hello')];
    const added = {
      length: 2,
      world: Uint32Array.of(1, 1),
      subject: Uint32Array.of(terms.iri('a'), terms.iri('b')),
      predicate: Uint32Array.of(terms.iri('p'), terms.iri('p')),
      object: Uint32Array.from(objects),
    };
    await search.apply({ added, removed: fixture.columns([]) }, terms, new Slicer());
    await fixture.find('salut');
    expect(seen.slice(0, 3)).toEqual(['document', ['bonjour', 'hello'], ['fr', '']]);
    expect(seen.slice(3)).toEqual(['query', ['salut'], undefined]);
  });

  it('forgets the vector of a literal with its last document, pending or not', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ text: false, embedder });
    await fixture.apply([
      [1, 'a', 'p', 'lantern'],
      [1, 'b', 'p', 'lantern'],
    ]);
    await fixture.find('lantern');
    await fixture.apply([[1, 'c', 'p', 'kettle']], [[1, 'a', 'p', 'lantern']]);
    expect(await fixture.subjects('lantern')).toEqual(['b']);
    await fixture.apply([[1, 'd', 'p', 'teapot']], [[1, 'b', 'p', 'lantern']]);
    await fixture.apply([], [[1, 'd', 'p', 'teapot']]);
    expect(await fixture.subjects('lantern')).toEqual([]);
    await fixture.apply([[1, 'a', 'p', 'lantern']]);
    expect(await fixture.subjects('lantern')).toEqual(['a']);
    expect(embedder.documents).toEqual(['lantern', 'kettle', 'lantern']);
  });

  it('asks no embedder for a query without words, nor where nothing can be found', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    expect(await fixture.find('lantern')).toEqual([]);
    await fixture.apply(ROWS);
    for (const query of ['', '  ', '?!']) expect(await fixture.find(query)).toEqual([]);
    expect(await fixture.find('lantern', { worlds: new Uint32Array(0) })).toEqual([]);
    expect(embedder.calls).toEqual([]);
  });

  it('a text that is similar to nothing is not a hit', async () => {
    const fixture = new SearchFixture({ embedder: new BagOfWordsEmbedder() });
    await fixture.apply(ROWS);
    await fixture.search.flush();
    expect(await fixture.find('xyzzy')).toEqual([]);
  });
});

describe('NamespaceSearch refuses', () => {
  it.each([0, -1, 1.5, Number.NaN])('a limit of %s', async (limit) => {
    const fixture = new SearchFixture();
    await expect(fixture.find('ada', { limit })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([{ k: 0 }, { k: Number.NaN }, { textWeight: -1 }, { vectorWeight: Number.POSITIVE_INFINITY }])(
    'fusion %o',
    (fusion) => {
      expect(() => new NamespaceSearch({ textIndex: null, embedder: null, fusion })).toThrow(/fusion\./);
    },
  );

  it.each([
    [{ textIndex: 'bm25' }, /textIndex is a string; .*bm25TextIndex\(\)/],
    [{ textIndex: {} }, /textIndex is an object; .*null for none/],
    [{ vectorIndex: 'hnsw' }, /vectorIndex is a string/],
    [{ onEmbedderFailure: 'ignore' }, /onEmbedderFailure is ignore; pass degrade or fail/],
    [{ fields: 'yes' }, /fields is yes; pass true, false or an object/],
    [{ feedback: 5 }, /feedback is 5; pass true, false or an object/],
    [{ fusion: 5 }, /fusion is 5; pass adaptive, rrf, convex or an object/],
    [{ fields: true }, /requires full-text search/],
  ])('options %o', (options, message) => {
    const all = { textIndex: null, embedder: null, ...options } as unknown as NamespaceSearchOptions;
    expect(() => new NamespaceSearch(all)).toThrow(message);
    expect(() => new NamespaceSearch(all)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('to work for a fired signal', async () => {
    const fixture = new SearchFixture();
    await fixture.apply(ROWS);
    await expect(fixture.find('ada', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('NamespaceSearch under load', () => {
  it('changes no index below a search, and answers from one state', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    const red = Array.from({ length: 30 }, (_, at): Row => [1, `s${at}`, 'p', `red lantern ${at}`]);
    const blue = Array.from({ length: 30 }, (_, at): Row => [1, `s${at}`, 'p', `blue lantern ${at}`]);
    await fixture.apply(red);
    const work: Promise<unknown>[] = [];
    for (let round = 0; round < 6; round++) {
      const [added, removed] = round % 2 === 0 ? [blue, red] : [red, blue];
      for (let at = 0; at < 4; at++) {
        const search = fixture.find('lantern', { limit: 100 }).then((hits) => {
          expect(hits).toHaveLength(30);
          expect(new Set(hits.map(({ row }) => row[3].split(' ')[0])).size).toBe(1);
        });
        work.push(search);
      }
      work.push(fixture.apply(added, removed));
    }
    // The naive index throws when it is changed during a search.
    await Promise.all(work);
    expect((await fixture.find('red', { limit: 100 })).filter(({ ftsRank }) => ftsRank !== null)).toHaveLength(30);
    expect(await fixture.find('blue')).toEqual([]);
  });
});

describe('NamespaceSearch after any history', () => {
  const text = fc
    .array(fc.constantFrom('ash', 'birch', 'cedar', 'elm', 'fir', 'oak'), { minLength: 1, maxLength: 3 })
    .map((words) => words.join(' '));
  const row: fc.Arbitrary<Row> = fc.tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom('a', 'b', 'c'),
    fc.constantFrom('p', 'q'),
    text,
  );
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ add: fc.array(row, { maxLength: 12 }), remove: fc.array(fc.nat(), { maxLength: 6 }) }),
    },
    { weight: 1, arbitrary: fc.record({ drop: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ find: text }) },
  );

  it.each([
    ['text', true, false],
    ['vectors', false, true],
    ['both', true, true],
  ])('answers as a newly built one (%s)', async (_, withText, withVectors) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), text, async (steps, query) => {
        const make = () =>
          new SearchFixture({ text: withText, embedder: withVectors ? new BagOfWordsEmbedder() : null });
        const fixture = make();
        const alive = new Map<string, Row>();
        for (const change of steps) {
          if ('add' in change) {
            const removed = change.remove
              .map((at) => [...alive.values()][at % Math.max(1, alive.size)])
              .filter(Boolean);
            await fixture.apply(change.add, removed);
            for (const gone of removed) alive.delete(gone.join());
            for (const added of change.add) alive.set(added.join(), added);
          } else if ('drop' in change) {
            await fixture.search.dropWorld(change.drop);
            for (const [key, [world]] of alive) if (world === change.drop) alive.delete(key);
          } else await fixture.find(change.find);
        }
        expect(fixture.search.size).toBe(alive.size);

        const fresh = make();
        // The same ids: they order what ranks alike.
        const { terms } = fixture;
        Object.assign(fresh, { terms });
        await fresh.apply([...alive.values()].sort());
        for (const filter of [
          {},
          { worlds: Uint32Array.of(1, 2) },
          { predicates: only('p').ids(fixture) },
          { worlds: Uint32Array.of(3), subjects: only('a', 'c').ids(fixture) },
        ]) {
          await Promise.all([fixture.search.flush(), fresh.search.flush()]);
          const hits = await fixture.find(query, { limit: 200, ...filter });
          expect(hits).toEqual(await fresh.find(query, { limit: 200, ...filter }));
          for (const { row } of hits) expect(alive.has(row.join())).toBe(true);
        }
        // Just the documents that share a word: the plain definition.
        const words = query.split(' ');
        const expected = [...alive.values()].filter(([, , , held]) =>
          words.some((word) => held.split(' ').includes(word)),
        );
        const found = (await fixture.find(query, { limit: 1000 })).map(({ row }) => row.join());
        expect(found.sort()).toEqual(expected.map((row) => row.join()).sort());
      }),
      { numRuns: 60 },
    );
  });
});

it('prepares long texts in slices, before they are added and removed', async () => {
  const fixture = new SearchFixture();
  const prepared: string[] = [];
  Object.assign(fixture.textIndex, {
    *prepare(text: string) {
      for (let step = 0; step < 3; step++) {
        prepared.push(`${text.length} ${fixture.textIndex.size}`);
        yield;
      }
    },
  });
  let pauses = 0;
  class AlwaysDue extends Slicer {
    override get due() {
      return true;
    }
    override async pause() {
      pauses++;
    }
  }
  const rows: Row[] = [
    [1, 'a', 'p', 'short'],
    [1, 'b', 'p', 'long '.repeat(1_000)],
  ];
  await fixture.apply(rows, [], new AlwaysDue());
  expect([prepared, pauses]).toEqual([Array(3).fill('5000 1'), 5]);
  prepared.length = 0;
  await fixture.apply([], rows);
  expect(prepared).toEqual(Array(3).fill('5000 1'));
  prepared.length = 0;
  await fixture.apply(rows);
  await fixture.search.dropWorld(1);
  expect(prepared).toHaveLength(6);
});
