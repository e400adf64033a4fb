import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../src/embedders.ts';
import { type TripleSearchResult, WorldsEngine } from '../../src/index.ts';

/** Vectors of three numbers: how much a text is about ships, about pots, about neither. */
const topics: Embedder = {
  id: 'topics-1',
  dimensions: 3,
  async embed(texts) {
    return texts.map((text) =>
      Float32Array.of(/ship|anchor|boat/i.test(text) ? 1 : 0, /pot|kettle/i.test(text) ? 1 : 0, 0.1),
    );
  },
};

const LONG = `${'filler words that go on. '.repeat(30)}An anchor 🚢 holds the ship; anchors hold. ${'more filler. '.repeat(40)}`;
const DATA = [
  '<urn:1> <urn:p> "The anchor of the ship" .',
  '<urn:2> <urn:p> "A boat" .',
  '<urn:3> <urn:p> "A copper kettle" .',
  `<urn:4> <urn:p> ${JSON.stringify(LONG)} .`,
  '<urn:5> <urn:p> "Der Anker des Schiffes"@de .',
  '<urn:6> <urn:p> "船の錨は重い"@ja .',
  '<urn:7> <urn:p> "Éducation: les écoles"@fr .',
].join('\n');

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ embedder: topics });
  await engine.createWorld({ slug: 'port' });
  await engine.import({ source: 'port', data: DATA });
  await engine.flush();
});
afterAll(() => engine.close());

const subjects = (hits: readonly TripleSearchResult[]) => hits.map(({ subject }) => subject.slice(4)).join('');

describe('why a triple is a hit', () => {
  it('is returned only on request', async () => {
    expect((await engine.search({ query: 'anchor' }))[0]).not.toHaveProperty('explanation');
  });

  it('are its words, which add up to its text score, and its similarity', async () => {
    const hits = await engine.search({ query: 'the anchors of a ship', explain: true });
    const best = hits.find(({ subject }) => subject === 'urn:1')!.explanation!;
    expect(
      best.terms.map(({ field, word, term, frequency, counted }) => [field, word, term, frequency, counted]),
    ).toEqual([
      ['text', 'anchors', 'anchor', 1, true],
      ['text', 'ship', 'ship', 1, true],
    ]);
    expect(best.terms.reduce((sum, { score }) => sum + score, 0)).toBe(best.textScore);
    expect(best.similarity).toBeCloseTo(1, 5);
    const byMeaning = hits.find(({ subject }) => subject === 'urn:2')!;
    expect(byMeaning.ftsRank).toBeNull();
    expect(byMeaning.explanation).toMatchObject({ terms: [], textScore: null });
    expect(byMeaning.explanation!.snippet).toEqual({ text: 'A boat', start: 0, matches: [], marked: 'A boat' });
  });

  it('has a snippet with the words marked, by places in UTF-16 units', async () => {
    const snippetOf = async (query: string, subject: string) =>
      (await engine.search({ query, explain: true })).find((hit) => hit.subject === subject)!.explanation!.snippet;
    expect((await snippetOf('anchor', 'urn:1')).marked).toBe('The **anchor** of the ship');
    const long = await snippetOf('anchor ship', 'urn:4');
    expect(long.text).toBe(LONG.slice(long.start, long.start + long.text.length));
    expect(long.text.length).toBeLessThanOrEqual(260);
    expect(long.matches.map(({ start, end }) => long.text.slice(start, end))).toEqual(['anchor', 'ship', 'anchors']);
    expect(long.marked).toContain('An **anchor** 🚢 holds the **ship**; **anchors** hold.');
    expect((await snippetOf('schiff', 'urn:5')).marked).toBe('Der Anker des **Schiffes**');
    expect((await snippetOf('錨', 'urn:6')).marked).toContain('**錨**');
    expect((await snippetOf('ecole', 'urn:7')).marked).toBe('Éducation: les **écoles**');
  });
});

