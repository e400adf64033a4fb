import { describe, expect, it, vi } from 'vitest';
import type { Embedder } from '../../src/contracts/embedder.ts';
import { NamespaceSearch } from '../../src/search/namespace-search.ts';
import type { SearchExplanation } from '../../src/search/search-query.ts';
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

const good = [1, 0, 0];

/**
 * What an embedder of three dimensions may say for one text, and a part of the message that answers
 * it.
 */
const LIES: readonly (readonly [lie: string, answer: unknown, message: string])[] = [
  ['no vectors', [], '0 vector(s) for 1'],
  ['too many vectors', [good, good], '2 vector(s) for 1'],
  ['a vector too short', [[1, 0]], 'length 2'],
  ['a vector too long', [[1, 0, 0, 0]], 'length 4'],
  ['NaN', [[1, Number.NaN, 0]], 'NaN'],
  ['infinity', [Float32Array.of(1, Number.POSITIVE_INFINITY, 0)], 'Infinity'],
  ['a number beyond 32 bits', [[1, 1e300, 0]], '1e+300'],
  ['null components', [[1, null, 0]], 'not a number (null)'],
  ['strings', [['1', '0', '0']], 'not a number (1)'],
  ['nothing', undefined, 'not an array'],
  ['a vector that is nothing', [undefined], 'not an array'],
  ['a bare vector', Float32Array.of(1, 0, 0), 'not an array'],
];

const never = () => new Promise<never>(() => undefined);

/** The status of the vectors at a search. */
async function statusAt(fixture: SearchFixture, query: string) {
  const explanations: SearchExplanation[] = [];
  const hits = await fixture.find(query, { explain: (explanation) => explanations.push(explanation) });
  return { hits, status: explanations[0].vectors! };
}

describe('an embedder that lies', () => {
  it.each(LIES)(
    'about %s is refused, for documents and for queries, whatever is wanted of one that fails',
    async (_, answer, message) => {
      for (const lyingAbout of ['document', 'query'] as const) {
        for (const settings of [
          { text: false },
          { onEmbedderFailure: 'degrade' },
          { onEmbedderFailure: 'fail' },
        ] as const) {
          const embedder: Embedder = {
            id: 'liar-3000',
            dimensions: 3,
            embed: async (texts, { kind }) => (kind === lyingAbout ? answer : texts.map(() => good)) as number[][],
          };
          const fixture = new SearchFixture({ embedder, ...settings });
          await fixture.apply([ROWS[0]]);
          const failure =
            lyingAbout === 'document' ? fixture.search.flush() : fixture.search.flush().then(() => fixture.find('ada'));
          await expect(failure).rejects.toMatchObject({
            code: 'UNSUPPORTED',
            message: expect.stringContaining(message),
          });
          await expect(failure).rejects.toMatchObject({ message: expect.stringContaining('"liar-3000"') });
          // And again, for it is no passing trouble.
          await expect(fixture.find('ada')).rejects.toMatchObject({ message: expect.stringContaining(message) });
          fixture.search.close();
        }
      }
    },
  );

  it.each([0, -3, 2.5, Number.NaN])('about its dimensions (%s) is rejected immediately', (dimensions) => {
    const embedder: Embedder = { id: 'odd', dimensions, embed: async () => [] };
    expect(() => new NamespaceSearch({ textIndex: null, embedder })).toThrow(/"odd"/);
  });
});

