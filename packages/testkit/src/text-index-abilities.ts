import assert from 'node:assert/strict';
import type { DocSet, TextIndex, TextIndexFactory } from '@rdf-worlds/core/plugin';
import type { ContractCase } from './contract-case.ts';

const TEXTS = ['red lantern', 'blue lantern', 'red kettle, red river', 'the stone of the river', 'lantern lantern'];

async function indexOf(make: TextIndexFactory, docs: readonly number[]): Promise<TextIndex> {
  const index = await make();
  for (const doc of docs) index.add(doc, TEXTS[doc], '', doc % 2);
  return index;
}

const setOf = (docs: readonly number[]): DocSet => ({ kind: 'sorted', ids: Uint32Array.from(docs), size: docs.length });

/** The contract of the optional abilities of a {@link TextIndex}, for indexes that have them. */
export function textIndexAbilities(make: TextIndexFactory): readonly ContractCase[] {
  const all = TEXTS.map((_, doc) => doc);
  return [
    {
      name: 'documents in groups are added, found and removed like others; a scope limits statistics, not hits',
      async run() {
        const index = await indexOf(make, all);
        const even = [0, 2, 4];
        const scope = { groups: [0], documents: setOf(even) };
        const hits = await index.search('lantern red', { limit: 10, filter: scope.documents, scope });
        assert.deepEqual(hits.map(({ doc }) => doc).sort(), even);
        assert.ok(hits.every(({ score }) => score > 0));
        for (const doc of all) index.remove(doc, TEXTS[doc], '', doc % 2);
        assert.equal(index.size, 0);
      },
    },
    {
      name: 'applies `accepts`, if supported, before the limit and within filter and scope, without changing scores',
      async run() {
        const index = await indexOf(make, all);
        if (!index.supportsAccepts) return;
        const query = 'red lantern river';
        const [odd, even] = [1, 0].map((rest) => ({
          groups: [rest],
          documents: setOf(all.filter((doc) => doc % 2 === rest)),
        }));
        for (const scope of [undefined, odd, even]) {
          const filter = scope?.documents;
          const hits = await index.search(query, { limit: 10, filter, scope });
          for (const wanted of [[], [0], [1], [3, 4], [2, 3], all]) {
            const accepts = (doc: number) => wanted.includes(doc);
            const expected = hits.filter(({ doc }) => accepts(doc));
            for (const limit of [1, 2, 10])
              assert.deepEqual(
                await index.search(query, { limit, filter, scope, accepts }),
                expected.slice(0, limit),
                `${wanted} of ${filter ? scope.groups : 'all'}, limit ${limit}`,
              );
          }
        }
      },
    },
    {
      name: 'an `accepts` that throws fails that search only',
      async run() {
        const index = await indexOf(make, all);
        if (!index.supportsAccepts) return;
        const before = await index.search('lantern', { limit: 10 });
        const failure = new Error('The test failed.');
        let tests = 0;
        const accepts = () => {
          if (++tests === 2) throw failure;
          return true;
        };
        await assert.rejects(index.search('lantern', { limit: 10, accepts }), failure);
        assert.deepEqual(await index.search('lantern', { limit: 10 }), before);
      },
    },
    {
      name: 'feedback, if supported, adds hits and loses none',
      async run() {
        const index = await indexOf(make, all);
        const documents = [{ text: TEXTS[0], language: '', weight: 1 }];
        const feedback = { documents, terms: 5, weight: 0.5 };
        const plain = await index.search('blue', { limit: 10 });
        const more = new Set((await index.search('blue', { limit: 10, feedback })).map(({ doc }) => doc));
        assert.ok(plain.every(({ doc }) => more.has(doc)));
        assert.deepEqual(await index.search('', { limit: 10, feedback }), []);
      },
    },
    {
      name: 'explains many documents the same way as one, if it can',
      async run() {
        const index = await indexOf(make, all);
        if (!index.explainer || !index.explain) return;
        const explained = await index.explainer('red lantern');
        for (const doc of [...all, 99]) assert.deepEqual(explained(doc), await index.explain('red lantern', doc));
      },
    },
    {
      name: 'returns the documents of each word with their parts of the scores, if it can',
      async run() {
        const index = await indexOf(make, all);
        if (!index.wordHits) return;
        const totals = new Map<number, number>();
        for (const { docs, scores } of await index.wordHits('red lantern', {}))
          for (let at = 0; at < docs.length; at++) totals.set(docs[at], (totals.get(docs[at]) ?? 0) + scores[at]);
        const hits = await index.search('red lantern', { limit: 100 });
        assert.deepEqual([...totals.keys()].sort(), hits.map(({ doc }) => doc).sort());
        for (const { doc, score } of hits) assert.ok(Math.abs(totals.get(doc)! - score) < 1e-9);
        const [{ docs } = { docs: [] }] = await index.wordHits('red', { filter: setOf([2]) });
        assert.deepEqual(Array.from(docs), [2]);
      },
    },
    {
      name: 'highlights words of the text in order, if it can',
      async run() {
        const index = await indexOf(make, all);
        if (!index.highlight || !index.explain) return;
        const terms = new Set((await index.explain('red river', 2)).map(({ term }) => term));
        const ranges = index.highlight(TEXTS[2], '', terms);
        assert.deepEqual(
          ranges.map(({ start, end }) => TEXTS[2].slice(start, end)),
          ['red', 'red', 'river'],
        );
        assert.deepEqual(index.highlight(TEXTS[2], '', new Set()), []);
      },
    },
    {
      name: 'a query that it reports as having no words finds nothing',
      async run() {
        const index = await indexOf(make, all);
        if (!index.hasWords) return;
        assert.equal(index.hasWords('lantern'), true);
        assert.equal(index.hasWords('unheardof'), true);
        assert.equal(index.hasWords(' ... '), false);
        for (const query of ['the', 'of the', '']) {
          if (!index.hasWords(query)) assert.deepEqual(await index.search(query, { limit: 10 }), []);
        }
      },
    },
  ];
}
