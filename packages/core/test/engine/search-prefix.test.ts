import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { describe, expect, it } from 'vitest';
import { type SearchRequest, WorldsEngine, type WorldsEngineOptions } from '../../src/index.ts';

const DATA = `
@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:a ex:says "a lantern" . ex:b ex:says "lanterns and their lanternfish" . ex:c ex:says "lant" .
ex:harbourMaster ex:officeHours "ten to four" . ex:x rdfs:label "Harbinger" ; ex:says "17" .
`;

async function open(options: WorldsEngineOptions = {}) {
  const engine = await WorldsEngine.open(options);
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: DATA, contentType: 'text/turtle' });
  return engine;
}

const objects = async (engine: WorldsEngine, request: SearchRequest) =>
  (await engine.search(request)).map(({ object }) => object);

describe('an unfinished last word', () => {
  it('finds words that begin with it, below the word itself, when that is asked for', async () => {
    await using engine = await open();
    expect(await objects(engine, { query: 'lant' })).toEqual(['lant']);
    const found = await objects(engine, { query: 'lant', prefix: true });
    expect(found[0]).toBe('lant');
    expect(found.slice(1).sort()).toEqual(['a lantern', 'lanterns and their lanternfish']);
    expect(await objects(engine, { query: 'lant', prefix: true, sources: ['w'], limit: 1 })).toEqual(['lant']);
    // Only the last word is one that somebody may still be typing.
    expect(await objects(engine, { query: 'lant ten', prefix: true })).not.toContain('a lantern');
  });

  it('is in the explanation and the snippet', async () => {
    await using engine = await open();
    const [hit] = await engine.search({ query: 'lanternf', prefix: true, explain: true });
    expect(hit.explanation!.terms.map(({ word, term, counted }) => [word, term, counted])).toEqual([
      ['lanternf', 'lanternfish', true],
    ]);
    expect(hit.explanation!.snippet.marked).toBe('lanterns and their **lanternfish**');
  });

  it('finds names around texts, too', async () => {
    await using engine = await open({ fields: true });
    expect(await objects(engine, { query: 'harb', prefix: true })).toEqual(
      expect.arrayContaining(['ten to four', 'Harbinger', '17']),
    );
    expect(await objects(engine, { query: 'offi', prefix: true })).toEqual(['ten to four']);
    expect(await objects(engine, { query: 'offi' })).toEqual([]);
  });

  it('is asked of any text index', async () => {
    await using engine = await open({ textIndex: minisearchIndex() });
    expect(await objects(engine, { query: 'lanternf', prefix: true })).toEqual(['lanterns and their lanternfish']);
    expect(await objects(engine, { query: 'lanternf', prefix: false })).toEqual([]);
  });

  it('is true or false', async () => {
    await using engine = await open();
    const wrong = engine.search({ query: 'lant', prefix: 'yes' as unknown as boolean });
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: /search: prefix/ });
  });
});