describe('an embedder that fails', () => {
  it('is named in the error; finished work is kept, and a later flush continues', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    await fixture.apply(Array.from({ length: 150 }, (_, at): Row => [1, `s${at}`, 'p', `lantern ${at}`]));
    embedder.before = async () => {
      if (embedder.calls.length === 2) throw new Error('connection refused');
    };
    const failure = fixture.search.flush();
    await expect(failure).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(failure).rejects.toThrow(/"bag-of-words" failed on 64 text\(s\): connection refused\. Search again/);
    expect(fixture.search.pendingVectors).toBe(86);
    await fixture.search.flush();
    expect(fixture.search.pendingVectors).toBe(0);
    expect((await fixture.find('lantern 7'))[0].vecRank).toBe(1);
  });

  it('is also named if it throws synchronously', async () => {
    const embedder: Embedder = {
      id: 'rash',
      dimensions: 3,
      embed: () => {
        throw new TypeError('no key');
      },
    };
    const fixture = new SearchFixture({ embedder, text: false });
    await fixture.apply(ROWS);
    await expect(fixture.find('ada')).rejects.toThrow(/"rash" failed on 6 text\(s\): no key/);
  });

  it('falls back to full-text searches, which say so', async () => {
    const warn = vi.fn();
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder, logger: { debug: () => {}, warn } });
    await fixture.apply(ROWS.slice(0, 3));
    await fixture.search.flush();
    embedder.before = async () => {
      throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
    };
    const { hits, status } = await statusAt(fixture, 'engine');
    expect(hits.map(({ row, vecRank, ftsRank }) => [row[1], vecRank, ftsRank])).toEqual([
      ['engine', null, 1],
      ['ada', null, 2],
    ]);
    expect(status).toMatchObject({ model: 'bag-of-words', pending: 0 });
    expect(status.failure).toMatch(/"bag-of-words" failed on 1 text\(s\): connection refused/);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0][1]).toContain('full text only');
    // It is left alone for a while, rather than to make every search wait for it.
    const { length } = embedder.calls;
    await fixture.find('engine');
    expect(embedder.calls.length).toBe(length);
    expect(warn).toHaveBeenCalledTimes(1);
    fixture.search.close();
  });

  it('on one query alone is not kept from the next', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    await fixture.apply(ROWS);
    await fixture.search.flush();
    embedder.before = async ([text]) => {
      if (text.includes('bomb')) throw new Error('too long');
    };
    const { hits, status } = await statusAt(fixture, 'engine bomb');
    expect(hits[0]).toMatchObject({ ftsRank: 1, vecRank: null });
    expect(status.failure).toMatch(/too long/);
    const next = await statusAt(fixture, 'engine');
    expect(next.hits[0]).toMatchObject({ ftsRank: 1, vecRank: 1 });
    expect(next.status.failure).toBeNull();
  });

  it('on one text alone keeps neither the other texts nor queries from it', async () => {
    const embedder = new BagOfWordsEmbedder();
    embedder.before = async (texts) => {
      if (texts.includes('text 77 of poison')) throw new Error('refused by a filter');
    };
    const fixture = new SearchFixture({ embedder });
    const text = (at: number) => `text ${at} of ${at === 77 ? 'poison' : 'tea'}`;
    await fixture.apply(Array.from({ length: 200 }, (_, at): Row => [1, `s${at}`, 'p', text(at)]));
    let flushes = 0;
    // Each failure makes the next batch smaller, until the one text is alone.
    for (; fixture.search.pendingVectors > 1 && flushes < 15; flushes++)
      await expect(fixture.search.flush()).rejects.toThrow(/refused by a filter/);
    expect(fixture.search.pendingVectors).toBe(1);
    const { hits, status } = await statusAt(fixture, '42 tea');
    expect(hits[0]).toMatchObject({ row: [1, 's42', 'p', text(42)], ftsRank: 1, vecRank: 1 });
    expect(status).toMatchObject({ pending: 1, failure: expect.stringContaining('refused by a filter') });
    const before = embedder.calls.length;
    await fixture.find('43 tea');
    // The query alone: the text has its turn after a pause.
    expect(embedder.calls.slice(before).map(({ kind }) => kind)).toEqual(['query']);
    embedder.before = async () => undefined;
    await fixture.search.flush();
    expect((await statusAt(fixture, '77 poison')).status).toMatchObject({ pending: 0, failure: null });
    fixture.search.close();
  });

  it('is tried again by itself, later each time, and then vectors are back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const warn = vi.fn();
      const embedder = new BagOfWordsEmbedder();
      const fixture = new SearchFixture({ embedder, logger: { debug: () => {}, warn } });
      let attempts = 0;
      embedder.before = async () => {
        if (++attempts <= 3) throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      };
      await fixture.apply(ROWS);
      for (let turn = 0; turn < 20 && attempts < 1; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(attempts).toBe(1);
      for (const [pauseMs, attempt] of [
        [1000, 2],
        [2000, 3],
        [4000, 4],
      ]) {
        await vi.advanceTimersByTimeAsync(pauseMs - 1);
        expect(attempts).toBe(attempt - 1);
        await vi.advanceTimersByTimeAsync(1);
        for (let turn = 0; turn < 20 && attempts < attempt; turn++)
          await new Promise((resolve) => setImmediate(resolve));
        expect(attempts).toBe(attempt);
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(warn).toHaveBeenCalledTimes(3);
      expect(fixture.search.pendingVectors).toBe(0);
      const { hits, status } = await statusAt(fixture, 'engine');
      expect(status.failure).toBeNull();
      expect(hits[0].vecRank).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('fails searches where that is wanted, of documents and of queries', async () => {
    for (const failingOn of ['document', 'query']) {
      const embedder = new BagOfWordsEmbedder();
      const fixture = new SearchFixture({ embedder, onEmbedderFailure: 'fail' });
      let works = false;
      embedder.before = async (_, { kind }) => {
        if (kind === failingOn && !works) throw new Error('connection refused');
      };
      await fixture.apply(ROWS);
      await fixture.search.flush().catch(() => undefined);
      for (let turn = 0; turn < 3; turn++)
        await expect(fixture.find('engine')).rejects.toMatchObject({
          code: 'UNSUPPORTED',
          message: expect.stringContaining('connection refused'),
        });
      works = true;
      expect((await fixture.find('engine'))[0]).toMatchObject({ ftsRank: 1, vecRank: 1 });
      fixture.search.close();
    }
  });
});

describe('an embedder that hangs', () => {
  it('times out with a message that says what to do', async () => {
    for (const hangsOn of ['document', 'query'] as const) {
      const embedder = new BagOfWordsEmbedder();
      const signals: (AbortSignal | undefined)[] = [];
      const settings = { embedder, embedderTimeoutMs: hangsOn === 'query' ? 20 : 2 };
      embedder.before = (_, { kind, signal }) => {
        if (kind !== hangsOn) return Promise.resolve();
        signals.push(signal);
        return never();
      };
      const failing = new SearchFixture({ ...settings, onEmbedderFailure: 'fail' });
      await failing.apply(ROWS);
      const search = failing.search.flush().then(() => failing.find('engine'));
      await expect(search).rejects.toMatchObject({
        code: 'TIMEOUT',
        message: expect.stringMatching(/"bag-of-words" did not respond within 20 ms.*embedderTimeoutMs/),
      });
      // It is told, so that a request can be given up.
      expect(signals[0]!.aborted).toBe(true);
      failing.search.close();

      const degrading = new SearchFixture(settings);
      await degrading.apply(ROWS);
      await degrading.search.flush().catch(() => undefined);
      expect((await degrading.find('engine'))[0]).toMatchObject({ ftsRank: 1, vecRank: null });
      degrading.search.close();
    }
  });

  it('delays neither an aborted search nor apply', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder, text: false });
    await fixture.apply(ROWS);
    await fixture.search.flush();
    for (const hangsOn of ['document', 'query']) {
      let release = () => {};
      embedder.before = (_, { kind }) =>
        kind === hangsOn ? new Promise<void>((resolve) => (release = resolve)) : Promise.resolve();
      await fixture.apply([[3, 'new', 'p', `engine of ${hangsOn}`]]);
      const controller = new AbortController();
      const search = fixture.find('engine', { signal: controller.signal });
      const second = fixture.find('engine', { signal: AbortSignal.timeout(20) });
      await expect(second).rejects.toMatchObject({ code: 'TIMEOUT' });
      await fixture.apply([[3, 'newer', 'p', `engine of ${hangsOn} again`]]);
      controller.abort();
      await expect(search).rejects.toMatchObject({ code: 'ABORTED' });
      embedder.before = async () => undefined;
      release();
      expect(await fixture.subjects(`engine of ${hangsOn} again`, { limit: 1 })).toEqual(['newer']);
    }
  });

  it.each([0, -1, Number.NaN, 2 ** 31])('cannot be given %s ms', (embedderTimeoutMs) => {
    expect(() => new SearchFixture({ embedderTimeoutMs })).toThrow(/embedderTimeoutMs/);
  });
});

