import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
import { linesOf } from './world-state.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

const termsNow = async () => (await engine.stats()).terms;
const update = (query: string) => engine.update({ query, sources: ['w'] });

describe('INSERT DATA', () => {
  it('brings the terms that it stores, each once', async () => {
    const before = await termsNow();
    await update('INSERT DATA { <urn:s> <urn:p> "text", "other" . GRAPH <urn:g> { <urn:s> <urn:p> "text"@en } }');
    // s, p, g, two texts, the tag and the text with it.
    expect((await termsNow()) - before).toBe(7);
    await update('INSERT DATA { <urn:s> <urn:p> "text", "other" } ; INSERT DATA { <urn:s> <urn:p> "other" }');
    expect((await termsNow()) - before).toBe(7);
    expect(await linesOf(engine, 'w')).toHaveLength(3);
  });

  it('copies no terms of a world of another namespace named in the same request', async () => {
    await engine.createWorld({ namespace: 'far', slug: 'away' });
    await engine.import({ source: 'far/away', data: '<urn:far> <urn:p> "far away" .', contentType: 'text/turtle' });
    const before = await termsNow();
    const sources = [{ name: 'w', write: true }, 'far/away'];
    await engine.update({ query: 'INSERT DATA { <urn:s> <urn:p> "text" }', sources });
    expect((await termsNow()) - before).toBe(3);
  });

  it('means new blank nodes in every request, and one in all operations of a request that are for the same label', async () => {
    await update('INSERT DATA { _:a <urn:p> 1 . _:a <urn:q> 2 }');
    await update('INSERT DATA { _:a <urn:p> 1 . _:a <urn:q> 2 }');
    const counts = await engine.sparql({
      query: 'SELECT (COUNT(DISTINCT ?s) AS ?n) (COUNT(*) AS ?all) { ?s ?p ?o }',
      sources: ['w'],
    });
    expect(JSON.stringify(counts)).toMatch(/"2".*"4"/);
  });

  it('that fails changes no world, and its terms can be reused by the next one', async () => {
    const failing = update('INSERT DATA { <urn:s> <urn:p> "text" } ; INSERT DATA { <urn:s> <urn:p> "x\\uD800" }');
    await expect(failing).rejects.toMatchObject({ code: expect.stringMatching(/INVALID/) });
    expect(await linesOf(engine, 'w')).toEqual([]);
    await update('INSERT DATA { <urn:s> <urn:p> "text" }');
    expect(await linesOf(engine, 'w')).toEqual(['<urn:s> <urn:p> "text" .']);
    const controller = new AbortController();
    controller.abort();
    await expect(
      engine.update({ query: 'INSERT DATA { <urn:x> <urn:p> 1 }', sources: ['w'], signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await linesOf(engine, 'w')).toHaveLength(1);
  });
});
