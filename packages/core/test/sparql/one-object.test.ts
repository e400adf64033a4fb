import type * as RDF from '@rdfjs/types';
import { afterEach, expect, it, vi } from 'vitest';
import { inTurn } from '../../../../test/turn.ts';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { dataFactory, nativeEngine, WorldsEngine } from '../../src/index.ts';
import { RangeProbe } from '../../src/quads/range-probe.ts';

const { literal, namedNode, quad } = dataFactory;

/** More than a predicate must have for an index by subject. */
const SUBJECTS = 1300;

/**
 * `urn:a` of every subject, `urn:b` of most, `urn:d` of few, `urn:m` of most, and of some twice.
 * The texts of `urn:t` are all different, so that the ids of the subjects are far apart.
 */
function quadsOf(random: SeededRandom): RDF.Quad[] {
  const quads: RDF.Quad[] = [];
  for (let i = 0; i < SUBJECTS; i++) {
    const subject = namedNode(`urn:s${i}`);
    const add = (name: string, object: RDF.Quad_Object) => quads.push(quad(subject, namedNode(`urn:${name}`), object));
    const one = () => namedNode(`urn:o${random.below(6)}`);
    for (let text = 0; text < 4; text++) add('t', literal(`text ${i} ${text}`));
    add('a', one());
    if (random.chance(0.8)) add('b', one());
    if (random.chance(0.2)) add('d', random.chance(0.5) ? one() : namedNode(`urn:s${random.below(SUBJECTS)}`));
    for (let n = random.below(4); n > 0; n -= 2) add('m', one());
    if (random.chance(0.7)) quads.push(quad(subject, namedNode('urn:b'), one(), namedNode('urn:g')));
  }
  return quads;
}

const PATTERNS = [
  '?s <urn:b> ?x',
  '?s <urn:d> ?x',
  '?s <urn:m> ?x',
  '?s <urn:b> ?y',
  '?s <urn:d> ?y',
  '?s <urn:b> <urn:o3>',
  '?s <urn:d> <urn:o3>',
  '?s <urn:b> ?s',
  '?s <urn:none> ?x',
  '?s <urn:d> ?x . ?x <urn:b> ?z',
  '?y <urn:b> ?z',
  'GRAPH <urn:g> { ?s <urn:b> ?x }',
  'GRAPH ?g { ?s <urn:b> ?x }',
  '?s <urn:b> ?x ; <urn:d> ?z',
];

const CONDITIONS = ['?x != <urn:o1>', 'BOUND(?y)', '?x = ?y', 'EXISTS { ?x <urn:a> ?q }'];

const PARTS = PATTERNS.flatMap((pattern) => [
  `OPTIONAL { ${pattern} }`,
  ...CONDITIONS.map((condition) => `OPTIONAL { ${pattern} FILTER(${condition}) }`),
  `FILTER EXISTS { ${pattern} }`,
  `FILTER NOT EXISTS { ${pattern} }`,
  `FILTER(EXISTS { ${pattern} } || ?y = <urn:o2>)`,
  `BIND(EXISTS { ${pattern} } AS ?e)`,
  `MINUS { ${pattern} }`,
  `${pattern} .`,
]);

/** Each part alone, then some together. */
function* queries(random: SeededRandom, count: number): Generator<string> {
  for (const part of PARTS) yield `SELECT * { ?s <urn:a> ?y . ${part} }`;
  for (let i = 0; i < count; i++) {
    const parts = Array.from({ length: 2 + random.below(3) }, (_, at) => random.pick(PARTS).replace('?e)', `?e${at})`));
    yield `SELECT * { ?s <urn:a> ?y . ${parts.join(' ')} }`;
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Seeds, and rows of a batch. */
const WORLDS: readonly (readonly [seed: number, batchRows: number | undefined])[] = [
  [1, undefined],
  [2, undefined],
  [3, 1],
  [4, 64],
];

it.each(inTurn(WORLDS, 2))(
  'a pattern with one match for each row is the same without its index (seed %i)',
  async (seed, batchRows) => {
    const random = new SeededRandom(seed);
    const sparql = nativeEngine({ batchRows, optimize: seed !== 4 });
    const engine = await WorldsEngine.open({ textIndex: null, storage: undefined, sparql });
    const quads = quadsOf(random);
    for (const [slug, part] of [
      ['w', quads],
      ['some', quads.filter(() => random.chance(0.7))],
    ] as const) {
      await engine.createWorld({ slug });
      await engine.write({ source: slug, insert: part });
    }
    await engine.settle();
    const answer = async (query: string, sources: string[]) => {
      const rows = await (await engine.select({ query, sources })).array();
      return rows
        .map((row) =>
          [...row]
            .map(([name, { value }]) => `${name}=${value}`)
            .sort()
            .join(' '),
        )
        .sort();
    };
    let found = 0;
    for (const query of queries(random, 30)) {
      const sources = random.chance(0.3) ? ['w', 'some'] : ['w'];
      const { objects } = RangeProbe.prototype;
      const looked = vi.spyOn(RangeProbe.prototype, 'objects').mockImplementation(function (this: RangeProbe, out) {
        const count = objects.call(this, out);
        if (count !== undefined) found++;
        return count;
      });
      const given = await answer(query, sources);
      looked.mockReturnValue(undefined);
      const expected = await answer(query, sources);
      looked.mockRestore();
      expect(given, query).toEqual(expected);
    }
    expect(found).toBeGreaterThan(100);
    await engine.close();
  },
);
