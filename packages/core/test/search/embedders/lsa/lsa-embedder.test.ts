import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorldsEngine } from '../../../../src/index.ts';
import { type LsaEmbedderOptions, lsaEmbedder } from '../../../../src/search/embedders/lsa/lsa-embedder.ts';
import { cosine, TOPICS, topicTexts, trainingTexts } from './topic-texts.ts';

const texts = topicTexts(600);
const train = (options: LsaEmbedderOptions = {}, given = texts) =>
  lsaEmbedder({ dimensions: 8, ...options }).train(trainingTexts(given));

afterEach(() => {
  vi.doUnmock('node:worker_threads');
  vi.resetModules();
});

describe('lsaEmbedder', () => {
  it('finds words similar that occur among the same words, though never in one text', async () => {
    // Three topics and what is everywhere: with more dimensions there is room for what tells the
    // two apart.
    const embedder = await train({ dimensions: 4 });
    const words = TOPICS.flat();
    const vectors = await embedder.embed(words, { kind: 'document', languages: words.map(() => 'en') });
    const near = (one: string, other: string) =>
      cosine(vectors[words.indexOf(one as never)], vectors[words.indexOf(other as never)]);
    expect(near('ship', 'boat')).toBeGreaterThan(0.6);
    expect(near('physician', 'doctor')).toBeGreaterThan(0.6);
    expect(near('symphony', 'concerto')).toBeGreaterThan(0.6);
    for (const [one, other] of [
      ['ship', 'doctor'],
      ['boat', 'symphony'],
      ['nurse', 'violin'],
    ])
      expect(Math.abs(near(one, other))).toBeLessThan(0.25);
  });

  it('returns one vector per text, of its dimensions; zero for unknown words', async () => {
    const embedder = await train({ dimensions: 20 });
    const vectors = await embedder.embed(['ship', '', 'xyzzy the and', 'ship'], { kind: 'document' });
    expect(vectors.map(({ length }) => length)).toEqual([20, 20, 20, 20]);
    expect(vectors[3]).toEqual(vectors[0]);
    expect(vectors[0].some((component) => component !== 0)).toBe(true);
    for (const at of [1, 2]) expect(vectors[at].every((component) => component === 0)).toBe(true);
  });

  it('says how much of a query its vectors represent', async () => {
    const embedder = await train({ dimensions: 4 }, [
      ...texts,
      ...['harpoon', 'harpoon'].map((word) => ({ text: `ship ${word}`, language: 'en' })),
    ]);
    const [topical, rare, unknown, none] = await Promise.all(
      ['ship boat', 'ship harpoon', 'ship xyzzy', 'the and'].map((query) => embedder.coverage!(query)),
    );
    expect(topical).toBeGreaterThan(0.3);
    expect(topical).toBeLessThanOrEqual(1);
    // A word in two texts is hardly in the space of the model, and one in none is not at all.
    expect(rare).toBeLessThan(topical * 0.8);
    expect(unknown).toBeLessThan(topical * 0.8);
    expect(none).toBe(1);
  });

  it('is the same whether it learns in a thread, here, or again', async () => {
    const one = await train();
    const other = await train({ worker: false });
    expect(other.id).toBe(one.id);
    expect(other.model).toEqual(one.model);
    expect((await train()).model).toEqual(one.model);
    const different = await train({}, texts.slice(10));
    expect(different.id).not.toBe(one.id);
    expect((await train({ dimensions: 9 })).id).not.toBe(one.id);
  });

  it('learns in a thread, where there are threads', async () => {
    const threads = await vi.importActual<typeof import('node:worker_threads')>('node:worker_threads');
    const outcomes: string[] = [];
    vi.resetModules();
    vi.doMock('node:worker_threads', () => ({
      Worker: class extends threads.Worker {
        constructor(...args: ConstructorParameters<typeof threads.Worker>) {
          super(...args);
          this.on('message', (message: object) => outcomes.push(Object.keys(message)[0]));
        }
      },
    }));
    const { lsaEmbedder: mocked } = await import('../../../../src/search/embedders/lsa/lsa-embedder.ts');
    await mocked({ dimensions: 8 }).train(trainingTexts(texts));
    expect(outcomes.at(-1)).toBe('learnt');
  });

  it.each([
    [
      'cannot be started',
      class {
        constructor() {
          throw new Error('not here');
        }
      },
    ],
    [
      'fail',
      class {
        on(event: string, listener: (error: Error) => void) {
          if (event === 'error') setImmediate(() => listener(new Error('out of memory')));
        }
        async terminate() {}
      },
    ],
    [
      'end without a word',
      class {
        on(event: string, listener: (code: number) => void) {
          if (event === 'exit') setImmediate(() => listener(1));
        }
        async terminate() {}
      },
    ],
  ])('learns here where threads %s', async (_, Worker) => {
    const expected = await train();
    vi.resetModules();
    vi.doMock('node:worker_threads', () => ({ Worker }));
    const { lsaEmbedder: mocked } = await import('../../../../src/search/embedders/lsa/lsa-embedder.ts');
    const embedder = await mocked({ dimensions: 8 }).train(trainingTexts(texts));
    expect(embedder.id).toBe(expected.id);
    expect(embedder.model).toEqual(expected.model);
  });

  it.each([true, false])('reports progress and stops when aborted (in a thread: %s)', async (worker) => {
    const shares: number[] = [];
    const embedder = lsaEmbedder({ dimensions: 30, worker });
    const manyWords = Array.from({ length: 4000 }, (_, at) => ({
      text: [1, 7, 31, 101, 211].map((factor) => `w${(at * factor) % 2503}`).join(' '),
      language: '',
    }));
    // A clock that runs fast, so that everything is long work.
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5));
    try {
      await embedder.train(trainingTexts(texts), { onProgress: (share) => shares.push(share) });
      expect(shares.length).toBeGreaterThan(5);
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
      expect(shares[0]).toBeGreaterThanOrEqual(0);
      expect(shares.at(-1)).toBe(1);

      // While it counts words, and while it computes.
      for (const after of [0.1, 0.3]) {
        const controller = new AbortController();
        const told: number[] = [];
        const training = lsaEmbedder({ dimensions: 100, worker }).train(trainingTexts(manyWords), {
          signal: controller.signal,
          onProgress: (share) => {
            told.push(share);
            if (share >= after) controller.abort();
          },
        });
        await expect(training).rejects.toMatchObject({ code: 'ABORTED' });
        expect(told.at(-1)).toBeLessThan(1);
      }
    } finally {
      clock.mockRestore();
    }
    await expect(embedder.train(trainingTexts(texts), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  it('reports progress to the callback given at creation, whichever call starts the training', async () => {
    const shares: number[] = [];
    const embedder = lsaEmbedder({ dimensions: 5, minTexts: 10, worker: false, onProgress: (s) => shares.push(s) });
    await using engine = await WorldsEngine.open({ embedder });
    await engine.createWorld({ slug: 'w' });
    const data = texts.slice(0, 50).map(({ text }, at) => `<urn:${at}> <urn:p> ${JSON.stringify(text)} .`);
    await engine.import({ source: 'w', data: data.join('\n') });
    await engine.flush();
    expect(shares.at(-1)).toBe(1);
  });

  it('lets the event loop run while it learns', async () => {
    let turns = 0;
    const turn = () => {
      turns++;
      pending = setImmediate(turn);
    };
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5));
    let pending = setImmediate(turn);
    await train({ worker: false, dimensions: 40 });
    clearImmediate(pending);
    clock.mockRestore();
    expect(turns).toBeGreaterThan(20);
  });

  it('trains on an even sample of very many texts and limits the number of terms', async () => {
    const asked: number[] = [];
    const embedder = await lsaEmbedder({ dimensions: 4, maxTexts: 100, maxTerms: 6 }).train({
      length: 1000,
      at: (index) => {
        asked.push(index);
        return texts[index % texts.length];
      },
    });
    expect(asked).toEqual(Array.from({ length: 100 }, (_, at) => at * 10));
    expect(embedder.model['weights']).toHaveLength(6);
  });

  it('knows the languages of its texts, and reads a query in all of them', async () => {
    const bilingual = [
      ...texts,
      ...Array.from({ length: 200 }, (_, at) => ({
        text: at % 2 === 0 ? 'die Schiffe segeln im Hafen' : 'das Segel des Schiffes am Hafen',
        language: 'de',
      })),
    ];
    const embedder = await train({}, bilingual);
    const [german] = await embedder.embed(['Schiffe im Hafen'], { kind: 'document', languages: ['de'] });
    const [query] = await embedder.embed(['Schiff Hafen'], { kind: 'query' });
    expect(cosine(german, query)).toBeGreaterThan(0.9);
    const [english] = await embedder.embed(['the sailing ship'], { kind: 'document', languages: ['en'] });
    const [asked] = await embedder.embed(['ships that sail'], { kind: 'query' });
    expect(cosine(english, asked)).toBeGreaterThan(0.9);
  });

  it('takes another way to make terms of texts', async () => {
    const analyzerOf = async () => (text: string) => text.split('');
    const embedder = await lsaEmbedder({ dimensions: 2, analyzerOf }).train(
      trainingTexts(['ab', 'abc', 'bc', 'xy', 'xyz', 'yz'].map((text) => ({ text, language: '' }))),
    );
    const [a, c, x] = await embedder.embed(['a', 'c', 'x'], { kind: 'document' });
    expect(cosine(a, c)).toBeGreaterThan(cosine(a, x) + 0.3);
  });

  it('learns nothing from texts without common words, without an error', async () => {
    const embedder = await train({}, [
      { text: 'one', language: '' },
      { text: 'two', language: '' },
    ]);
    const [vector] = await embedder.embed(['one two'], { kind: 'query' });
    expect([...vector]).toEqual(new Array(8).fill(0));
  });

  it.each([{ dimensions: 0 }, { dimensions: 1.5 }, { minTexts: 1 }, { maxTexts: Number.NaN }, { maxTerms: -1 }])(
    'refuses %o',
    (options) => {
      expect(() => lsaEmbedder(options)).toThrow(/The LSA embedder's/);
    },
  );

  it('refuses to learn from one text', async () => {
    await expect(train({}, texts.slice(0, 1))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('the model of an LSA embedder', () => {
  it('is plain data that makes it again', async () => {
    const embedder = await train();
    const copies = structuredClone(embedder.model);
    const restored = lsaEmbedder({ dimensions: 8 }).restore(copies);
    expect(restored.id).toBe(embedder.id);
    expect(restored.model).toEqual(embedder.model);
    for (const kind of ['query', 'document'] as const)
      expect(await restored.embed(['boat in a harbour', 'violin'], { kind })).toEqual(
        await embedder.embed(['boat in a harbour', 'violin'], { kind }),
      );
  });

  it('is refused when it is damaged or of another kind', async () => {
    const { model } = await train();
    const header = (...numbers: number[]) => Uint32Array.from(numbers);
    const [format, dimensions, count, languages] = model['header'];
    const damaged = [
      {},
      { ...model, header: header(format + 1, dimensions, count, languages) },
      { ...model, header: header(format, dimensions) },
      { ...model, header: header(format, dimensions + 1, count, languages) },
      { ...model, header: header(format, dimensions, count, languages + 1) },
      { ...model, weights: model['weights'].slice(1) },
      { ...model, vectors: new Uint8Array(4) },
      { ...model, vectors: model['vectors'].slice().fill(Number.NaN) },
      { ...model, bytes: model['bytes'].slice().fill(0xff) },
      { ...model, bytes: model['bytes'].slice(0, 3) },
      { ...model, ends: model['ends'].slice().reverse() },
    ];
    for (const each of damaged)
      expect(() => lsaEmbedder({ dimensions: 8 }).restore(each as never)).toThrow(
        expect.objectContaining({ code: 'CORRUPT' }),
      );
    expect(() => lsaEmbedder({ dimensions: 9 }).restore(model)).toThrow(/8 dimensions.*set to 9/);
  });
});
