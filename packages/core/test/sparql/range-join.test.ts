import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { termKey } from '../../../testkit/src/term-key.ts';
import { type PlanNode, WorldsEngine } from '../../src/index.ts';
import type { SparqlEngine } from '../../src/plugin.ts';
import { RangeTable } from '../../src/sparql/exec/range-table.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { naiveEngine } from './differential/naive/naive-engine.ts';
import { unlikeOthers } from './unlike-others.ts';

const ODD_VALUES = ['"INF"^^xsd:double', '"NaN"^^xsd:double', '"-INF"^^xsd:double', '"seven"', '"7"', ':iri', 'true'];

/** Intervals of several kinds of numbers and of times, a few of them with other values. */
function intervals(): string {
  const random = new SeededRandom(5);
  const lines = ['PREFIX : <urn:> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>'];
  const time = (hours: number) =>
    `"${new Date(1.6e12 + hours * 3.6e6).toISOString().replace('.000Z', random.pick(['Z', '', '+02:00', '.5Z']))}"^^xsd:dateTime`;
  const number = (value: number) => random.pick([`${value}`, `${value}.0`, `${value}.50`, `${value}e0`]);
  for (let at = 0; at < 36; at++) {
    const odd = random.chance(0.1);
    const start = random.below(60);
    lines.push(`:i${at} :of :c${at === 7 ? 1 : 0} ; :start ${odd ? random.pick(ODD_VALUES) : number(start)} .`);
    lines.push(`:i${at} :end ${random.chance(0.1) ? random.pick(ODD_VALUES) : number(start + random.below(20))} .`);
    lines.push(`:f${at} :from ${time(start)} . :f${at} :to ${time(start + random.below(20))} .`);
    if (random.chance(0.8)) lines.push(`:m${at} :at ${odd ? random.pick(ODD_VALUES) : time(random.below(90))} .`);
  }
  lines.push(':c0 :start 40 . :c1 :start 10 .');
  return lines.join('\n');
}

const PREFIXES = 'PREFIX : <urn:> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n';

/** Queries whose parts are joined by ranges. */
const JOINED: Readonly<Record<string, string>> = {
  'what was valid at a time': 'SELECT * { ?m :at ?t . ?f :from ?s ; :to ?e FILTER(?s <= ?t && ?t < ?e) }',
  overlaps: 'SELECT * { ?a :start ?s ; :end ?e . ?b :start ?s2 ; :end ?e2 FILTER(?s < ?e2 && ?s2 < ?e) }',
  'overlaps within a group':
    'SELECT * { ?a :of ?c ; :start ?s ; :end ?e . ?b :of ?c ; :start ?s2 ; :end ?e2 FILTER(?s < ?e2 && ?s2 < ?e && STR(?a) < STR(?b)) }',
  'one bound': 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(?s > ?e) }',
  'one inclusive bound': 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(?e <= ?s) }',
  'a band': 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(?e > ?s - 3 && ?e < ?s + 3) }',
  'the size of a difference': 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(ABS(?s - ?e) < 2.5) }',
  'a difference from above': 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(?s - ?e >= 20) }',
  'a difference of times':
    'SELECT * { ?m :at ?t . ?f :from ?s FILTER(?t >= ?s && ?t - ?s < "PT5H"^^xsd:dayTimeDuration) }',
  'the end of a period':
    'SELECT * { ?m :at ?t . ?f :from ?s FILTER(?t > ?s && ?t < ?s + "PT5H"^^xsd:dayTimeDuration) }',
  'computed on both sides': 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(?s * 2 < ?e / 3) }',
  'three bounds':
    'SELECT * { ?a :start ?s ; :end ?e . ?b :start ?s2 ; :end ?e2 FILTER(?s < ?s2 && ?e > ?e2 && ?s2 < ?e) }',
  'the minimum above': 'SELECT ?a (MIN(?s2) AS ?n) { ?a :end ?e . ?b :start ?s2 FILTER(?s2 > ?e) } GROUP BY ?a',
  'a third part': 'SELECT * { ?m :at ?t . ?f :from ?s ; :to ?e . :i1 :of ?c FILTER(?s <= ?t && ?t < ?e) }',
  'in MINUS': 'SELECT * { ?m :at ?t MINUS { ?m :at ?t . ?f :from ?s ; :to ?e FILTER(?s <= ?t && ?t < ?e) } }',
};