describe('a query', () => {
  it('is cut before it is embedded, but not inside a character', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder, text: false });
    await fixture.apply(ROWS);
    await fixture.find(`engine ${'x'.repeat(8184)}\u{1f600}${'y'.repeat(1_000_000)}`);
    const [query] = embedder.calls.at(-1)!.texts;
    expect(query).toHaveLength(8192);
    expect(query.isWellFormed()).toBe(true);
    await fixture.find('engine \ud800');
    expect(embedder.calls.at(-1)!.texts).toEqual(['engine \ufffd']);
  });
});

describe('embedding in the background', () => {
  it('adds no vector for a literal that is removed meanwhile', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ text: false, embedder });
    await fixture.apply([ROWS[0], ROWS[5]]);
    embedder.before = async (_, { kind }) => {
      if (kind === 'document') await fixture.apply([], [ROWS[0]]);
    };
    expect(await fixture.subjects('Ada Lovelace Jacquard')).toEqual(['loom']);
    embedder.before = async () => undefined;
    await fixture.apply([ROWS[0]]);
    expect(fixture.search.pendingVectors).toBe(1);
    expect(await fixture.subjects('Ada Lovelace')).toEqual(['ada']);
  });

  it('ends when the search is closed, and so does waiting for it', async () => {
    const embedder = new BagOfWordsEmbedder();
    const fixture = new SearchFixture({ embedder });
    await fixture.apply(ROWS);
    embedder.before = never;
    const flush = fixture.search.flush();
    await vi.waitFor(() => expect(embedder.calls).toHaveLength(1), { timeout: 30_000 });
    fixture.search.close();
    await expect(flush).rejects.toMatchObject({ code: 'ABORTED' });
    await fixture.apply([[1, 'x', 'p', 'more']]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(embedder.calls).toHaveLength(1);
  });

  it('refuses a factory that makes an index of other dimensions', async () => {
    const { exactVectorIndex } = await import('../../src/search/vector/default-vector-index.ts');
    const fixture = new SearchFixture({ embedder: new BagOfWordsEmbedder(), vectorIndex: () => exactVectorIndex(3) });
    await fixture.apply(ROWS);
    await expect(fixture.search.flush()).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(/has 3 dimensions, the embedder "bag-of-words" has 1021/),
    });
    fixture.search.close();
  });
});
