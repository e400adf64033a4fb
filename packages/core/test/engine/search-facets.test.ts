import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open();
  for (const slug of ['a', 'b']) {
    await engine.createWorld({ slug });
    await engine.import({
      source: slug,
      data: `
        <urn:rose> ${TYPE} <urn:Plant> <urn:g> . <urn:rose> ${TYPE} <urn:Gift> .
        <urn:rose> <urn:name> "a red rose" . <urn:rose> <urn:about> "roses are red" .
        <urn:car-${slug}> ${TYPE} <urn:Car> . <urn:car-${slug}> <urn:about> "a red car" .
        <urn:${slug}> <urn:about> "nothing of that sort" .`.replaceAll(' . <', ' .\n<'),
    });
  }
  await engine.createWorld({ slug: 'a', namespace: 'other' });
  await engine.import({ source: 'other/a', data: '<urn:red> <urn:name> "red" .' });
});
afterAll(() => engine.close());

describe('engine.searchFacets', () => {
  it('counts the hits by type, predicate and world', async () => {
    expect(await engine.searchFacets({ query: 'red', limit: 1 })).toEqual({
      hits: 6,
      types: [
        { value: 'urn:Gift', count: 4 },
        { value: 'urn:Plant', count: 4 },
        { value: 'urn:Car', count: 2 },
      ],
      predicates: [
        { value: 'urn:about', count: 4 },
        { value: 'urn:name', count: 2 },
      ],
      worlds: [
        { value: 'default/a', count: 3 },
        { value: 'default/b', count: 3 },
      ],
    });
  });

  it('of some worlds, of several namespaces, and with filters', async () => {
    const { hits, worlds } = await engine.searchFacets({ query: 'red', sources: ['b', 'other/a'] });
    expect([hits, worlds]).toEqual([
      4,
      [
        { value: 'default/b', count: 3 },
        { value: 'other/a', count: 1 },
      ],
    ]);
    expect(await engine.searchFacets({ query: 'red', sources: ['a'], types: ['urn:Car'] })).toMatchObject({
      hits: 1,
      types: [{ value: 'urn:Car', count: 1 }],
    });
    expect(await engine.searchFacets({ query: 'absent' })).toEqual({ hits: 0, types: [], predicates: [], worlds: [] });
  });

  it('counts at most the best 1000 hits, and at most 100 values', async () => {
    await engine.createWorld({ slug: 'many' });
    const data = Array.from({ length: 1200 }, (_, n) => `<urn:m${n}> <urn:p${n % 150}> "plenty ${n}" .`).join('\n');
    await engine.import({ source: 'many', data });
    const { hits, predicates } = await engine.searchFacets({ query: 'plenty', sources: ['many'] });
    expect(hits).toBe(1000);
    expect(predicates).toHaveLength(100);
    await engine.deleteWorld({ source: 'many' });
  });
});
