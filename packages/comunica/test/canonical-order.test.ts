import { MemoryPool, WorldsEngine, writeQueryResult } from '@rdf-worlds/core';
import type { PreparedQuery } from '@rdf-worlds/core/plugin';
import { naiveDataset } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { mergeSorted } from '../src/canonical-quads.ts';
import { comunicaEngine } from '../src/index.ts';

/**
 * The caller writes each guess behind a word that nobody has used: from ids it would see which
 * guesses a hidden world had.
 */
const GUESSES = ['amber', 'basil', 'cedar', 'dahlia'];
const FRESH = ['zz1', 'aa2', 'mm3', 'bb4'];
const OWN = GUESSES.flatMap((guess, at) => [
  `<urn:s${at}> <urn:p> "${FRESH[at]}" .`,
  `<urn:one> <urn:p> "${FRESH[at]}" .`,
  `<urn:one> <urn:p> "${guess}" .`,
  `<urn:${FRESH[at]}> <urn:p> "x" <urn:g:${FRESH[at]}> .`,
  `<urn:${guess}> <urn:p> "x" <urn:g:${guess}> .`,
]).join('\n');

const QUERIES = [
  'SELECT * { ?s ?p ?o }',
  'SELECT ?o { <urn:one> <urn:p> ?o } LIMIT 1',
  'SELECT DISTINCT ?o { ?s <urn:p> ?o } OFFSET 1 LIMIT 3',
  'SELECT ?g { GRAPH ?g { ?s ?p ?o } } LIMIT 2',
  'SELECT (SAMPLE(?o) AS ?any) (GROUP_CONCAT(?o) AS ?all) { <urn:one> <urn:p> ?o }',
  'SELECT ?s ?o { ?s <urn:p> ?o OPTIONAL { ?t <urn:p> ?o } } LIMIT 4',
  'CONSTRUCT { ?s <urn:p> ?o } WHERE { ?s <urn:p> ?o } LIMIT 2',
  'DESCRIBE <urn:one>',
  'DESCRIBE ?s { ?s <urn:p> ?o }',
];

async function twin(hidden: readonly string[]): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ sparql: comunicaEngine(), textIndex: null });
  for (const slug of ['hidden', 'own']) await engine.createWorld({ slug });
  const words = hidden.map((word) => `<urn:h> <urn:p> "${word}" . <urn:${word}> <urn:p> "x" <urn:g:${word}> .`);
  await engine.import({ source: 'hidden', data: words.join('\n').replaceAll(' . ', ' .\n') });
  await engine.import({ source: 'own', data: OWN });
  return engine;
}

async function answers(engine: WorldsEngine, canonicalOrder: boolean): Promise<string[]> {
  const texts: string[] = [];
  for (const query of QUERIES) {
    const result = await engine.query({ query, sources: ['own'], canonicalOrder });
    if (result.type === 'update') throw new Error('no update');
    let text = '';
    const mediaType = result.type === 'quads' ? 'application/n-triples' : 'text/csv';
    for await (const chunk of writeQueryResult(result, mediaType)) text += new TextDecoder().decode(chunk);
    texts.push(text);
  }
  return texts;
}

describe('with canonicalOrder', () => {
  it('answers and their order do not reveal which words a hidden world contains', async () => {
    await using one = await twin(['dahlia', 'basil']);
    await using other = await twin(['cedar', 'amber', 'zz1']);
    expect(await answers(one, true)).toEqual(await answers(other, true));
    // Otherwise the queries would show nothing.
    const [first, second] = [await answers(one, false), await answers(other, false)];
    expect(first.filter((text, at) => text !== second[at]).length).toBeGreaterThan(4);
  });

  it('an update chooses the same rows', async () => {
    const chosen: string[] = [];
    for (const hidden of [['dahlia'], ['cedar', 'amber']]) {
      await using engine = await twin(hidden);
      const query = 'INSERT { <urn:chosen> <urn:p> ?o } WHERE { SELECT ?o { <urn:one> <urn:p> ?o } LIMIT 2 }';
      await engine.update({ query, sources: ['own'], canonicalOrder: true });
      const rows = await (await engine.select({ query: 'SELECT ?o { <urn:chosen> <urn:p> ?o } ORDER BY ?o' })).array();
      chosen.push(rows.map((row) => row.get('o')?.value).join());
    }
    expect(chosen[0]).toBe(chosen[1]);
  });

  it('sorts rows in pieces', () => {
    const items = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5000);
    const sorting = mergeSorted(items, (one, other) => one - other);
    let pauses = 0;
    let step = sorting.next();
    for (; !step.done; step = sorting.next()) pauses++;
    expect(step.value).toEqual(items.toSorted((one, other) => one - other));
    expect(pauses).toBeGreaterThan(50);
  });
});

describe('the memory of a request', () => {
  const source = naiveDataset([[]]);

  it.each(['SELECT * { ?s ?p ?o }', 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }', 'DESCRIBE <urn:s>'])(
    'is released after the result of %s is read or abandoned',
    async (text) => {
      const prepared = (await comunicaEngine().prepare(text, {})) as PreparedQuery;
      for (const reads of [true, false]) {
        let released = 0;
        const memory = { claimMemory() {}, lowerLimit() {}, release: () => void released++ };
        const result = await prepared.evaluate(source, { now: new Date(0), memory });
        if (result.type === 'boolean') throw new Error('no stream');
        const batches = result.batches[Symbol.asyncIterator]();
        if (reads) while (!(await batches.next()).done);
        else await batches.return?.();
        expect(released).toBeGreaterThan(0);
      }
    },
  );

  it('is returned to the pool', async () => {
    const memoryPool = new MemoryPool(1 << 30);
    await using engine = await WorldsEngine.open({ sparql: comunicaEngine(), memoryPool, textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await (await engine.select({ query: 'SELECT * { ?s ?p ?o }' })).array();
    expect(memoryPool.usedBytes).toBe(0);
  });
});
