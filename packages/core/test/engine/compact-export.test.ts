import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryPool, WorldsEngine } from '../../src/index.ts';

const JSON_LD = 'application/ld+json';
const DATA = '<urn:s> <urn:p> "a" .\n<urn:s> <urn:p> "b" <urn:g> .\n';

let engine: WorldsEngine;
const loaded: string[] = [];
beforeAll(async () => {
  const documentLoader = async (url: string) => {
    loaded.push(url);
    return { document: { '@context': { p: 'urn:p' } } };
  };
  engine = await WorldsEngine.open({ textIndex: null, documentLoader });
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: DATA });
});
afterAll(() => engine.close());

const exported = async (options: object) =>
  JSON.parse(new TextDecoder().decode(await engine.export({ source: 'w', contentType: JSON_LD, ...options })));

describe('an export with a context', () => {
  it.each([false, true])('is compacted, with canonicalOrder %s', async (canonicalOrder) => {
    expect(await exported({ context: { p: 'urn:p', id: '@id' }, canonicalOrder })).toEqual({
      '@context': { p: 'urn:p', id: '@id' },
      '@graph': [
        { id: 'urn:s', p: 'a' },
        { id: 'urn:g', '@graph': [{ id: 'urn:s', p: 'b' }] },
      ],
    });
  });

  it('takes a document with a context, and one graph', async () => {
    const graph = 'urn:g';
    expect(await exported({ context: { '@context': { p: 'urn:p' } }, graph })).toEqual({
      '@context': { p: 'urn:p' },
      '@graph': [{ '@id': 'urn:s', p: 'b' }],
    });
  });

  it('loads remote contexts by the documentLoader', async () => {
    expect(await exported({ context: 'https://c.example/', graph: 'urn:g' })).toEqual({
      '@context': 'https://c.example/',
      '@graph': [{ '@id': 'urn:s', p: 'b' }],
    });
    expect(loaded).toEqual(['https://c.example/']);
  });

  it('refuses a context with another format', async () => {
    for (const contentType of [undefined, 'text/turtle'])
      await expect(engine.export({ source: 'w', contentType, context: {} })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^export: context: only JSON-LD has a context.*application\/ld\+json/),
      });
  });

  it('holds a large node within the memory of the process, and gives it back', async () => {
    const memoryPool = new MemoryPool(16 << 20);
    const small = await WorldsEngine.open({ textIndex: null, memoryPool });
    await small.createWorld({ slug: 'w' });
    const values = (count: number) => Array.from({ length: count }, (_, i) => `<urn:s> <urn:p> "${i}" .\n`).join('');
    await small.import({ source: 'w', data: values(100) });
    const request = { source: 'w', contentType: JSON_LD, context: {} };
    await small.export(request);
    await small.import({ source: 'w', data: values(20_000) });
    await expect(small.export(request)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(memoryPool.usedBytes).toBe(0);
    await small.close();
  });
});

describe('an export with a frame', () => {
  it.each([false, true])('selects and nests nodes, with canonicalOrder %s', async (canonicalOrder) => {
    const frame = { '@context': { p: 'urn:p' }, p: 'b' };
    expect(await exported({ frame, canonicalOrder })).toEqual({
      '@context': { p: 'urn:p' },
      '@id': 'urn:s',
      p: 'b',
    });
    const graphs = await exported({ frame: { '@graph': {} }, canonicalOrder });
    expect(graphs['@graph']).toHaveLength(2);
    expect(graphs['@graph']).toContainEqual({ '@id': 'urn:g', '@graph': [{ '@id': 'urn:s', 'urn:p': 'b' }] });
    expect(graphs['@graph']).toContainEqual({ '@id': 'urn:s', 'urn:p': 'a' });
  });

  it('frames one graph, and with flags', async () => {
    const options = { frame: { 'urn:p': {} }, context: { p: 'urn:p' }, graph: 'urn:g', framing: { omitGraph: false } };
    expect(await exported(options)).toEqual({ '@context': { p: 'urn:p' }, '@graph': [{ '@id': 'urn:s', p: 'b' }] });
  });

  it.each<[object, RegExp]>([
    [{ frame: {}, contentType: 'text/turtle' }, /^export: frame: only JSON-LD has a frame.*application\/ld\+json/],
    [{ framing: { explicit: true } }, /^export: framing: .* pass frame, too/],
    [{ frame: {}, framing: { explict: true } }, /explict.*explicit/],
    [{ frame: { '@embed': '@first' } }, /^frame: .*@embed.*"@first"/],
  ])('refuses %j', async (options, message) => {
    await expect(exported(options)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(message),
    });
  });

  it('gives its memory back', async () => {
    const memoryPool = new MemoryPool(64 << 20);
    const small = await WorldsEngine.open({ textIndex: null, memoryPool });
    await small.createWorld({ slug: 'w' });
    await small.import({ source: 'w', data: DATA });
    const before = memoryPool.usedBytes;
    await small.export({ source: 'w', contentType: JSON_LD, frame: {} });
    expect(memoryPool.usedBytes).toBe(before);
    await small.close();
  });
});