/** Queries that look like them. */
const OTHERS: Readonly<Record<string, string>> = {
  'in OPTIONAL':
    'SELECT * { ?i :of :c1 OPTIONAL { ?m :at ?t . ?f :from ?s ; :to ?e FILTER(?s <= ?t && ?t < ?e) ?m :at ?t } }',
  'in EXISTS': 'SELECT * { ?m :at ?t FILTER EXISTS { ?f :from ?s ; :to ?e FILTER(?s <= ?t && ?t < ?e) } }',
  'of texts': 'SELECT * { ?a :of ?x . ?b :of ?y FILTER(STR(?x) < STR(?y)) }',
  'a chain': 'SELECT * { ?a :of ?c ; :start ?s . ?c :start ?e FILTER(?s < ?e) }',
  'a disjunction': 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(?s > ?e || ?s = 3) }',
  negated: 'SELECT * { ?a :start ?s . ?b :end ?e FILTER(!(?s > ?e)) }',
  unbound: 'SELECT * { ?a :of ?c OPTIONAL { ?a :start ?s } ?b :end ?e FILTER(?s < ?e) }',
  'of values': 'SELECT * { VALUES ?x { 3 50 100.5 "a" UNDEF } ?b :start ?s ; :end ?e FILTER(?s <= ?x && ?x <= ?e) }',
  limited: 'SELECT (COUNT(*) AS ?n) { SELECT * { ?a :start ?s . ?b :end ?e FILTER(?s > ?e) } LIMIT 5 }',
};

describe('parts of a group that are compared by their numbers', () => {
  let engine: WorldsEngine;
  let others: readonly WorldsEngine[];
  const open = async (sparql: SparqlEngine) => {
    const opened = await WorldsEngine.open({ textIndex: null, sparql });
    await opened.createWorld({ slug: 'w' });
    await opened.import({ source: 'w', data: intervals(), contentType: 'text/turtle' });
    return opened;
  };
  const answer = async (by: WorldsEngine, query: string) => {
    const rows = await (await by.select({ query: unlikeOthers(PREFIXES + query), sources: ['w'] })).array();
    return rows
      .map((row) =>
        [...row]
          .map(([name, value]) => `${name}=${termKey(value)}`)
          .sort()
          .join(' '),
      )
      .sort();
  };

  beforeAll(async () => {
    engine = await open(nativeEngine());
    others = [
      await open(nativeEngine({ optimize: false })),
      await open(naiveEngine()),
      await open(nativeEngine({ batchRows: 3 })),
    ];
  });
  afterAll(async () => {
    await Promise.all([engine, ...others].map((one) => one.close()));
  });

  it.each(Object.entries({ ...JOINED, ...OTHERS }))('have the pairs that other engines find: %s', async (_, query) => {
    const rows = await answer(engine, query);
    for (const other of others) expect(await answer(other, query)).toEqual(rows);
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(Object.entries(JOINED))('are joined by ranges: %s', async (_, query) => {
    const { plan } = await engine.explain({ query: PREFIXES + query, sources: ['w'] });
    expect(names(plan)).toContain('range join');
  });

  it.each([
    ['the first row of a range is left out', 'from', 1],
    ['the last row of a range is left out', 'to', -1],
    ['a row within the second bound is left out', 'next', 1],
  ] as const)('are found to be wrong if %s', async (_, method, shift) => {
    const right = RangeTable.prototype[method] as (...given: unknown[]) => number;
    const faulty = vi.spyOn(RangeTable.prototype, method).mockImplementation(function (
      this: RangeTable,
      ...given: unknown[]
    ) {
      return right.apply(this, given) + shift;
    });
    const wrong: string[] = [];
    for (const query of Object.values(JOINED)) {
      const rows = await answer(engine, query);
      if (rows.join() !== (await answer(others[1], query)).join()) wrong.push(query);
    }
    faulty.mockRestore();
    expect(wrong).not.toEqual([]);
  });

  it('meet only the pairs that are in range', async () => {
    const { plan } = await engine.explain({ query: PREFIXES + JOINED.overlaps, sources: ['w'], analyze: true });
    const [join] = nodes(plan).filter(({ operator }) => operator === 'range join');
    const pairs = join.inputs.reduce((product, { actualRows }) => product * actualRows!, 1);
    // Intervals of 15 on average among 60, and values that are not numbers.
    expect(join.actualRows).toBeLessThan(pairs / 2);
  });
});

function nodes(plan: PlanNode): PlanNode[] {
  return [plan, ...plan.inputs.flatMap(nodes)];
}

function names(plan: PlanNode): readonly string[] {
  return nodes(plan).map(({ operator }) => operator);
}
