import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type GraphName, RDF_FORMATS, WorldsEngine } from '../../src/index.ts';
import { dataOf, linesOf, stateOf } from './world-state.ts';

const { namedNode, blankNode, defaultGraph } = dataFactory;
const DATA = '<urn:s> <urn:p> "default" .\n<urn:s> <urn:p> "of g" <urn:g> .\n<urn:s> <urn:p> "of h" <urn:h> .\n';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: minisearchIndex() });
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: DATA });
});
afterEach(() => engine.close());

const text = async (graph: GraphName, contentType?: string) =>
  new TextDecoder().decode(await engine.export({ source: 'w', graph, contentType }));

describe('export of one graph', () => {
  it.each(RDF_FORMATS.filter(({ write }) => write).map(({ mediaType }) => mediaType))(
    'as %s holds its triples, and no name of a graph',
    async (contentType) => {
      for (const [graph, own] of [
        ['urn:g', 'of g'],
        [namedNode('urn:h'), 'of h'],
        [defaultGraph(), 'default'],
      ] as const) {
        const document = await text(graph, contentType);
        await engine.createWorld({ slug: 'copy' });
        await engine.import({ source: 'copy', data: document, contentType });
        expect(await dataOf(engine, 'copy')).toBe(`<urn:s> <urn:p> "${own}" .\n`);
        await engine.deleteWorld({ source: 'copy' });
        expect(document).not.toMatch(/urn:[gh]\b/);
      }
    },
  );

  it('of an empty one is empty', async () => {
    await engine.update({ query: 'CREATE GRAPH <urn:empty>', sources: ['w'] });
    expect(await text('urn:empty')).toBe('');
  });

  it('of a blank node', async () => {
    await engine.import({ source: 'w', data: '<urn:s> <urn:p> "of a blank one" _:b .' });
    for await (const { graph } of engine.quads({ source: 'w' }))
      if (graph.termType === 'BlankNode') expect(await text(graph)).toContain('of a blank one');
  });

  it.each([['urn:none'], [namedNode('urn:p')], [blankNode('b')]] as [GraphName][])(
    'of %o, which does not exist, is NOT_FOUND',
    async (graph) => {
      const error = { code: 'NOT_FOUND', message: expect.stringContaining('default/w') };
      await expect(engine.export({ source: 'w', graph })).rejects.toMatchObject(error);
      await expect(engine.deleteGraph({ source: 'w', graph })).rejects.toMatchObject(error);
      expect(await engine.hasGraph({ source: 'w', graph })).toBe(false);
    },
  );

  it('does not see the graph of the same name of another world', async () => {
    await engine.createWorld({ slug: 'v' });
    await engine.import({
      source: 'v',
      data: '<urn:s> <urn:p> "of v" <urn:g> .\n<urn:s> <urn:p> "x" <urn:only-v> .\n',
    });
    expect(await text('urn:g')).toBe('<urn:s> <urn:p> "of g" .\n');
    await expect(engine.export({ source: 'w', graph: 'urn:only-v' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:only-v' })).toBe(false);
  });
});

describe('hasGraph', () => {
  it('knows empty graphs, and the default graph always', async () => {
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:g' })).toBe(true);
    await engine.update({ query: 'CLEAR GRAPH <urn:g> ; DROP GRAPH <urn:h>', sources: ['w'] });
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:g' })).toBe(true);
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:h' })).toBe(false);
    await engine.createWorld({ slug: 'new' });
    expect(await engine.hasGraph({ source: 'new', graph: defaultGraph() })).toBe(true);
    await expect(engine.hasGraph({ source: 'none', graph: 'urn:g' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('deleteGraph', () => {
  it('takes the graph and its quads, in one commit', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    expect(await engine.deleteGraph({ source: 'w', graph: 'urn:g' })).toEqual({ deleted: 1, revision: revision + 1 });
    expect(await linesOf(engine, 'w')).toEqual(['<urn:s> <urn:p> "default" .', '<urn:s> <urn:p> "of h" <urn:h> .']);
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:g' })).toBe(false);
  });

  it('takes an empty graph too', async () => {
    const { revision } = await engine.import({ source: 'w', graph: 'urn:empty', data: '' });
    expect(await engine.deleteGraph({ source: 'w', graph: 'urn:empty' })).toEqual({
      deleted: 0,
      revision: revision + 1,
    });
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:empty' })).toBe(false);
  });

  it('of the default graph deletes its quads; without quads it creates no commit', async () => {
    expect(await engine.deleteGraph({ source: 'w', graph: defaultGraph() })).toMatchObject({ deleted: 1 });
    const before = await stateOf(engine, 'w');
    expect(before.data).not.toContain('default');
    expect(await engine.deleteGraph({ source: 'w', graph: defaultGraph() })).toEqual({
      deleted: 0,
      revision: before.record!.revision,
    });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('expects a revision, and honours a signal', async () => {
    const before = await stateOf(engine, 'w');
    const request = { source: 'w', graph: 'urn:g' };
    await expect(engine.deleteGraph({ ...request, ifRevision: 0 })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(engine.deleteGraph({ ...request, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });
});

it('a search sees the insertions and deletions of a replacement', async () => {
  const found = async (query: string) => (await engine.search({ query, sources: ['w'] })).map(({ object }) => object);
  expect(await found('of')).toEqual(expect.arrayContaining(['of g', 'of h']));
  const data = '<urn:s> <urn:p> "of g, replaced" .\n';
  await engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data });
  expect((await found('of')).sort()).toEqual(['of g, replaced', 'of h']);
  await engine.import({ source: 'w', mode: 'replace', data: '<urn:s> <urn:p> "alone" .\n' });
  expect(await found('of default alone')).toEqual(['alone']);
  await engine.deleteGraph({ source: 'w', graph: defaultGraph() });
  expect(await found('alone')).toEqual([]);
});