describe('the two rankings', () => {
  it('are joined by ranks or by scores, as the engine or the search says', async () => {
    const query = 'anchor';
    const rrf = await engine.search({ query, fusion: 'rrf' });
    expect(
      rrf.map(
        ({ ftsRank, vecRank, score }) =>
          score - (ftsRank ? 1 / (60 + ftsRank) : 0) - (vecRank ? 1 / (60 + vecRank) : 0),
      ),
    ).toEqual(rrf.map(() => expect.closeTo(0, 12)));
    const convex = await engine.search({ query, fusion: 'convex' });
    expect(convex[0]!.score).toBeLessThanOrEqual(1);
    expect(convex[0]!.score).toBeGreaterThan(0.9);
    expect(subjects(await engine.search({ query, fusion: { textWeight: 0 } }))[0]).toMatch(/[124]/);
    const textOnly = await engine.search({ query, fusion: { method: 'convex', vectorWeight: 0 } });
    expect(textOnly.map(({ ftsRank }) => ftsRank)).toEqual([1, 2]);
    const other = await WorldsEngine.open({ fusion: { method: 'convex', textWeight: 3 } });
    await other.createWorld({ slug: 'port' });
    await other.import({ source: 'port', data: DATA });
    expect((await other.search({ query }))[0]!.score).toBe(1);
    expect((await other.search({ query, fusion: 'rrf' }))[0]!.score).toBe(3 / 61);
    await other.close();
  });

  it('give vectors less weight the more of the query a text has', async () => {
    const scoresOf = async (query: string, fusion: 'adaptive' | 'convex') => {
      const hits = await engine.search({ query, fusion });
      return { hits, byMeaning: hits.find(({ ftsRank }) => ftsRank === null)!.score };
    };
    const [adaptive, convex] = [await scoresOf('anchor', 'adaptive'), await scoresOf('anchor', 'convex')];
    expect(adaptive.byMeaning).toBeLessThan(convex.byMeaning);
    expect(adaptive.byMeaning).toBeGreaterThan(0);
    // Half of the query is in no text.
    const partly = await scoresOf('anchor xylophone', 'adaptive');
    expect(partly.byMeaning).toBeGreaterThan(adaptive.byMeaning);
  });

  it('give vectors less weight the less of the query they represent', async () => {
    const byMeaning = async (coverage: number) => {
      const embedder = { ...topics, coverage: async () => coverage };
      await using other = await WorldsEngine.open({ embedder });
      await other.createWorld({ slug: 'port' });
      await other.import({ source: 'port', data: DATA });
      await other.flush();
      const hits = await other.search({ query: 'anchor xylophone' });
      return hits
        .map(({ vecRank, ftsRank, score }) => (ftsRank === null && vecRank ? score : 0))
        .find((score) => score);
    };
    const [whole, half, none] = await Promise.all([1, 0.5, 0].map(byMeaning));
    expect(half).toBeLessThan(whole!);
    expect(none ?? 0).toBeLessThan(half!);
    for (const wrong of [-1, 1.5, Number.NaN, 'half' as never])
      await expect(byMeaning(wrong)).rejects.toThrow('returned the coverage');
  });

  it('bring no hits of their own where they count for nothing', async () => {
    const query = 'anchor';
    const both = await engine.search({ query });
    expect(both.some(({ ftsRank }) => ftsRank === null)).toBe(true);
    for (const method of ['adaptive', 'rrf', 'convex'] as const) {
      const byText = await engine.search({ query, fusion: { method, vectorWeight: 0 } });
      expect(byText.map(({ ftsRank }) => ftsRank)).toEqual([1, 2]);
      // Its ranks are still told.
      expect(byText.map(({ vecRank }) => vecRank)).not.toContain(null);
      const byVector = await engine.search({ query, fusion: { method, textWeight: 0 } });
      expect(byVector.length).toBeGreaterThan(0);
      expect(byVector.map(({ vecRank }) => vecRank)).not.toContain(null);
    }
    expect(await engine.search({ query: 'xylophone', fusion: { vectorWeight: 0 } })).toEqual([]);
    // Without vectors the texts are all there is.
    await using other = await WorldsEngine.open({ fusion: { textWeight: 0 } });
    await other.createWorld({ slug: 'port' });
    await other.import({ source: 'port', data: DATA });
    expect((await other.search({ query })).map(({ ftsRank }) => ftsRank)).toEqual([1, 2]);
  });

  it.each([
    [{ fusion: { k: 0 } }, 'fusion.k'],
    [{ fusion: { textWeight: 0, vectorWeight: 0 } }, 'fusion.textWeight and fusion.vectorWeight'],
    [{ fusion: { textWeight: -1 } }, 'fusion.textWeight'],
    [{ fusion: 'borda' }, 'fusion'],
    [{ feedback: { documents: 0 } }, 'feedback.documents'],
    [{ feedback: { terms: 1000 } }, 'feedback.terms'],
    [{ feedback: { weight: 2 } }, 'feedback.weight'],
  ])('refuse %j', async (options, message) => {
    await expect(engine.search({ query: 'anchor', ...(options as object) })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
  });
});

describe('feedback', () => {
  it('uses the given number of hits for feedback, however few hits are returned', async () => {
    await using one = await WorldsEngine.open();
    await one.createWorld({ slug: 'port' });
    // The best hit has nothing but the word; what the others have beside it tells what else to look
    // for.
    const texts = ['anchor', 'anchor windlass', 'anchor windlass chain', 'windlass grease', 'copper kettle'];
    await one.import({ source: 'port', data: texts.map((text, i) => `<urn:${i}> <urn:p> "${text}" .`).join('\n') });
    const request = { query: 'anchor', feedback: true, explain: true };
    const all = await one.search(request);
    expect(all).toHaveLength(4);
    for (const limit of [1, 2, 3]) expect(await one.search({ ...request, limit })).toEqual(all.slice(0, limit));
    const told = await one.search({ ...request, feedback: { documents: 1 } });
    expect(told.map(({ object }) => object)).not.toContain('windlass grease');
  });

  it('finds texts on the topic of the best hits, by words that are not in the query', async () => {
    const one = await WorldsEngine.open();
    await one.createWorld({ slug: 'port' });
    const texts = ['anchor chain windlass', 'anchor windlass', 'windlass grease', 'copper kettle'];
    await one.import({ source: 'port', data: texts.map((text, i) => `<urn:${i}> <urn:p> "${text}" .`).join('\n') });
    expect(subjects(await one.search({ query: 'anchor' }))).toBe('10');
    const hits = await one.search({ query: 'anchor', feedback: true, explain: true });
    expect(subjects(hits)).toBe('102');
    expect(hits[2]!.explanation!.terms.map(({ term }) => term)).toEqual(['windlass']);
    const again = await one.search({ query: 'anchor', feedback: true, explain: true });
    expect(again).toEqual(hits);
    for (const { explanation } of hits) {
      const sum = explanation!.terms.reduce((all, { score }) => all + score, 0);
      expect(sum).toBe(explanation!.textScore);
    }
    expect(subjects(await one.search({ query: 'anchor', feedback: { weight: 0 } }))).toBe('10');
    expect(await one.search({ query: 'nothing', feedback: true })).toEqual([]);
    await one.close();
  });
});
