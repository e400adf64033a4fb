import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embedders.ts';
import { exactVectorIndex, type SearchRequest, WorldsEngine, type WorldsEngineOptions } from '../../src/index.ts';

const PAGE = new URL('../../../../docs/reference/search-input.md', import.meta.url);

/** The rows of all tables of the page: what is passed, and how it ends. */
const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (the query is|what is passed|the embedder) \|/.test(line))
  .map((line) => line.slice(2, -2).split(' | ') as [input: string, outcome: string]);

const DATA = ['a lantern and a kettle', 'the __proto__ of a constructor', 'lantern lantern', 'die und der']
  .map((text, i) => `<urn:${i}> <urn:p> "${text}" .`)
  .join('\n');

async function open(options: WorldsEngineOptions = {}): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open(options);
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: DATA });
  return engine;
}

/** How something ends: `hits`, `an empty list`, or the code of an error with its message. */
async function outcomeOf(work: Promise<readonly unknown[] | undefined>): Promise<string> {
  try {
    const hits = await work;
    return hits === undefined ? 'done' : hits.length > 0 ? 'hits' : 'an empty list';
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `\`${code}\`: ${message}`;
  }
}

async function search(request: Partial<SearchRequest>, options?: WorldsEngineOptions): Promise<string> {
  const searching = async () => {
    await using engine = await open(options);
    return await engine.search({ query: 'lantern', ...request });
  };
  return await outcomeOf(searching());
}

/** Counts letters. */
const letters: Embedder = {
  id: 'letters',
  dimensions: 26,
  async embed(texts) {
    return texts.map((text) => {
      const vector = new Float32Array(26);
      for (const letter of text.match(/[a-z]/g) ?? []) vector[letter.charCodeAt(0) - 97]!++;
      return vector;
    });
  },
};
const lying = (embed: (texts: readonly string[]) => unknown): Embedder => ({
  ...letters,
  embed: async (texts) => embed(texts) as Float32Array[],
});
const hanging = (kinds: readonly string[]): Embedder => ({
  ...letters,
  embed: (texts, options) =>
    kinds.includes(options.kind) ? new Promise<never>(() => undefined) : letters.embed(texts, options),
});

/**
 * What searches and flushes do with an embedder that fails: by text, with `fail`, and `flush`.
 */
async function failing(embedder: Embedder, code: string): Promise<string> {
  const embedderTimeoutMs = 20;
  await using degrading = await open({ embedder, embedderTimeoutMs });
  expect(await outcomeOf(degrading.flush().then(() => undefined))).toMatch(`\`${code}\``);
  await using strict = await open({ embedder, embedderTimeoutMs, onEmbedderFailure: 'fail' });
  expect(await outcomeOf(strict.flush().then(() => undefined))).toMatch(`\`${code}\``);
  expect(await outcomeOf(strict.search({ query: 'lantern' }))).toMatch(`\`${code}\``);
  return await outcomeOf(degrading.search({ query: 'lantern' }));
}

/** A lie is found where documents are embedded, and fails the searches after it. */
async function lie(embed: (texts: readonly string[]) => unknown): Promise<string> {
  await using engine = await open({ embedder: lying(embed) });
  const flushed = await outcomeOf(engine.flush().then(() => undefined));
  expect(await outcomeOf(engine.search({ query: 'lantern' }))).toBe(flushed);
  expect(flushed).toContain('"letters"');
  return flushed;
}

/** The outcomes of several inputs of one row, which must be one. */
async function same(outcomes: readonly Promise<string>[]): Promise<string> {
  const all = await Promise.all(outcomes);
  const kinds = new Set(all.map((outcome) => outcome.split(':')[0]));
  expect([...kinds]).toHaveLength(1);
  return all[0]!;
}

