import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Embedder } from '../../../src/contracts/embedder.ts';
import { ollamaEmbedder } from '../../../src/search/embedders/ollama-embedder.ts';
import { type OpenAiEmbedderOptions, openAiEmbedder } from '../../../src/search/embedders/openai-embedder.ts';
import { FakeServer, type SeenRequest, status, vectorOf } from './fake-server.ts';

let server: FakeServer;
beforeAll(async () => {
  server = await FakeServer.start();
});
afterAll(() => server.stop());

const texts = (count: number) => Array.from({ length: count }, (_, at) => `${'x'.repeat(at)}!`);
const openAiAnswer = ({ body }: SeenRequest) => ({
  data: (body.input as string[]).map((text, index) => ({ index, embedding: vectorOf(text) })),
});
const ollamaAnswer = ({ body }: SeenRequest) => ({ embeddings: (body.input as string[]).map(vectorOf) });

const SECRET = 'sk-proj-abcdef1234567890';
const openAi = (options: Partial<OpenAiEmbedderOptions> = {}) =>
  openAiEmbedder({
    url: `${server.url}/v1`,
    model: 'small',
    dimensions: 3,
    apiKey: SECRET,
    retryDelayMs: 1,
    ...options,
  });
const ollama = (options = {}) =>
  ollamaEmbedder({ url: server.url, model: 'nomic', dimensions: 3, retryDelayMs: 1, ...options });

