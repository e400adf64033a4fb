import { beforeAll, describe, expect, it } from 'vitest';
import { type PlanNode, WorldsEngine } from '../../src/index.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { Random } from './differential/random/random.ts';

const PREFIX = 'PREFIX : <urn:>\n';
/** Products with makers and categories of few values, prices, and makers with countries. */
const PRODUCTS = 600;

function triples(random: Random): string {
  const pick = (name: string, count: number) => `:${name}${Math.floor(random.next() ** 2 * count)}`;
  const lines: string[] = [];
  for (let i = 0; i < PRODUCTS; i++) {
    lines.push(`:p${i} :maker ${pick('m', 30)} ; :price ${Math.floor(random.next() * 50)} .`);
    // Some have several, some none.
    while (random.chance(0.6)) lines.push(`:p${i} :category ${pick('c', 20)} .`);
    if (random.chance(0.3)) lines.push(`:p${i} :like ${pick('p', PRODUCTS)} .`);
  }
  for (let i = 0; i < 30; i++) lines.push(`:m${i} :country ${pick('z', 4)} .`);
  return lines.join('\n');
}

/** Queries over two subjects: with shared variables, conditions, and patterns beside the stars. */
const QUERIES: Readonly<Record<string, string>> = {
  'two shared variables': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c',
  'three shared variables': '?a :maker ?m ; :category ?c ; :price ?x . ?b :maker ?m ; :category ?c ; :price ?x',
  'a condition of both': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c FILTER(?a != ?b)',
  'a condition of each':
    '?a :maker ?m ; :category ?c ; :price ?x . ?b :maker ?m ; :category ?c ; :price ?y FILTER(?x < 20) FILTER(?y > 30)',
  'a condition of what they share': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c FILTER(?m != :m0)',
  'a NOT EXISTS': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c FILTER NOT EXISTS { ?a :like ?b }',
  'a pattern of a shared variable': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c . ?m :country :z1',
  'a pattern of a subject': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c . ?x :like ?a',
  'a variable predicate': '?a ?q ?m ; :category ?c . ?b ?q ?m ; :category ?c . FILTER(?q = :maker)',
  'an OPTIONAL': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c OPTIONAL { ?a :like ?l }',
  'a value for each': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c BIND(CONCAT(STR(?a), STR(?b)) AS ?t)',
  'the same object twice': '?a :maker ?m ; :category ?c , ?d . ?b :maker ?m ; :category ?c , ?d',
  'a path': '?a :maker ?m ; :category ?c . ?b :maker ?m ; :category ?c . ?a :like+ ?l',
};

function operatorsOf({ operator, detail, inputs }: PlanNode): string[] {
  return [`${operator} ${detail ?? ''}`.trim(), ...inputs.flatMap(operatorsOf)];
}

describe('stars that share several variables', () => {
  const engines: WorldsEngine[] = [];

  beforeAll(async () => {
    for (const sparql of [nativeEngine(), nativeEngine({ optimize: false }), nativeEngine({ batchRows: 3 })]) {
      const engine = await WorldsEngine.open({ sparql, textIndex: null });
      await engine.createWorld({ slug: 'w' });
      await engine.import({ source: 'w', data: PREFIX + triples(new Random(7)), contentType: 'text/turtle' });
      engines.push(engine);
    }
    return async () => {
      for (const engine of engines) await engine.close();
    };
  });

  const planOf = async (pattern: string, tail = '') => {
    const query = `${PREFIX}SELECT * { ${pattern} } ${tail}`;
    const { plan } = await engines[0].explain({ query, sources: ['w'] });
    return operatorsOf(plan);
  };

  const rowsOf = async (engine: WorldsEngine, pattern: string) => {
    // The sums tell rows apart that the count does not.
    const query = `${PREFIX}SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT *) AS ?d) (SUM(STRLEN(CONCAT(STR(?a), STR(?b), STR(?m), STR(?c)))) AS ?t) (MIN(STR(?a)) AS ?min) (MAX(STR(?b)) AS ?max) { ${pattern} }`;
    return (await engine.select({ query, sources: ['w'] })).objects();
  };

  for (const [name, pattern] of Object.entries(QUERIES)) {
    it(`have the same solutions as in a chain of lookups: ${name}`, async () => {
      const [rows, ...others] = await Promise.all(engines.map((engine) => rowsOf(engine, pattern)));
      expect(rows[0].n).toBeGreaterThan(0);
      for (const other of others) expect(other).toEqual(rows);
    });
  }

  it('are joined on all of these at once', async () => {
    const plan = await planOf(QUERIES['three shared variables']);
    expect(plan).toContain('hash join (inner) on ?m ?x ?c');
    expect(plan.filter((one) => one.startsWith('scan'))).toHaveLength(2);
  });

  it('are joined after their own conditions', async () => {
    const plan = await planOf(QUERIES['a condition of each']);
    const join = plan.indexOf('hash join (inner) on ?m ?c');
    expect(join).toBeGreaterThanOrEqual(0);
    expect(plan.indexOf('filter ?x < 20')).toBeGreaterThan(join);
    expect(plan.indexOf('filter ?y > 30')).toBeGreaterThan(join);
  });

  describe('are looked up row by row', () => {
    const CHAINS: Readonly<Record<string, readonly [pattern: string, tail?: string]>> = {
      'if one variable is shared': ['?a :maker ?m ; :price ?x . ?b :maker ?m ; :price ?y'],
      'if one star has a few rows': [
        '?a :maker ?m ; :category ?c ; :price 7 ; :like :p1 . ?b :maker ?m ; :category ?c',
      ],
      'if one star is about an object of the other': ['?a :maker ?m ; :like ?b . ?b :maker ?m ; :like ?l'],
      'for a few rows': [QUERIES['two shared variables'], 'LIMIT 3'],
    };
    for (const [name, [pattern, tail]] of Object.entries(CHAINS)) {
      it(name, async () => {
        expect((await planOf(pattern, tail)).filter((one) => one.startsWith('hash join'))).toEqual([]);
      });
    }
  });
});