const CASES: Readonly<Record<string, () => Promise<string>>> = {
  empty: () => search({ query: '' }),
  'white space and punctuation': () => search({ query: ' \t\n.,;:!?"()[]{}*+-~^ ' }),
  'only stop words, such as `the of and`': async () => {
    await using engine = await open({ embedder: letters });
    await engine.flush();
    return await same([outcomeOf(engine.search({ query: 'the of and' })), search({ query: 'the of and' })]);
  },
  'stop words of another language than that of the texts, such as `die und`': () => search({ query: 'die und' }),
  'words that occur in no text': async () => {
    await using engine = await open({ embedder: letters });
    await engine.flush();
    expect(await outcomeOf(engine.search({ query: 'zzlanternzz' }))).toBe('hits');
    return search({ query: 'xylophone quartz' });
  },
  'words that occur only after the first 262,144 UTF-16 units of a text': async () => {
    await using engine = await open();
    const text = (filler: number) => `${'filler '.repeat(filler)}needle`;
    await engine.import({
      source: 'w',
      data: `<urn:short> <urn:p> "${text(100)}" .\n<urn:long> <urn:p> "${text(40_000)}" .`,
    });
    expect((await engine.search({ query: 'filler' })).map(({ subject }) => subject)).toContain('urn:long');
    expect((await engine.search({ query: 'needle' })).map(({ subject }) => subject)).toEqual(['urn:short']);
    return await outcomeOf(engine.search({ query: 'needle', subjects: ['urn:long'] }));
  },
  '1 MB of different words': async () => {
    const words = Array.from({ length: 130_000 }, (_, i) => `w${i}x`);
    const found = search({ query: ['lantern', ...words].join(' ') });
    expect(await search({ query: [...words, 'lantern'].join(' ') })).toBe('an empty list');
    return found;
  },
  '1 MB without a space': () => search({ query: 'lantern'.repeat(150_000) }),
  'one word repeated a hundred thousand times': () => search({ query: 'lantern '.repeat(100_000) }),
  'lone surrogates among words': () => search({ query: 'lantern\ud800kettle \udc00' }),
  'control characters and NUL among words': () => search({ query: '\u0000lantern\u0001\u001fkettle\u007f' }),
  'operators of query languages: `"a" AND (b OR -c) ^2 ~ *`': () =>
    search({ query: '"lantern" AND (b OR -kettle) ^2 ~ *' }),
  'names of object members: `__proto__ constructor`': () => search({ query: '__proto__ constructor' }),
  'only combining marks, or 1 MB of them after a letter': () =>
    same([search({ query: '\u0301\u0302' }), search({ query: `q${'\u0301'.repeat(1_000_000)}` })]),
  'right-to-left scripts with directional marks': () => search({ query: '\u202eקומקום\u202c lantern' }),
  'only emoji': () => search({ query: '👩‍👩‍👧 🇩🇪' }),
  'words next to scripts without spaces: `東京lanternสวัสดี`': () => search({ query: '東京lanternสวัสดี' }),
  'the same words in another form: `ＬＡＮＴＥＲＮ`, or with a soft hyphen inside': () =>
    same([search({ query: 'ＬＡＮＴＥＲＮ' }), search({ query: 'lan\u00adtern' })]),
  'a value that is not a string': () =>
    same([1, null, undefined, {}, ['a']].map((query) => search({ query: query as string }))),

  '`limit: 0`, `-1`, `1.5` or `NaN`': () => same([0, -1, 1.5, Number.NaN].map((limit) => search({ limit }))),
  '`limit: 1000000`': () => search({ limit: 1_000_000 }),
  '`fusion.k` that is not above 0, or a weight that is negative or not a number': () =>
    same([
      search({ fusion: { k: 0 } }),
      search({ fusion: { k: Number.NaN } }),
      search({ fusion: { textWeight: -1 } }),
      search({ fields: { label: -1 } }),
    ]),
  'a weight above 1,000': () =>
    same([
      search({ fusion: { textWeight: 1e308 } }),
      search({ fusion: { vectorWeight: 1001 } }),
      search({ fields: { subject: 1e308 } }, { fields: true }),
    ]),
  '`fusion.textWeight` and `fusion.vectorWeight` that are both 0': () =>
    search({ fusion: { textWeight: 0, vectorWeight: 0 } }),
  '`feedback.documents` or `feedback.terms` that is 0, 1.5 or 1e9': () =>
    same([0, 1.5, 1e9].flatMap((n) => [search({ feedback: { documents: n } }), search({ feedback: { terms: n } })])),
  '`fusion`, `fields`, `feedback` or `prefix` of another type': () =>
    same([
      search({ prefix: 1 as unknown as boolean }),
      search({}, { feedback: 'yes' as unknown as boolean }),
      search({ fusion: 'best' as 'rrf' }),
      search({ fields: 1 as unknown as boolean }),
      search({ feedback: null as unknown as boolean }),
    ]),
  'the same world twice': () => search({ sources: ['w', 'w', { slug: 'w' }] }),
  'a world that does not exist': () => search({ sources: ['w', 'nowhere'] }),
  'no world: `sources: []`': () => search({ sources: [] }),
  'filters that match nothing, or are not IRIs': () =>
    same([search({ subjects: ['urn:none'] }), search({ types: ['', '<>'] }), search({ predicates: [] })]),
  'an aborted signal': () => search({ signal: AbortSignal.abort() }),
  '`textIndex`, `vectorIndex` or `onEmbedderFailure` of another type': () =>
    same([
      search({}, { textIndex: 'bm25' as unknown as null }),
      search({}, { embedder: letters, vectorIndex: {} as unknown as typeof exactVectorIndex }),
      search({}, { embedder: letters, onEmbedderFailure: 'ignore' as 'fail' }),
    ]),
  '`fields` with `textIndex: null`': () => search({}, { fields: true, textIndex: null, embedder: letters }),
  '`fields` if the engine was opened without them': () => search({ fields: true }),
  'neither a text index nor an embedder': () => search({}, { textIndex: null }),

  'has `dimensions` of 0, -1, 1.5 or NaN': () =>
    same([0, -1, 1.5, Number.NaN].map((dimensions) => search({}, { embedder: { ...letters, dimensions } }))),
  'is not an object with `embed`': () =>
    same(['openai', {}, { id: 'x', dimensions: 3 }].map((embedder) => search({}, { embedder: embedder as Embedder }))),
  'has no id': () => search({}, { embedder: { ...letters, id: '' } }),
  'has a `batchSize` of 0, 1.5 or NaN': () =>
    same([0, 1.5, Number.NaN].map((batchSize) => search({}, { embedder: { ...letters, batchSize } }))),
  'returns the same array for all texts, overwritten each time': () => {
    const vector = new Float32Array(26);
    return lie((texts) => texts.map((text) => vector.fill(text.length)));
  },
  'returns vectors whose length is not `dimensions`': () => lie((texts) => texts.map(() => new Float32Array(25))),
  'returns NaN, infinity, or a number beyond 32 bits': () =>
    same([Number.NaN, Infinity, 1e300].map((number) => lie((texts) => texts.map(() => new Array(26).fill(number))))),
  'returns fewer vectors than texts, or no array': () =>
    same([lie(() => []), lie(() => 'vectors'), lie((texts) => texts.map(() => null))]),
  throws: () =>
    failing(
      lying(() => {
        throw new Error('no more credit');
      }),
      'UNSUPPORTED',
    ),
  'throws for one text of many': async () => {
    const embed: Embedder['embed'] = async (texts, options) => {
      if (texts.includes('lantern lantern')) throw new Error('refused by a filter');
      return letters.embed(texts, options);
    };
    await using engine = await open({ embedder: { ...letters, embed } });
    const flushed = async () => outcomeOf(engine.flush().then(() => undefined));
    for (let flushes = 0; flushes < 5; flushes++) expect(await flushed()).toMatch('`UNSUPPORTED`');
    const hits = await engine.search({ query: 'lantern' });
    expect(hits.find(({ object }) => object === 'a lantern and a kettle')?.vecRank).not.toBeNull();
    expect(hits.find(({ object }) => object === 'lantern lantern')?.vecRank).toBeNull();
    return await outcomeOf(Promise.resolve(hits));
  },
  hangs: () => failing(hanging(['document', 'query']), 'TIMEOUT'),
  'hangs when it embeds a query': async () => {
    const options = { embedder: hanging(['query']), embedderTimeoutMs: 20 };
    await using strict = await open({ ...options, onEmbedderFailure: 'fail' });
    await strict.flush();
    expect(await outcomeOf(strict.search({ query: 'lantern' }))).toMatch('`TIMEOUT`');
    await using engine = await open(options);
    await engine.flush();
    return await outcomeOf(engine.search({ query: 'lantern' }));
  },
  'is used with a vector index of other dimensions': async () => {
    await using engine = await open({ embedder: letters, vectorIndex: () => exactVectorIndex(7) });
    return await outcomeOf(engine.flush().then(() => undefined));
  },
};

