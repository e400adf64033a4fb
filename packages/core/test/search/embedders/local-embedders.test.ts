import { describe, expect, it, vi } from 'vitest';
import { type AiSdkEmbeddingModel, aiSdkEmbedder } from '../../../src/search/embedders/ai-sdk-embedder.ts';
import { type FunctionEmbedderOptions, functionEmbedder } from '../../../src/search/embedders/function-embedder.ts';
import { langChainEmbedder } from '../../../src/search/embedders/langchain-embedder.ts';
import { transformersEmbedder } from '../../../src/search/embedders/transformers-embedder.ts';
import { vectorOf } from './fake-server.ts';

describe('functionEmbedder', () => {
  it('calls a function, synchronous or not, with one batch at a time', async () => {
    const calls: unknown[] = [];
    const embedder = functionEmbedder({
      id: 'mine',
      dimensions: 3,
      batchSize: 2,
      embed: (texts, { kind, signal }) => {
        calls.push([texts, kind, signal instanceof AbortSignal]);
        return texts.map((text) => Float32Array.from(vectorOf(text)));
      },
    });
    expect(embedder.id).toBe('mine');
    expect((await embedder.embed(['a', 'b', 'c'], { kind: 'document' })).map((vector) => [...vector])).toEqual(
      ['a', 'b', 'c'].map(vectorOf),
    );
    expect(calls).toEqual([
      [['a', 'b'], 'document', true],
      [['c'], 'document', true],
    ]);
  });

  it('retries only errors that are marked as transient', async () => {
    for (const [error, tries] of [
      [Object.assign(new Error('slow down'), { status: 429 }), 3],
      [Object.assign(new Error('slow down'), { statusCode: 503 }), 3],
      [Object.assign(new Error('again'), { isRetryable: true }), 3],
      [new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }), 3],
      [Object.assign(new Error('no'), { isRetryable: false, statusCode: 503 }), 1],
      [Object.assign(new Error('bad'), { status: 400 }), 1],
      [new Error('a mistake'), 1],
      ['a string', 1],
    ] as const) {
      const embed = vi.fn(async () => {
        throw error;
      });
      const embedder = functionEmbedder({ id: 'mine', dimensions: 3, maxRetries: 2, retryDelayMs: 1, embed });
      await expect(embedder.embed(['a'], { kind: 'document' })).rejects.toBe(error);
      expect(embed).toHaveBeenCalledTimes(tries);
    }
  });

  it.each([
    [{ dimensions: 3, embed: () => [] }, /set the option id/],
    [{ id: '', dimensions: 3, embed: () => [] }, /set the option id/],
    [{ id: 'mine', dimensions: 3 }, /set the option embed/],
    [{ id: 'mine', dimensions: 3, embed: 'it' }, /set the option embed/],
  ])('refuses %o', (options, message) => {
    const make = () => functionEmbedder(options as unknown as FunctionEmbedderOptions);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('leaves a function that hangs and heeds no signal', async () => {
    const embedder = functionEmbedder({
      id: 'mine',
      dimensions: 3,
      timeoutMs: 10,
      maxRetries: 0,
      embed: () => new Promise(() => undefined),
    });
    await expect(embedder.embed(['a'], { kind: 'query' })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

/** The shape of the AI SDK's EmbeddingModel, as of its versions 4, 5 and 6. */
function sdkModel(changes: Partial<AiSdkEmbeddingModel> & { specificationVersion: string }) {
  const calls: { values: string[]; headers?: unknown; providerOptions?: unknown; abortSignal?: AbortSignal }[] = [];
  const model: AiSdkEmbeddingModel & { specificationVersion: string } = {
    provider: 'openai.embedding',
    modelId: 'text-embedding-3-small',
    maxEmbeddingsPerCall: 2,
    supportsParallelCalls: true,
    async doEmbed(options) {
      calls.push(options);
      return { embeddings: options.values.map(vectorOf), usage: { tokens: 5 }, warnings: [] };
    },
    ...changes,
  };
  return { model, calls };
}

describe('aiSdkEmbedder', () => {
  it.each(['v1', 'v2', 'v3'])(
    'embeds by a model of specification %s, in batches that it allows',
    async (specificationVersion) => {
      const { model, calls } = sdkModel({ specificationVersion });
      const embedder = aiSdkEmbedder(model, {
        dimensions: 3,
        headers: { 'x-trace': '1' },
        providerOptions: { openai: { user: 'me' } },
      });
      expect(embedder.id).toBe('openai.embedding/text-embedding-3-small');
      expect(await embedder.embed(['a', 'bb', 'ccc'], { kind: 'document' })).toEqual(['a', 'bb', 'ccc'].map(vectorOf));
      expect(calls.map(({ values }) => values)).toEqual([['a', 'bb'], ['ccc']]);
      expect(calls[0]).toMatchObject({ headers: { 'x-trace': '1' }, providerOptions: { openai: { user: 'me' } } });
      expect(calls[0].abortSignal).toBeInstanceOf(AbortSignal);
    },
  );

  it('heeds limits that are promises, and models that take one call at a time', async () => {
    let now = 0;
    let most = 0;
    const { model } = sdkModel({
      specificationVersion: 'v2',
      maxEmbeddingsPerCall: Promise.resolve(1),
      supportsParallelCalls: Promise.resolve(false),
      async doEmbed({ values }) {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 2));
        now--;
        return { embeddings: values.map(vectorOf) };
      },
    });
    const embedder = aiSdkEmbedder(model, { dimensions: 3, concurrency: 8 });
    expect(await embedder.embed(['a', 'b', 'c'], { kind: 'document' })).toHaveLength(3);
    expect(most).toBe(1);
  });

  it('takes a model without limits', async () => {
    const { model, calls } = sdkModel({ specificationVersion: 'v2', maxEmbeddingsPerCall: undefined });
    await aiSdkEmbedder(model, { dimensions: 3, batchSize: 50 }).embed(new Array(60).fill('a'), { kind: 'document' });
    expect(calls.map(({ values }) => values.length)).toEqual([50, 10]);
  });

  it('tries again as the SDK’s errors say', async () => {
    const failures = [Object.assign(new Error('busy'), { isRetryable: true, statusCode: 429 })];
    const { model } = sdkModel({
      specificationVersion: 'v2',
      async doEmbed({ values }) {
        const failure = failures.pop();
        if (failure) throw failure;
        return { embeddings: values.map(vectorOf) };
      },
    });
    const embedder = aiSdkEmbedder(model, { dimensions: 3, retryDelayMs: 0 });
    expect(await embedder.embed(['a'], { kind: 'document' })).toEqual([vectorOf('a')]);
  });

  it('refuses the name of a model, and answers of another kind', async () => {
    expect(() => aiSdkEmbedder('openai/small' as never, { dimensions: 3 })).toThrow(/takes an embedding model/);
    const { model } = sdkModel({ specificationVersion: 'v2', doEmbed: async () => ({}) as never });
    await expect(aiSdkEmbedder(model, { dimensions: 3 }).embed(['a'], { kind: 'query' })).rejects.toThrow(
      /without "embeddings"/,
    );
  });
});

describe('langChainEmbedder', () => {
  it('embeds documents and queries each in their way', async () => {
    const embeddings = {
      embedDocuments: vi.fn(async (texts: string[]) => texts.map(vectorOf)),
      embedQuery: vi.fn(async (text: string) => vectorOf(`?${text}`)),
    };
    const embedder = langChainEmbedder(embeddings, { id: 'lc', dimensions: 3 });
    expect(await embedder.embed(['a', 'b'], { kind: 'document' })).toEqual([vectorOf('a'), vectorOf('b')]);
    expect(await embedder.embed(['a'], { kind: 'query' })).toEqual([vectorOf('?a')]);
    expect(embeddings.embedDocuments).toHaveBeenCalledExactlyOnceWith(['a', 'b']);
    expect(() => langChainEmbedder({} as never, { id: 'lc', dimensions: 3 })).toThrow(/embedDocuments/);
  });

  it('leaves trying again to LangChain', async () => {
    const embedDocuments = vi.fn(async () => {
      throw Object.assign(new Error('busy'), { status: 429 });
    });
    const embedder = langChainEmbedder({ embedDocuments, embedQuery: vi.fn() }, { id: 'lc', dimensions: 3 });
    await expect(embedder.embed(['a'], { kind: 'document' })).rejects.toThrow('busy');
    expect(embedDocuments).toHaveBeenCalledTimes(1);
  });
});

describe('transformersEmbedder', () => {
  const tensor = (rows: number[][]) => ({ dims: [rows.length, 3], data: Float32Array.from(rows.flat()) });

  it('embeds by a pipeline, with its pooling', async () => {
    const pipeline = vi.fn(async (texts: string[]) => tensor(texts.map(vectorOf)));
    const embedder = transformersEmbedder(pipeline, { id: 'minilm', dimensions: 3, pooling: 'cls' });
    const vectors = await embedder.embed(['a', 'bb'], { kind: 'document' });
    expect(vectors.map((vector) => [...vector])).toEqual([vectorOf('a'), vectorOf('bb')]);
    expect(pipeline).toHaveBeenCalledExactlyOnceWith(['a', 'bb'], { pooling: 'cls', normalize: true });
    await transformersEmbedder(pipeline, { id: 'minilm', dimensions: 3 }).embed(new Array(20).fill('a'), {
      kind: 'document',
    });
    expect(pipeline.mock.calls.slice(1).map(([texts]) => texts.length)).toEqual([16, 4]);
    expect(pipeline).toHaveBeenLastCalledWith(expect.anything(), { pooling: 'mean', normalize: true });
  });

  it.each([
    ['a vector a token', { dims: [1, 7, 3], data: new Float32Array(21) }],
    ['nothing', undefined],
    ['too little', { dims: [1, 3], data: new Float32Array(2) }],
  ])('refuses %s', async (_, answer) => {
    const embedder = transformersEmbedder(async () => answer as never, { id: 'minilm', dimensions: 3 });
    await expect(embedder.embed(['a'], { kind: 'query' })).rejects.toThrow(/instead of one of texts by dimensions/);
  });

  it('refuses a name in place of a pipeline', () => {
    expect(() => transformersEmbedder('Xenova/minilm' as never, { id: 'm', dimensions: 3 })).toThrow(
      /takes a pipeline/,
    );
  });
});
