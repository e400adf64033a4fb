import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  const lines = Array.from({ length: 400 }, (_, i) => `<urn:s${i}> <urn:p> <urn:o${i % 20}> .`);
  await engine.import({ source: 'w', data: lines.join('\n') });
});
afterEach(() => engine.close());

describe('a query that keeps too much', () => {
  const EXPLODES = [
    ['a sort', 'SELECT * { ?a <urn:p> ?x . ?b <urn:p> ?x . ?c <urn:p> ?x } ORDER BY ?a ?b ?c'],
    ['DISTINCT', 'SELECT DISTINCT ?a ?b ?c { ?a <urn:p> ?x . ?b <urn:p> ?x . ?c <urn:p> ?x }'],
    ['groups', 'SELECT ?a ?b ?c (COUNT(*) AS ?n) { ?a <urn:p> ?x . ?b <urn:p> ?x . ?c <urn:p> ?x } GROUP BY ?a ?b ?c'],
    ['GROUP_CONCAT', 'SELECT (GROUP_CONCAT(?a) AS ?all) { ?a <urn:p> ?x . ?b <urn:p> ?x . ?c <urn:p> ?x }'],
    [
      'an aggregate of different values',
      'SELECT (SUM(DISTINCT STRLEN(CONCAT(STR(?a), STR(?b)))) AS ?n) (COUNT(DISTINCT CONCAT(STR(?a), STR(?b))) AS ?m) { ?a <urn:p> ?x . ?b <urn:p> ?y }',
    ],
    ['CONSTRUCT', 'CONSTRUCT { ?a ?b ?c } WHERE { ?a <urn:p> ?x . ?b <urn:p> ?x . ?c <urn:p> ?x }'],
  ] as const;

  it.each(EXPLODES)('is LIMIT_EXCEEDED: %s', async (_, query) => {
    const run = async () => engine.sparql({ query, maxMemoryBytes: 50_000 });
    await expect(run()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('50000') });
  });

  it('may sort any number of rows to give a few', async () => {
    // In ascending order each row is better than those before. The keys are no terms: those would
    // stay for the whole request.
    const query =
      'SELECT ?a { ?a <urn:p> ?x . ?b <urn:p> ?x . ?c <urn:p> ?x } ORDER BY DESC(CONCAT(STR(?a), STR(?b), STR(?c))) LIMIT 20';
    const result = await engine.select({ query, maxMemoryBytes: 100_000 });
    expect(await result.array()).toHaveLength(20);
  });

  it('is answered within the limit', async () => {
    const result = await engine.select({
      query: 'SELECT DISTINCT ?x { ?a <urn:p> ?x } ORDER BY ?x',
      maxMemoryBytes: 1 << 20,
    });
    expect(await result.array()).toHaveLength(20);
  });
});
