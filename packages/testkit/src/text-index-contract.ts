import assert from 'node:assert/strict';
import { WorldsError } from '@rdf-worlds/core';
import type { DocSet, TextHit, TextIndex, TextIndexFactory } from '@rdf-worlds/core/plugin';
import type { ContractCase } from './contract-case.ts';
import { SeededRandom } from './seeded-random.ts';
import { textIndexAbilities } from './text-index-abilities.ts';

/** Returns the three representations of a set of documents, given in ascending order. */
function formsOf(docs: readonly number[]): DocSet[] {
  const words = new Uint32Array(((docs.at(-1) ?? 0) >>> 5) + 1);
  for (const doc of docs) words[doc >>> 5] |= 1 << (doc & 31);
  return [
    { kind: 'sorted', ids: Uint32Array.from(docs), size: docs.length },
    { kind: 'ranges', ranges: Uint32Array.from(docs.flatMap((doc) => [doc, doc + 1])), size: docs.length },
    { kind: 'bitset', words, size: docs.length },
  ];
}

const docsOf = (hits: readonly TextHit[]): number[] => hits.map(({ doc }) => doc);

async function search(
  index: TextIndex,
  query: string,
  limit = 100,
  filter?: DocSet,
  prefix?: boolean,
): Promise<TextHit[]> {
  const hits = await index.search(query, {
    limit,
    ...(filter && { filter }),
    ...(prefix !== undefined && { prefix }),
  });
  for (const [at, { doc, score }] of hits.entries()) {
    assert.ok(Number.isFinite(score) && score > 0, `the score of document ${doc} is ${score}`);
    if (at === 0) continue;
    const before = hits[at - 1];
    assert.ok(before.score >= score, `document ${before.doc} (${before.score}) comes before ${doc} (${score})`);
    if (before.score === score) assert.ok(before.doc < doc, `documents ${before.doc} and ${doc} tie, but descend`);
  }
  return hits;
}

/** Checks that a query finds exactly these documents, in any order. */
async function finds(index: TextIndex, query: string, expected: readonly number[]): Promise<void> {
  const found = docsOf(await search(index, query)).sort((a, b) => a - b);
  assert.deepEqual(found, expected, `the query ${JSON.stringify(query.slice(0, 40))}`);
}

function withDocuments(index: TextIndex, texts: readonly string[]): TextIndex {
  for (const [doc, text] of texts.entries()) index.add(doc, text, '');
  return index;
}

/** Words that careless implementations confuse with inherited object members. */
const HOSTILE_WORDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'length'];

/**
 * Text that a query language would interpret as operators; it must be treated as plain text around
 * the word `lantern`.
 */
const OPERATOR_QUERIES = [
  '"lantern"',
  '"lantern',
  '+lantern',
  '-lantern',
  'lantern*',
  '*lantern*',
  'lantern~2',
  'lantern^4',
  '(lantern',
  'lantern))',
  'text:lantern',
  '[lantern TO lantern}',
  '/lantern/',
  'lantern\\',
  "lantern' --",
  'lantern;',
  '{ lantern }',
  '%lantern%',
  '\u0000lantern\u0000',
  '\ud800 lantern \udc00',
];

/** Pairs of an indexed and a queried form that readers regard as the same word. */
const FOLDED: readonly (readonly [what: string, indexed: string, query: string])[] = [
  ['case', 'Lantern', 'LANTERN'],
  ['case beyond ASCII', 'ÉCOLE', 'école'],
  ['Greek case with a final sigma', 'ΟΔΟΣ', 'οδος'],
  ['an accent that the query lacks', 'café', 'cafe'],
  ['an accent that the text lacks', 'cafe', 'café'],
  ['composed and decomposed', 'caf\u00e9', 'cafe\u0301'],
  ['compatibility forms', 'ｌａｎｔｅｒｎ', 'lantern'],
  ['a decomposed Hangul word', '한국어'.normalize('NFD'), '한국어'],
];