describe('docs/reference/search-input.md', () => {
  it('has a row for each case, and no other', () => {
    expect(rows.map(([input]) => input).sort()).toEqual(Object.keys(CASES).sort());
  });

  it.each(rows)('documents the outcome of: %s', async (input, outcome) => {
    const found = await CASES[input]!();
    const [kind, ...about] = outcome.split(/: |;|,| by /);
    const [ending, message = ''] = found.split('`: ');
    expect(outcome.startsWith(ending), `${input}: ${found}`).toBe(true);
    // Of an error, the page quotes or paraphrases what its message says.
    if (kind!.startsWith('`') && about[0]) {
      const words = about.join(' ').match(/[a-zA-Z]{5,}/g) ?? [];
      const named = words.filter((word) => message.toLowerCase().includes(word.toLowerCase()));
      expect(named.length, `"${outcome}" and "${message}"`).toBeGreaterThan(0);
    }
  });
});

it('refuses options that make no sense when the engine is opened', async () => {
  for (const options of [
    { fields: { label: -1 } },
    { fusion: 'best' },
    { feedback: { documents: 0 } },
    { embedder: {} },
    { embedder: letters, embedderTimeoutMs: 0 },
    { embedder: letters, onEmbedderFailure: 'ignore' },
    { fields: true, textIndex: null },
  ]) {
    await expect(WorldsEngine.open(options as unknown as WorldsEngineOptions)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  }
  for (const options of [{ textIndex: null }, { embedder: null }, { fusion: { k: 10 } }]) {
    await using engine = await WorldsEngine.open(options);
    expect(await engine.listNamespaces()).toEqual([]);
  }
});