describe('openAiEmbedder', () => {
  it('posts texts with the model and the key, and returns their vectors', async () => {
    server.script(openAiAnswer);
    const embedder = openAi();
    expect(embedder).toMatchObject({ id: 'openai/small', dimensions: 3 });
    expect(await embedder.embed(['a', 'bb'], { kind: 'document' })).toEqual([vectorOf('a'), vectorOf('bb')]);
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: { model: 'small', input: ['a', 'bb'] },
    });
    expect(Object.keys(server.seen[0].body)).toEqual(['model', 'input']);
  });

  it('requests the given dimensions and sends the given headers', async () => {
    server.script(openAiAnswer);
    const embedder = openAi({
      requestDimensions: true,
      apiKey: undefined,
      headers: { 'api-key': 'k' },
      url: `${server.url}/v1/`,
    });
    await embedder.embed(['a'], { kind: 'query' });
    expect(server.seen[0].body.dimensions).toBe(3);
    expect(server.seen[0].headers['api-key']).toBe('k');
    expect(server.seen[0].headers.authorization).toBeUndefined();
    expect(server.seen[0].path).toBe('/v1/embeddings');
  });

  it('puts vectors in the order of the texts, and reads them from base64', async () => {
    const base64 = (vector: number[]) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');
    server.script(({ body }) => ({
      data: (body.input as string[]).map((text, index) => ({ index, embedding: base64(vectorOf(text)) })).reverse(),
    }));
    const vectors = await openAi().embed(['a', 'bb', 'ccc'], { kind: 'document' });
    expect(vectors.map((vector) => [...vector])).toEqual(['a', 'bb', 'ccc'].map(vectorOf));
  });

  it.each([
    ['no data', { object: 'list' }, /without "data"/],
    [
      'a vector twice',
      {
        data: [
          { index: 0, embedding: [1, 1, 1] },
          { index: 0, embedding: [1, 1, 1] },
        ],
      },
      /for text 0/,
    ],
    ['a vector too many', { data: [0, 1, 2].map((index) => ({ index, embedding: [1, 1, 1] })) }, /3 vector\(s\) for 2/],
    ['a vector too few', { data: [{ index: 0, embedding: [1, 1, 1] }] }, /1 vector\(s\) for 2/],
    ['a string that is none', { data: [0, 1].map((index) => ({ index, embedding: 'AAA~' })) }, /not base64/],
    ['other dimensions', { data: [0, 1].map((index) => ({ index, embedding: [1, 2] })) }, /2 dimensions.*set to 3/],
    ['zeros', { data: [0, 1].map((index) => ({ index, embedding: [0, 0, 0] })) }, /a vector of zeros/],
    ['null', { data: [0, 1].map((index) => ({ index, embedding: [1, null, 1] })) }, /component null/],
    ['a number beyond 32 bits', { data: [0, 1].map((index) => ({ index, embedding: [1, 1e300, 1] })) }, /1e\+300/],
    ['null for all', null, /without "data"/],
  ])('refuses an answer with %s, and does not ask again', async (_, answer, message) => {
    server.script(() => answer);
    await expect(openAi().embed(['a', 'b'], { kind: 'document' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(message),
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('ollamaEmbedder', () => {
  it('posts texts to /api/embed', async () => {
    server.script(ollamaAnswer);
    const embedder = ollama({ keepAlive: '10m' });
    expect(embedder.id).toBe('ollama/nomic');
    expect(await embedder.embed(['a', 'bb'], { kind: 'document' })).toEqual([vectorOf('a'), vectorOf('bb')]);
    expect(server.seen[0]).toMatchObject({
      path: '/api/embed',
      body: { model: 'nomic', input: ['a', 'bb'], truncate: true, keep_alive: '10m' },
    });
  });

  it('says how to get a model that is not there', async () => {
    server.script(status(404, { error: 'model "nomic" not found' }));
    await expect(ollama().embed(['a'], { kind: 'query' })).rejects.toThrow(
      /POST http:\/\/127\.0\.0\.1:\d+\/api\/embed responded with 404: model "nomic" not found\. .*ollama pull nomic/,
    );
  });

  it('refuses an answer of another kind', async () => {
    server.script(() => ({ embedding: [1, 2, 3] }));
    await expect(ollama().embed(['a'], { kind: 'query' })).rejects.toThrow(/without "embeddings"/);
  });
});

const ADAPTERS: readonly (readonly [string, (options?: object) => Embedder, (seen: SeenRequest) => unknown])[] = [
  ['openAiEmbedder', openAi, openAiAnswer],
  ['ollamaEmbedder', ollama, ollamaAnswer],
];

describe.each(ADAPTERS)('%s', (_, make, answer) => {
  it('cuts texts into batches, and makes several calls at a time', async () => {
    server.script(async (seen) => {
      // Later batches are answered first.
      await new Promise((resolve) => setTimeout(resolve, seen.body.input[0].length === 1 ? 30 : 5));
      return answer(seen);
    });
    const embedder = make({ batchSize: 3, concurrency: 2 });
    expect(embedder.batchSize).toBe(6);
    const given = texts(11);
    expect(await embedder.embed(given, { kind: 'document' })).toEqual(given.map(vectorOf));
    expect(server.seen.map(({ body }) => body.input.length).sort()).toEqual([2, 3, 3, 3]);
    expect(server.most).toBe(2);
    server.script(answer);
    expect(await embedder.embed([], { kind: 'document' })).toEqual([]);
    expect(server.seen).toEqual([]);
  });

  it('puts prefixes before texts, which make it another model', async () => {
    server.script(answer);
    const embedder = make({ queryPrefix: 'query: ', documentPrefix: 'passage: ' });
    await embedder.embed(['a'], { kind: 'query' });
    await embedder.embed(['a'], { kind: 'document' });
    expect(server.seen.map(({ body }) => body.input)).toEqual([['query: a'], ['passage: a']]);
    expect(embedder.id).not.toBe(make().id);
    expect(make({ queryPrefix: 'query: ' }).id).toBe(make().id);
    expect(make({ id: 'mine' }).id).toBe('mine');
  });

  it('cuts long texts, and sends no half characters', async () => {
    server.script(answer);
    await make({ maxTextLength: 4 }).embed(['abcdefg', 'abc\u{1f600}', '\udc00x'], { kind: 'document' });
    expect(server.seen[0].body.input).toEqual(['abcd', 'abc\ufffd', '\ufffdx']);
    await make().embed(['x'.repeat(100_000)], { kind: 'document' });
    expect(server.seen[1].body.input[0]).toHaveLength(8000);
  });

  it.each([429, 500, 502, 503, 529, 408])('tries again after %i', async (code) => {
    server.script(status(code), status(code), answer);
    expect(await make().embed(['a'], { kind: 'document' })).toEqual([vectorOf('a')]);
    expect(server.seen).toHaveLength(3);
  });

  it('finally fails with the endpoint, the status and what to do', async () => {
    server.script(status(429, { error: { message: 'Rate limit reached.' } }));
    await expect(make({ maxRetries: 2 }).embed(['a'], { kind: 'document' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(
        /^POST http:\/\/127\.0\.0\.1:\d+\/\S+ responded with 429: Rate limit reached\. The server limits the rate of requests/,
      ),
    });
    expect(server.seen).toHaveLength(3);
    server.script(status(503, 'overloaded'));
    await expect(make({ maxRetries: 0 }).embed(['a'], { kind: 'document' })).rejects.toThrow(
      /503: overloaded\. The server has a problem/,
    );
    expect(server.seen).toHaveLength(1);
  });

  it('lets a query wait for one more try at most', async () => {
    server.script(status(500));
    await expect(make().embed(['a'], { kind: 'query' })).rejects.toThrow(/500/);
    expect(server.seen).toHaveLength(2);
  });

  it.each([
    [400, /Check the model/],
    [401, /Check the API key/],
    [403, /Check the API key/],
    [413, /fewer texts/],
    [422, /Check the model/],
    [418, /responded with 418/],
  ])('does not try again after %i', async (code, message) => {
    server.script(status(code, { detail: 'no' }));
    await expect(make().embed(['a'], { kind: 'document' })).rejects.toThrow(message);
    expect(server.seen).toHaveLength(1);
  });

  it('does not wait for an hour, even if the server asks', async () => {
    for (const value of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      server.script(status(503, {}, { 'retry-after': value }));
      await expect(make().embed(['a'], { kind: 'document' })).rejects.toThrow(/503/);
      expect(server.seen).toHaveLength(1);
    }
  });

  it('takes a broken connection for something that passes', async () => {
    server.script((_, response) => response.destroy() && undefined, answer);
    expect(await make().embed(['a'], { kind: 'document' })).toEqual([vectorOf('a')]);
    const nobody = await FakeServer.start();
    const { url } = nobody;
    await nobody.stop();
    await expect(make({ url, maxRetries: 1 }).embed(['a'], { kind: 'document' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(/POST http:\/\/127.* failed: .*ECONNREFUSED.*Check that the server is running/),
    });
  });

  it('stops immediately when aborted, together with running requests', async () => {
    const aborted: boolean[] = [];
    server.script((_, response) => {
      response.on('close', () => aborted.push(!response.writableEnded));
    });
    const controller = new AbortController();
    const embedding = make({ batchSize: 1, concurrency: 2 }).embed(['a', 'b', 'c'], {
      kind: 'document',
      signal: controller.signal,
    });
    embedding.catch(() => undefined);
    await vi.waitFor(() => expect(server.seen).toHaveLength(2), { timeout: 10_000 });
    controller.abort();
    await expect(embedding).rejects.toMatchObject({ code: 'ABORTED' });
    await vi.waitFor(() => expect(aborted).toEqual([true, true]), { timeout: 10_000 });
    expect(server.seen).toHaveLength(2);
    await expect(make().embed(['a'], { kind: 'query', signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  it('stops while it waits to try again', async () => {
    server.script(status(503));
    const embedding = make({ retryDelayMs: 60_000 }).embed(['a'], {
      kind: 'document',
      signal: AbortSignal.timeout(20),
    });
    await expect(embedding).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(server.seen).toHaveLength(1);
  });

  it('stops the other calls when one fails for good', async () => {
    server.script((seen, response) => {
      if (seen.body.input[0] === '!') status(400)(seen, response);
    });
    await expect(make({ batchSize: 1, concurrency: 3 }).embed(texts(6), { kind: 'document' })).rejects.toThrow(/400/);
    expect(server.seen.length).toBeLessThanOrEqual(3);
  });

  it('leaves a server that hangs, after its time', async () => {
    server.script(() => undefined, answer);
    expect(await make({ timeoutMs: 30 }).embed(['a'], { kind: 'document' })).toEqual([vectorOf('a')]);
    server.script(() => undefined);
    await expect(make({ timeoutMs: 20, maxRetries: 1 }).embed(['a'], { kind: 'document' })).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringMatching(/did not respond within 20 ms for 1 text\(s\).*timeoutMs/),
    });
    expect(server.seen).toHaveLength(2);
  });

  it('follows no redirect', async () => {
    server.script(status(307, '', { location: 'http://example.org/' }));
    await expect(make().embed(['a'], { kind: 'document' })).rejects.toThrow(
      /responded with 307\. The server redirects/,
    );
    expect(server.seen).toHaveLength(1);
  });

  it('quotes a response that is not JSON', async () => {
    server.script(status(200, '<html>Hello</html>'));
    await expect(make().embed(['a'], { kind: 'document' })).rejects.toThrow(
      /is not JSON: <html>Hello<\/html>\. Check the URL/,
    );
  });

  it('shows no secret, whatever the server says', async () => {
    const said = `Incorrect API key provided: ${SECRET}, or sk-pr**7890. Sent: Bearer ${SECRET} and hunter2-hunter2`;
    for (const body of [{ error: { message: said } }, said, { message: said }, { error: said }]) {
      server.script(status(401, body));
      const failure = await make({ headers: { 'x-token': 'hunter2-hunter2' } })
        .embed(['a'], { kind: 'query' })
        .then(
          () => '',
          (error) => `${error.message} ${error.stack} ${JSON.stringify(error)}`,
        );
      expect(failure).toMatch(/401: Incorrect API key provided: \*\*\*/);
      for (const secret of [SECRET, 'abcdef', 'sk-pr', 'hunter2']) expect(failure).not.toContain(secret);
    }
  });

  it('quotes a long answer shortly', async () => {
    server.script(status(400, 'x'.repeat(100_000)));
    const error = await make()
      .embed(['a'], { kind: 'query' })
      .catch((each) => each);
    expect(error.message.length).toBeLessThan(600);
  });

  it.each(['nonsense', 'ftp://example.org', '', 'http://me:secret@127.0.0.1/v1'])('refuses the URL %j', (url) => {
    expect(() => make({ url })).toThrow(/The option url/);
    expect(() => make({ url })).not.toThrow(/secret/);
  });

  it.each([
    { model: '' },
    { model: undefined as unknown as string },
    { dimensions: 0 },
    { dimensions: 2.5 },
    { batchSize: 0 },
    { concurrency: Number.NaN },
    { maxRetries: -1 },
    { retryDelayMs: -1 },
    { timeoutMs: 0 },
    { timeoutMs: 2 ** 31 },
    { maxTextLength: 0 },
  ])('refuses %o', (options) => {
    expect(() => make(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