/** Documents, and a query that must find all of them. */
const SCRIPTS: readonly (readonly [script: string, text: string, query: string])[] = [
  ['Cyrillic', 'красный фонарь', 'фонарь'],
  ['Arabic', 'مصباح أحمر', 'مصباح'],
  ['Devanagari', 'लाल लालटेन', 'लालटेन'],
  ['Hangul', '빨간 등불', '등불'],
  ['Han, without spaces', '这是一本关于数据库的书', '数据库'],
  ['Japanese, without spaces', '東京都に住んでいます', '東京'],
  ['Thai, without spaces', 'ภาษาไทยเป็นภาษา', 'ภาษา'],
];

const VOCABULARY = 'ash birch cedar dogwood elm fir ginkgo hazel ivy juniper larch maple oak pine rowan spruce'.split(
  ' ',
);

/** The contract of a {@link TextIndex}. */
export function textIndexContract(make: TextIndexFactory): readonly ContractCase[] {
  const cases: ContractCase[] = [...textIndexAbilities(make)];
  const it = (name: string, run: () => Promise<void>): void => {
    cases.push({ name, run });
  };

  it('an empty index has no documents and no hits', async () => {
    const index = await make();
    assert.equal(index.size, 0);
    assert.deepEqual(await search(index, 'lantern'), []);
  });

  it('indexes of one factory are independent', async () => {
    const one = await make();
    const other = await make();
    one.add(0, 'lantern', '');
    assert.equal(other.size, 0);
    await finds(other, 'lantern', []);
  });

  it('a document is found by each of its words, and by no others', async () => {
    const index = withDocuments(await make(), ['a red lantern', 'a blue kettle']);
    assert.equal(index.size, 2);
    await finds(index, 'red', [0]);
    await finds(index, 'lantern', [0]);
    await finds(index, 'kettle', [1]);
    await finds(index, 'teapot', []);
  });

  it('a query finds documents with any of its words, those with more of them first', async () => {
    const index = withDocuments(await make(), ['green kettle', 'red lantern', 'blue lantern', 'yellow stone']);
    assert.deepEqual(docsOf(await search(index, 'red lantern')), [1, 2]);
  });

  it('a rare word weighs more than a frequent one, and a short text more than a long one', async () => {
    const index = withDocuments(await make(), [
      'lantern stone',
      'lantern kettle',
      'lantern river',
      'lantern meadow',
      'amber kettle harbour meadow willow thistle',
      'amber',
    ]);
    assert.equal(docsOf(await search(index, 'amber'))[0], 5);
    assert.equal(docsOf(await search(index, 'stone lantern'))[0], 0);
    assert.equal(docsOf(await search(index, 'lantern amber'))[0], 5);
  });

  it('a removed document is no longer found, the others are', async () => {
    const index = withDocuments(await make(), ['red lantern', 'blue lantern']);
    index.remove(0, 'red lantern', '');
    assert.equal(index.size, 1);
    await finds(index, 'lantern', [1]);
    await finds(index, 'red', []);
    index.remove(1, 'blue lantern', '');
    assert.equal(index.size, 0);
    await finds(index, 'lantern', []);
  });

  it('a number can be reused for another text', async () => {
    const index = withDocuments(await make(), ['red lantern', 'blue lantern']);
    index.remove(0, 'red lantern', '');
    index.add(0, 'green kettle', '');
    assert.equal(index.size, 2);
    await finds(index, 'lantern', [1]);
    await finds(index, 'kettle', [0]);
    index.remove(0, 'green kettle', '');
    index.add(0, 'red lantern', '');
    await finds(index, 'lantern', [0, 1]);
    await finds(index, 'kettle', []);
  });

  it('numbers may be large and have gaps', async () => {
    const index = await make();
    index.add(4_000_000_000, 'lantern', '');
    index.add(7, 'lantern', '');
    await finds(index, 'lantern', [7, 4_000_000_000]);
  });

  it('a document without words is stored, is never a hit, and can be removed', async () => {
    const index = withDocuments(await make(), ['', ' \t\n', '?!', 'lantern']);
    await finds(index, 'lantern', [3]);
    for (const [doc, text] of ['', ' \t\n', '?!'].entries()) index.remove(doc, text, '');
    assert.equal(index.size, 1);
  });

  it('the limit keeps the best hits', async () => {
    const texts = Array.from({ length: 20 }, (_, doc) => (doc % 2 === 0 ? 'lantern' : `lantern kettle river ${doc}`));
    const index = withDocuments(await make(), texts);
    const all = await search(index, 'lantern', 100);
    assert.equal(all.length, 20);
    for (const limit of [1, 2, 9, 10, 11, 19, 20, 21])
      assert.deepEqual(await search(index, 'lantern', limit), all.slice(0, limit), `limit ${limit}`);
  });

  it('equal texts tie, and ties are in ascending order of documents, in whatever order they were added', async () => {
    const index = await make();
    for (const doc of [5, 1, 4, 0, 3, 2]) index.add(doc, 'lantern', '');
    index.remove(3, 'lantern', '');
    index.add(3, 'lantern', '');
    const hits = await search(index, 'lantern');
    assert.deepEqual(docsOf(hits), [0, 1, 2, 3, 4, 5]);
    assert.equal(new Set(hits.map(({ score }) => score)).size, 1);
    assert.deepEqual(docsOf(await search(index, 'lantern', 3)), [0, 1, 2]);
  });

  it('a filter of any form allows only its documents', async () => {
    const index = withDocuments(
      await make(),
      Array.from({ length: 100 }, (_, doc) => (doc % 3 === 0 ? 'kettle' : 'lantern')),
    );
    const allowed = [1, 2, 3, 31, 32, 33, 62, 63, 64, 65, 98];
    for (const filter of formsOf(allowed)) {
      const hits = await search(index, 'lantern', 100, filter);
      assert.deepEqual(docsOf(hits), [1, 2, 31, 32, 62, 64, 65, 98], filter.kind);
    }
  });

  it('a filter may contain documents that the index does not', async () => {
    const index = withDocuments(await make(), ['lantern', 'lantern']);
    for (const filter of formsOf([1, 40, 1000]))
      assert.deepEqual(docsOf(await search(index, 'lantern', 10, filter)), [1], filter.kind);
  });

  it('an empty filter gives no hits', async () => {
    const index = withDocuments(await make(), ['lantern']);
    const empty: DocSet[] = [
      { kind: 'sorted', ids: new Uint32Array(0), size: 0 },
      { kind: 'ranges', ranges: new Uint32Array(0), size: 0 },
      { kind: 'bitset', words: new Uint32Array(0), size: 0 },
    ];
    for (const filter of empty) assert.deepEqual(await search(index, 'lantern', 10, filter), [], filter.kind);
  });

  it('a filter applies before the limit: the lowest-ranked document can be found alone', async () => {
    const texts = Array.from({ length: 300 }, (_, doc) =>
      doc === 217 ? 'lantern among many other words of a much longer text' : 'lantern lantern',
    );
    const index = withDocuments(await make(), texts);
    const all = await search(index, 'lantern', 300);
    assert.equal(all.at(-1)?.doc, 217);
    for (const filter of formsOf([217]))
      assert.deepEqual(docsOf(await search(index, 'lantern', 1, filter)), [217], filter.kind);
  });

  it('a query without words gives no hits', async () => {
    const index = withDocuments(await make(), ['lantern', '?', '']);
    for (const query of ['', ' ', '\t\n', '\u00a0\u2003', '?!', '...', '"', '-', '*', '\ud800', '\u0000'])
      assert.deepEqual(await search(index, query), [], JSON.stringify(query));
  });

  it('a query of very common words does not fail', async () => {
    const index = withDocuments(await make(), ['to be or not to be', 'the lantern of the king']);
    // The index decides whether these are stop words: if so they find nothing, otherwise exactly
    // the documents that contain them.
    for (const [query, holding] of [
      ['the', 1],
      ['to be or not to be', 0],
    ] as const)
      for (const { doc } of await search(index, query)) assert.equal(doc, holding, query);
    assert.equal(docsOf(await search(index, 'the lantern'))[0], 1);
  });

  for (const word of HOSTILE_WORDS) {
    it(`"${word}" is a word like any other`, async () => {
      const index = withDocuments(await make(), [`${word} lantern`, 'kettle']);
      await finds(index, word, [0]);
      await finds(index, `${word} kettle`, [0, 1]);
      index.remove(0, `${word} lantern`, '');
      await finds(index, word, []);
      await finds(index, 'kettle', [1]);
      assert.equal(({} as Record<string, unknown>)['lantern'], undefined);
    });
  }

  it('names of JavaScript object members are not found unless indexed', async () => {
    const index = withDocuments(await make(), ['lantern']);
    for (const word of HOSTILE_WORDS) await finds(index, word, []);
  });

  it('no character of a query is an operator', async () => {
    const index = withDocuments(await make(), ['red lantern', 'blue kettle']);
    for (const query of OPERATOR_QUERIES)
      assert.ok(docsOf(await search(index, query)).includes(0), JSON.stringify(query));
  });

  for (const [what, indexed, query] of FOLDED) {
    it(`folds ${what}`, async () => {
      const index = withDocuments(await make(), [indexed, 'kettle']);
      await finds(index, query, [0]);
      index.remove(0, indexed, '');
      await finds(index, query, []);
    });
  }

  for (const [script, text, query] of SCRIPTS) {
    it(`finds a word in ${script}`, async () => {
      const index = withDocuments(await make(), ['kettle', text]);
      await finds(index, query, [1]);
    });
  }

  it('finds numbers', async () => {
    const index = withDocuments(await make(), ['1815', '1852-11-27', 'chapter 12']);
    await finds(index, '1815', [0]);
    await finds(index, '12', [2]);
    assert.equal(docsOf(await search(index, '1852-11-27'))[0], 1);
  });

  it('accepts any language tag, or none', async () => {
    const index = await make();
    for (const [doc, language] of ['', 'en', 'DE-at', 'ja', 'th', 'x-private', 'no-such-language'].entries())
      index.add(doc, 'lantern', language);
    assert.equal(index.size, 7);
    await finds(index, 'lantern', [0, 1, 2, 3, 4, 5, 6]);
    index.remove(2, 'lantern', 'DE-at');
    await finds(index, 'lantern', [0, 1, 3, 4, 5, 6]);
  });

  it('survives lone surrogates', async () => {
    const text = 'lantern \ud83d kettle\udc00 \ud800\ud800';
    const index = withDocuments(await make(), [text]);
    await finds(index, 'lantern', [0]);
    await finds(index, 'lantern\ud800', [0]);
    index.remove(0, text, '');
    assert.equal(index.size, 0);
  });

  it('answers a query of a megabyte', async () => {
    const index = withDocuments(await make(), ['lantern', 'kettle']);
    const queries = [
      'lantern '.repeat(131_072),
      Array.from({ length: 130_000 }, (_, word) => `w${word}`).join(' '),
      'l'.repeat(1_048_576),
      `e${'\u0301\u0323'.repeat(500_000)}`,
      '东'.repeat(350_000),
      `${' '.repeat(1_048_576)}lantern`,
    ];
    const counts: number[] = [];
    for (const query of queries) counts.push((await search(index, query)).length);
    assert.equal(counts[0], 1);
    assert.equal(counts[5], 1);
  });

  it('accepts a word of a megabyte, and words that are prefixes of each other', async () => {
    const index = await make();
    const long = 'lantern'.repeat(150_000);
    index.add(0, long, '');
    for (let length = 1; length <= 3000; length++) index.add(length, 'x'.repeat(length), '');
    assert.equal(docsOf(await search(index, 'x'))[0], 1);
    await finds(index, 'kettle', []);
    for (let length = 1; length <= 3000; length++) index.remove(length, 'x'.repeat(length), '');
    index.remove(0, long, '');
    assert.equal(index.size, 0);
  });

  it('matches the last word of a query as a prefix if the search asks for it', async () => {
    const index = withDocuments(await make(), ['harbour', 'kettle', 'harbinger', 'river harbinger']);
    const found = async (query: string, prefix: boolean) =>
      docsOf(await search(index, query, 100, undefined, prefix)).sort((a, b) => a - b);
    assert.deepEqual(await found('harb', true), [0, 2, 3]);
    assert.deepEqual(await found('harb', false), []);
    assert.deepEqual(await found('kettle harb', true), [0, 1, 2, 3]);
    assert.deepEqual(await found('harb kettle', true), [1]);
    assert.deepEqual(await found('zebra', true), []);
    for (const filter of formsOf([1, 2, 77]))
      assert.deepEqual(docsOf(await search(index, 'harb', 100, filter, true)), [2], filter.kind);
    index.remove(2, 'harbinger', '');
    assert.deepEqual(await found('harb', true), [0, 3]);
    index.add(2, 'harbourless', '');
    assert.deepEqual(await found('harb', true), [0, 2, 3]);
  });

  it('a whole word ranks above words that start with it', async () => {
    const index = withDocuments(await make(), ['lanternfish', 'lantern', 'lanternfish kettle', 'lantern kettle']);
    const docs = docsOf(await search(index, 'lantern', 100, undefined, true));
    assert.deepEqual(
      [...docs].sort((a, b) => a - b),
      [0, 1, 2, 3],
    );
    assert.ok(docs.indexOf(1) < docs.indexOf(0), 'of texts of one word');
    assert.ok(docs.indexOf(3) < docs.indexOf(2), 'of texts of two words');
  });

  it('explains its scores, if it can: the contributions of the words add up to the score of the hit', async () => {
    const index = withDocuments(await make(), ['red lantern', 'blue lantern', 'red kettle, red river', 'stone']);
    if (!index.explain) return;
    for (const query of ['lantern', 'red lantern', 'red red river', 'kettle lan']) {
      for (const prefix of [false, true]) {
        for (const { doc, score } of await search(index, query, 100, undefined, prefix)) {
          const terms = await index.explain(query, doc, { prefix });
          const sum = terms.reduce((all, term) => all + term.score, 0);
          assert.ok(
            Math.abs(sum - score) <= 1e-9 * score,
            `"${query}": document ${doc} has ${score}, explained ${sum}`,
          );
          for (const { word, term, frequency } of terms) {
            assert.ok(query.includes(word), `"${word}" is no word of "${query}"`);
            assert.ok(term !== '' && frequency >= 1, `the term "${term}" occurs ${frequency} times`);
          }
        }
      }
    }
    assert.deepEqual(await index.explain('lantern', 3), []);
    assert.deepEqual(await index.explain('lantern', 99), []);
    assert.deepEqual(await index.explain('', 0), []);
  });

  it('reports its memory, if it can, as a number that falls when everything is removed', async () => {
    const index = await make();
    if (index.memoryBytes === undefined) return;
    const texts = Array.from({ length: 2000 }, (_, doc) => `lantern kettle number${doc}`);
    withDocuments(index, texts);
    const full = index.memoryBytes;
    assert.ok(Number.isFinite(full) && full > 0, `memoryBytes is ${full}`);
    for (const [doc, text] of texts.entries()) index.remove(doc, text, '');
    if (index.compact) await index.compact();
    assert.ok(index.memoryBytes < full / 2, `${full} bytes, then ${index.memoryBytes} for no documents`);
  });

  it('optimizes itself, if it can, without changing results', async () => {
    const index = await make();
    if (!index.compact) return;
    const words = VOCABULARY.slice(0, 6);
    const texts = Array.from(
      { length: 500 },
      (_, doc) => `${words[doc % 6]} ${words[(doc * 7) % 5]} ${words[doc % 4]}`,
    );
    withDocuments(index, texts);
    for (let doc = 0; doc < 500; doc += 3) index.remove(doc, texts[doc], '');
    const before = await search(index, 'ash birch cedar');
    await index.compact();
    assert.deepEqual(await search(index, 'ash birch cedar'), before);
    await assert.rejects(
      index.compact(AbortSignal.abort()),
      (error: unknown) => error instanceof WorldsError && error.code === 'ABORTED',
    );
    assert.deepEqual(await search(index, 'ash birch cedar'), before);
    for (let doc = 0; doc < 500; doc += 3) index.add(doc, texts[doc], '');
    assert.equal(index.size, 500);
  });

  it('an aborted signal ends the search with ABORTED', async () => {
    const index = withDocuments(await make(), ['lantern']);
    await assert.rejects(
      index.search('lantern', { limit: 1, signal: AbortSignal.abort() }),
      (error: unknown) => error instanceof WorldsError && error.code === 'ABORTED',
    );
  });

  it('concurrent searches do not affect each other', async () => {
    const index = withDocuments(await make(), ['red lantern', 'blue kettle']);
    const [lantern, kettle, both] = await Promise.all([
      search(index, 'lantern'),
      search(index, 'kettle'),
      search(index, 'red blue'),
    ]);
    assert.deepEqual(docsOf(lantern), [0]);
    assert.deepEqual(docsOf(kettle), [1]);
    assert.deepEqual(docsOf(both), [0, 1]);
  });

  for (const seed of [1, 2, 3]) {
    it(`after random additions and removals it returns the same results as a new index (seed ${seed})`, async () => {
      const random = new SeededRandom(seed);
      const index = await make();
      const held = new Map<number, string>();
      for (let step = 0; step < 400; step++) {
        const doc = random.below(60);
        const text = held.get(doc);
        if (text !== undefined) {
          index.remove(doc, text, '');
          held.delete(doc);
        } else {
          const words = Array.from({ length: 1 + random.below(8) }, () => random.pick(VOCABULARY));
          held.set(doc, words.join(' '));
          index.add(doc, words.join(' '), '');
        }
        if (step % 80 !== 79) continue;
        const fresh = await make();
        for (const [number, content] of [...held].sort(([a], [b]) => a - b)) fresh.add(number, content, '');
        assert.equal(index.size, held.size);
        const allowed = [...held.keys()].filter(() => random.chance(0.5)).sort((a, b) => a - b);
        for (let query = 0; query < 12; query++) {
          const words = Array.from({ length: 1 + random.below(3) }, () => random.pick(VOCABULARY)).join(' ');
          const filter = query % 4 === 0 ? undefined : formsOf(allowed)[(query % 4) - 1];
          const limit = random.pick([1, 5, 100]);
          const hits = await search(index, words, limit, filter);
          const expected = await search(fresh, words, limit, filter);
          assert.deepEqual(docsOf(hits), docsOf(expected), `"${words}", limit ${limit}, step ${step}`);
          for (const [at, { score }] of hits.entries())
            assert.ok(Math.abs(score - expected[at].score) <= 1e-5 * Math.abs(score), `scores of "${words}"`);
          // Checks the plain definition: every hit contains a word of the query and is allowed.
          for (const { doc: hit } of hits) {
            assert.ok(
              words.split(' ').some((word) => held.get(hit)?.split(' ').includes(word)),
              `document ${hit} holds none of "${words}"`,
            );
            assert.ok(!filter || allowed.includes(hit), `document ${hit} is not allowed`);
          }
        }
      }
    });
  }

  return cases;
}
