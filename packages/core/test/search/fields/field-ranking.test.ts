import { afterEach, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../../testkit/src/seeded-random.ts';
import { dataFactory, type SearchRequest, WorldsEngine } from '../../../src/index.ts';
import { DocumentExplainer } from '../../../src/search/text/query/document-explainer.ts';

const { namedNode, literal, quad } = dataFactory;
const LABEL = namedNode('http://www.w3.org/2000/01/rdf-schema#label');
const WORDS = ['lantern', 'lamp', 'lamps', 'kettle', 'kettles', 'garden', 'river', 'stone', 'copper'];
const ALL = 10_000;
// LONG_TESTS=1 ranks in three random engines.
const SEEDS = process.env['LONG_TESTS'] ? [1, 2, 3] : [1];

afterEach(() => vi.restoreAllMocks());

async function aWorldOfNames(seed: number, subjects: number): Promise<WorldsEngine> {
  const random = new SeededRandom(seed);
  const engine = await WorldsEngine.open({ fields: true });
  const text = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.pick(WORDS)).join(' ');
  for (const slug of ['here', 'there']) {
    await engine.createWorld({ slug });
    const insert = [];
    for (let i = 0; i < subjects; i++) {
      const subject = namedNode(`https://data.example/${slug}/${random.pick(WORDS)}-${i}`);
      for (let label = random.below(3); label > 0; label--) insert.push(quad(subject, LABEL, literal(text(3))));
      for (let fact = random.below(4); fact > 0; fact--) {
        const predicate = namedNode(`https://data.example/vocabulary#${random.pick([...WORDS, 'colour', 'size'])}`);
        insert.push(quad(subject, predicate, literal(random.below(3) === 0 ? `number ${i}` : text(6))));
      }
    }
    await engine.write({ source: slug, insert });
  }
  return engine;
}

describe('a ranking by texts and names', () => {
  it.each(SEEDS)('gives every hit the best score of each word, and returns the best hits (seed %i)', async (seed) => {
    const random = new SeededRandom(seed + 100);
    const engine = await aWorldOfNames(seed, 60);
    for (let run = 0; run < 40; run++) {
      const request: SearchRequest = {
        query: Array.from({ length: 1 + random.below(4) }, () => random.pick([...WORDS, 'lant', 'colour'])).join(' '),
        prefix: random.below(2) === 0,
        ...(random.below(2) === 0 && { sources: ['there'] }),
        ...(random.below(3) === 0 && { predicates: [LABEL.value] }),
        ...(random.below(3) === 0 && { fields: { label: 1, subject: 0.3, predicate: 2 } }),
      };
      const all = await engine.search({ ...request, limit: ALL, explain: true });
      for (const { explanation } of all) {
        const counted = explanation!.terms.filter((term) => term.counted);
        const sum = counted.reduce((total, { score }) => total + score, 0);
        expect(explanation!.textScore).toBeCloseTo(sum, 9);
      }
      const few = await engine.search({ ...request, limit: 7 });
      const keyOf = ({ world, subject, predicate, object }: (typeof few)[number]) =>
        `${world.slug} ${subject} ${predicate} ${object}`;
      expect(few.map(keyOf)).toEqual(all.slice(0, 7).map(keyOf));
      // A name that matches makes a hit of every triple around it.
      const named = await engine.search({ ...request, limit: ALL, fields: { label: 1, subject: 1, predicate: 1 } });
      const plain = await engine.search({ ...request, limit: ALL, fields: false });
      const found = new Set(named.map(keyOf));
      expect(plain.map(keyOf).filter((key) => !found.has(key))).toEqual([]);
    }
    await engine.close();
  });

  it('scores no document one by one', async () => {
    const engine = await aWorldOfNames(9, 400);
    const explained = vi.spyOn(DocumentExplainer.prototype, 'scoresOf');
    expect(await engine.search({ query: 'copper lamp river', limit: 10 })).toHaveLength(10);
    expect(explained).not.toHaveBeenCalled();
    await engine.close();
  });
});
