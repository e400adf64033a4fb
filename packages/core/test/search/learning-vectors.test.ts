import { describe, expect, it } from 'vitest';
import type { SearchExplanation } from '../../src/search/search-query.ts';
import { LearningEmbedder } from './learning-embedder.ts';
import { type Row, SearchFixture } from './search-fixture.ts';

/** Texts of ten characters each. */
const rows = (from: number, to: number): Row[] =>
  Array.from({ length: to - from }, (_, at): Row => [1, `s${from + at}`, 'p', `lamp ${10_000 + from + at}`]);

function fixtureOf(minTexts: number) {
  const embedder = new LearningEmbedder(minTexts);
  const fixture = new SearchFixture({ embedder });
  const status = async () => {
    const explanations: SearchExplanation[] = [];
    const hits = await fixture.find('lamp 10003', { explain: (explanation) => explanations.push(explanation) });
    return { ...explanations[0].vectors!, vecRank: hits[0]?.vecRank };
  };
  return { embedder, fixture, status };
}

describe('an embedder that learns', () => {
  it('learns from the texts once there are enough, and then embeds them', async () => {
    const { embedder, fixture, status } = fixtureOf(100);
    await fixture.apply(rows(0, 99));
    await fixture.search.flush();
    expect(embedder.lessons).toEqual([]);
    expect(await status()).toEqual({ model: null, pending: 0, failure: null, vecRank: null });
    await fixture.apply(rows(99, 100));
    expect(fixture.search.pendingVectors).toBe(100);
    expect(await status()).toMatchObject({ model: null, vecRank: null });
    await fixture.search.flush();
    expect(embedder.lessons).toEqual([rows(0, 100).map(([, , , text]) => text)]);
    expect(await status()).toEqual({ model: 'learner-1', pending: 0, failure: null, vecRank: 1 });
  });

  it('embeds later texts with the same model until the amount of text has doubled', async () => {
    const { embedder, fixture, status } = fixtureOf(50);
    await fixture.apply(rows(0, 100));
    await fixture.search.flush();
    await fixture.apply(rows(100, 199));
    await fixture.search.flush();
    expect(embedder.models).toHaveLength(1);
    expect(embedder.models[0].documents).toHaveLength(199);
    expect((await status()).model).toBe('learner-1');
    await fixture.apply(rows(199, 201));
    // The old model has seen less than half by now: it is left out until the new one is there.
    expect(await status()).toMatchObject({ model: null, vecRank: null });
    await fixture.search.flush();
    expect(embedder.lessons.map(({ length }) => length)).toEqual([100, 201]);
    expect(embedder.models[1].documents).toHaveLength(201);
    expect(await status()).toEqual({ model: 'learner-2', pending: 0, failure: null, vecRank: 1 });
  });

  it('searches the old vectors while the new ones are made', async () => {
    const { embedder, fixture, status } = fixtureOf(10);
    await fixture.apply(rows(0, 100));
    await fixture.search.flush();
    let seen: unknown;
    embedder.before = async () => {
      // Half of it again is gone by now, which is what the old model knows.
      seen = await status();
    };
    await fixture.apply([], rows(10, 61));
    await fixture.search.flush();
    expect(seen).toMatchObject({ model: 'learner-1', vecRank: 1 });
    expect(embedder.lessons[1]).toHaveLength(49);
    expect(await status()).toMatchObject({ model: 'learner-2', vecRank: 1 });
  });

  it('counts text, not texts', async () => {
    const { embedder, fixture } = fixtureOf(10);
    await fixture.apply(rows(0, 20));
    await fixture.search.flush();
    await fixture.apply([[1, 'long', 'p', 'lantern '.repeat(25)]]);
    await fixture.search.flush();
    expect(embedder.lessons.map(({ length }) => length)).toEqual([20, 21]);
  });

  it('discards its model and trains again when most texts were removed', async () => {
    const { embedder, fixture, status } = fixtureOf(100);
    await fixture.apply(rows(0, 120));
    await fixture.search.flush();
    await fixture.apply([], rows(40, 120));
    expect(await status()).toMatchObject({ model: null, pending: 0, vecRank: null });
    await fixture.apply(rows(40, 130));
    await fixture.search.flush();
    expect(embedder.lessons.map(({ length }) => length)).toEqual([120, 130]);
    expect((await status()).model).toBe('learner-2');
  });

  it('learns the same after any history', async () => {
    const { embedder, fixture } = fixtureOf(100);
    // The same ids, in another order of coming.
    fixture.columns(rows(0, 200));
    await fixture.apply(rows(150, 200));
    await fixture.apply(rows(0, 30), rows(160, 170));
    await fixture.apply(rows(10, 170));
    await fixture.search.flush();
    expect(embedder.lessons.at(-1)).toEqual(rows(0, 200).map(([, , , text]) => text));
  });

  it('is right about texts that come and go while it learns', async () => {
    const { embedder, fixture, status } = fixtureOf(100);
    embedder.before = async () => {
      await fixture.apply(rows(100, 120), rows(0, 3));
      embedder.before = async () => undefined;
    };
    await fixture.apply(rows(0, 100));
    await fixture.search.flush();
    expect(embedder.models[0].documents.sort()).toEqual(rows(3, 120).map(([, , , text]) => text));
    expect(await status()).toMatchObject({ model: 'learner-1', vecRank: 1 });
    expect(await fixture.find('lamp 10001', { limit: 100 })).not.toContainEqual(
      expect.objectContaining({ row: rows(1, 2)[0] }),
    );
  });

  it('that fails to learn leaves searches by text, and is tried again', async () => {
    const { embedder, fixture, status } = fixtureOf(100);
    embedder.before = async () => {
      throw new Error('no memory');
    };
    await fixture.apply(rows(0, 100));
    await expect(fixture.search.flush()).rejects.toThrow(/"learner" failed to learn from 100 text\(s\): no memory/);
    expect(await status()).toMatchObject({
      model: null,
      pending: 100,
      failure: expect.stringContaining('no memory'),
      vecRank: null,
    });
    embedder.before = async () => undefined;
    await fixture.search.flush();
    expect(await status()).toMatchObject({ model: 'learner-1', failure: null, vecRank: 1 });
  });

  it('is aborted when the search is closed', async () => {
    const { embedder, fixture } = fixtureOf(10);
    const signals: (AbortSignal | undefined)[] = [];
    embedder.before = ({ signal }) => {
      signals.push(signal);
      return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    };
    await fixture.apply(rows(0, 10));
    const flush = fixture.search.flush();
    const outcome = expect(flush).rejects.toMatchObject({ code: 'ABORTED' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    fixture.search.close();
    await outcome;
    expect(signals[0]!.aborted).toBe(true);
  });
});
