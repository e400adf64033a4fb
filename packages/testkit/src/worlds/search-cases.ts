import assert from 'node:assert/strict';
import { EX, fails, type WorldsCase } from './worlds-probe.ts';

const METALS = `
  ex:tungsten a ex:Metal ; ex:about "The filament of a light bulb is of tungsten."@en ; ex:note "light" .
  ex:copper a ex:Metal ; ex:about "Copper conducts; a light wire."@en .
  ex:lamp a ex:Thing ; ex:about "A lamp gives light." .`;

/** Cases for search. */
export const searchCases: readonly WorldsCase[] = [
  {
    name: 'returns ranked hits with their worlds',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('metals', METALS);
      await probe.world('other', 'ex:sun ex:about "Sunlight is light." .');
      const hits = await worlds.search({ query: 'light bulb', sources: ['metals'] });
      const [first] = hits;
      assert.deepEqual(
        [first.subject, first.predicate, first.object, first.ftsRank, first.vecRank],
        [`${EX}tungsten`, `${EX}about`, 'The filament of a light bulb is of tungsten.', 1, null],
      );
      assert.deepEqual(first.world, await worlds.getWorld({ source: 'metals' }));
      assert.deepEqual(
        hits.map(({ ftsRank }) => ftsRank),
        hits.map((_, i) => i + 1),
      );
      assert.ok(hits.every(({ score }, i) => i === 0 || score <= hits[i - 1].score));
      assert.ok(!('explanation' in first) || first.explanation === undefined);
      assert.equal((await worlds.search({ query: 'light' })).length, 5);
      assert.equal((await worlds.search({ query: 'light', sources: ['metals', 'other'] })).length, 5);
      assert.deepEqual(await worlds.search({ query: '?!', sources: ['metals'] }), []);
    },
  },
  {
    name: 'filters hits, limits them, completes words and explains',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('metals', METALS);
      const subjects = async (request: object) =>
        (await worlds.search({ query: 'light', sources: ['metals'], ...request })).map(({ subject }) => subject);
      assert.equal((await subjects({ limit: 1 })).length, 1);
      assert.deepEqual(await subjects({ subjects: [`${EX}lamp`] }), [`${EX}lamp`]);
      assert.deepEqual(await subjects({ predicates: [`${EX}note`] }), [`${EX}tungsten`]);
      assert.deepEqual(new Set(await subjects({ types: [`${EX}Metal`] })), new Set([`${EX}tungsten`, `${EX}copper`]));
      assert.ok((await subjects({ query: 'tungs', prefix: true })).includes(`${EX}tungsten`));
      assert.ok((await subjects({ fusion: 'convex', feedback: true, canonicalOrder: true })).length >= 4);
      const [hit] = await worlds.search({ query: 'filament', sources: ['metals'], explain: true });
      assert.equal(hit.explanation?.snippet.marked.includes('**filament**'), true);
      await fails('INVALID_ARGUMENT', () => subjects({ limit: 0 }), /limit/);
      await fails('INVALID_ARGUMENT', () => subjects({ feedback: { terms: 0 } }), /feedback/);
      await fails('NOT_FOUND', () => subjects({ sources: ['nowhere'] }), /nowhere/);
    },
  },
];
