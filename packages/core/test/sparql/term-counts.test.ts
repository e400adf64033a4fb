import { randomQuads } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { dataFactory, nativeEngine, WorldsEngine } from '../../src/index.ts';

const S = '?s ?p ?o';
const PATTERNS = [
  S,
  '?s <urn:p1> ?o',
  '<urn:s1> ?p ?o',
  '?s ?p <urn:o1>',
  '<urn:s1> <urn:p1> ?o',
  '<urn:s1> ?p <urn:o1>',
  '?s <urn:p1> <urn:o1>',
  '?s <urn:none> ?o',
  '?s ?p ?s',
  '[] ?p ?o',
];

/** Every question that ranges may answer, and some near ones that they may not. */
const QUERIES = PATTERNS.flatMap((pattern) => {
  const variables = [...new Set(pattern.match(/\?\w/g))];
  return variables.flatMap((v) => [
    `SELECT DISTINCT ${v} { ${pattern} }`,
    `SELECT DISTINCT ${v} { GRAPH <urn:g1> { ${pattern} } }`,
    `SELECT DISTINCT ${v} { GRAPH ?g { ${pattern} } }`,
    `SELECT DISTINCT ?g { GRAPH ?g { ${pattern} } }`,
    `SELECT DISTINCT ${v} { GRAPH ${v} { ${pattern} } }`,
    `SELECT ?g (COUNT(${v}) AS ?n) { GRAPH ?g { ${pattern} } } GROUP BY ?g`,
    `SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ${pattern} } }`,
    `SELECT (COUNT(*) AS ?n) { GRAPH ?g { ${pattern} } }`,
    `SELECT (COUNT(*) AS ?n) { GRAPH <urn:g1> { ${pattern} } }`,
    `SELECT ${v} (COUNT(?g) AS ?n) { GRAPH ?g { ${pattern} } } GROUP BY ${v}`,
    `SELECT DISTINCT ${v} FROM <urn:g1> FROM <urn:g0> { ${pattern} }`,
    `SELECT ${v} (COUNT(*) AS ?n) { ${pattern} } GROUP BY ${v}`,
    `SELECT ?k (COUNT(?s) AS ?n) (COUNT(*) AS ?m) { ${pattern} } GROUP BY (${v} AS ?k)`,
    `SELECT ${v} (COUNT(?s) AS ?n) { ${pattern} } GROUP BY ${v} HAVING (COUNT(?s) > 1)`,
    `SELECT ${v} (COUNT(?none) AS ?n) { ${pattern} } GROUP BY ${v}`,
    `SELECT ${v} (COUNT(DISTINCT ?p) AS ?n) { ${pattern} } GROUP BY ${v}`,
    `SELECT (COUNT(DISTINCT ${v}) AS ?n) { ${pattern} }`,
    `SELECT ${v} ?n { { SELECT ${v} (COUNT(*) AS ?n) { ${pattern} } GROUP BY ${v} } ${v} <urn:p1> ?x }`,
  ]);
});

describe.each([1, 1024])('terms counted from ranges, in batches of %i', (batchRows) => {
  it('are those that looking at every quad counts, after whatever came and went', async () => {
    await using optimized = await WorldsEngine.open({ sparql: nativeEngine({ batchRows }), textIndex: null });
    await using plain = await WorldsEngine.open({ sparql: nativeEngine({ optimize: false }), textIndex: null });
    const iri = (kind: string, number: number) => dataFactory.namedNode(`urn:${kind}${number}`);
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % below;
    };
    const some = (count: number) =>
      Array.from({ length: count }, () =>
        dataFactory.quad(
          iri('s', random(9)),
          iri('p', random(4)),
          iri('o', random(7)),
          random(3) === 0 ? iri('g', random(2)) : dataFactory.defaultGraph(),
        ),
      );
    for (const engine of [optimized, plain]) {
      await engine.createWorld({ slug: 'w' });
      await engine.import({ source: 'w', data: randomQuads(3, {}) });
    }
    for (let round = 0; round < 4; round++) {
      const [insert, remove] = [some(60), some(40)];
      for (const engine of [optimized, plain]) {
        await engine.write({ source: 'w', insert });
        await engine.write({ source: 'w', delete: remove });
      }
      let answers = 0;
      for (const query of QUERIES) {
        const rows = async (engine: WorldsEngine) => {
          const result = await engine.select({ query });
          const terms = (await result.array()).map((row) =>
            result.variables.map((name) => {
              const term = row.get(name);
              return term?.termType === 'BlankNode' ? '_:' : JSON.stringify(term ?? null);
            }),
          );
          return terms.map((row) => row.join(' ')).sort();
        };
        const found = await rows(optimized);
        expect(found, query).toEqual(await rows(plain));
        answers += found.length;
      }
      expect(answers).toBeGreaterThan(1000);
    }
  });
});

it('are asked for where the store has them so', async () => {
  await using engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: '<urn:a> <urn:p> <urn:b> .' });
  const plan = async (query: string) => (await engine.explain({ query, sources: ['w'] })).text;
  expect(await plan(`SELECT DISTINCT ?p { ${S} }`)).toMatch(/^distinct terms \?p/);
  expect(await plan(`SELECT ?p (COUNT(*) AS ?n) { ${S} } GROUP BY ?p`)).toContain('count ranges');
  expect(await plan('SELECT ?o (COUNT(?s) AS ?n) { ?s <urn:p> ?o } GROUP BY ?o')).toContain('count ranges');
  expect(await plan(`SELECT (COUNT(DISTINCT ?s) AS ?n) { ${S} }`)).toContain('distinct terms');
  expect(await plan(`SELECT DISTINCT ?g { GRAPH ?g { ${S} } }`)).toMatch(/^distinct terms \?g/);
  expect(await plan(`SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ${S} } } GROUP BY ?g`)).toContain('count ranges');
  // No order of the store has the subjects of a predicate side by side.
  expect(await plan('SELECT DISTINCT ?s { ?s <urn:p> ?o }')).toContain('scan');
});
