import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { termKey } from '../../../testkit/src/term-key.ts';
import { CursorProbe } from '../../src/contracts/cursor-probe.ts';
import { type PlanNode, WorldsEngine } from '../../src/index.ts';
import type { SparqlEngine } from '../../src/plugin.ts';
import { RangeProbe } from '../../src/quads/range-probe.ts';
import { RangeCandidates } from '../../src/sparql/exec/range-candidates.ts';
import { RangeTable } from '../../src/sparql/exec/range-table.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { naiveEngine } from './differential/naive/naive-engine.ts';

const ODD_VALUES = ['"INF"^^xsd:double', '"NaN"^^xsd:double', '"-INF"^^xsd:double', '"seven"', '"7"', ':iri', 'true'];

/** Measurements of sensors with few different values, so that many are equal, and their classes. */
function measurements(): string {
  const random = new SeededRandom(8);
  const lines = ['PREFIX : <urn:> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>'];
  for (let at = 0; at < 36; at++) {
    const sensor = `:s${random.below(5)}`;
    const value = random.below(6);
    const number = random.chance(0.06)
      ? random.pick(ODD_VALUES)
      : random.pick([`${value}`, `${value}.0`, `${value}.50`, `${value}e0`]);
    const time = new Date(1.6e12 + random.below(9) * 3.6e6).toISOString();
    const stamp = time.replace('.000Z', random.pick(['Z', '', '+01:00', '.5Z']));
    lines.push(`:m${at} :sensor ${sensor} ; :value ${number} ; :at "${stamp}"^^xsd:dateTime .`);
    if (random.chance(0.3)) lines.push(`:m${at} :value ${random.below(6)} .`);
    if (random.chance(0.5)) lines.push(`:m${at} :replaces :m${random.below(36)} .`);
    if (random.chance(0.5)) lines.push(`GRAPH :g${random.below(2)} { :m${at} :value ${random.below(6)} }`);
  }
  for (let sensor = 0; sensor < 7; sensor++) lines.push(`:s${sensor} a :Sensor ; :limit ${sensor} .`);
  lines.push(':s1 :sensor :s1 . :m1 :odd :m1 .');
  return lines.join('\n');
}

const PREFIXES = 'PREFIX : <urn:> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n';
const ALL = 'SELECT * { ?m :sensor ?s ; :value ?v ; :at ?t ';

/** Queries for which the pattern is evaluated once, by the operator that does it. */
const BY_KEY: Readonly<Record<string, readonly [operator: string, query: string]>> = {
  'the greatest of a group': [
    'range join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 > ?v) } }`,
  ],
  'the least of a group': [
    'range join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s ; :value ?v2 . FILTER(?v > ?v2) } }`,
  ],
  'the latest of a group': [
    'range join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s ; :at ?t2 FILTER(?t2 > ?t) } }`,
  ],
  'none that is as great': [
    'range join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 >= ?v && ?n != ?m) } }`,
  ],
  'one that is less': ['range join (semi)', `${ALL} FILTER EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 < ?v) } }`],
  'one within a band': [
    'range join (semi)',
    `${ALL} FILTER EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 > ?v && ?v2 < ?v + 1) } }`,
  ],
  'one that is greater in two ways': [
    'range join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s ; :value ?v2 ; :at ?t2 FILTER(?v2 >= ?v && ?t2 >= ?t && (?v2 > ?v || ?t2 > ?t)) } }`,
  ],
  'one soon after': [
    'range join (semi)',
    `${ALL} FILTER EXISTS { ?n :sensor ?s ; :at ?t2 FILTER(?t2 > ?t && ?t2 - ?t <= "PT1H"^^xsd:dayTimeDuration) } }`,
  ],
  'a condition of the pattern alone': [
    'range join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 > ?v && ?v2 < 5) } }`,
  ],
  'the greatest of all': [
    'range join (anti)',
    'SELECT * { ?m :value ?v FILTER NOT EXISTS { ?n :value ?v2 FILTER(?v2 > ?v) } }',
  ],
  'a variable that may be unbound in the condition': [
    'range join (semi)',
    'SELECT * { ?m :sensor ?s ; :at ?t OPTIONAL { ?m :replaces ?r . ?r :value ?v } FILTER EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 > ?v) } }',
  ],
  'in a graph': [
    'range join (anti)',
    'SELECT * { GRAPH ?g { ?m :value ?v } FILTER NOT EXISTS { GRAPH ?g { ?n :value ?v2 } FILTER(?v2 > ?v) } }',
  ],
  'inside GRAPH': [
    'range join (anti)',
    'SELECT * { GRAPH :g1 { ?m :value ?v FILTER NOT EXISTS { ?n :value ?v2 FILTER(?v2 > ?v) } } }',
  ],
  'in MINUS': [
    'range join (anti)',
    `SELECT * { ?m :sensor ?s MINUS { ?m :sensor ?s ; :value ?v FILTER NOT EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 > ?v) } } }`,
  ],
  'a union of patterns': [
    'range join (semi)',
    `${ALL} FILTER EXISTS { { ?n :sensor ?s ; :value ?v2 } UNION { ?n :sensor ?s ; :value ?v2 . ?n :replaces ?r } FILTER(?v2 > ?v) } }`,
  ],
  'another of the same group': [
    'hash join (semi)',
    `${ALL} FILTER EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?n != ?m) } }`,
  ],
  'nothing else in the group': [
    'hash join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s ; :value ?v2 FILTER(?v2 != ?v) } }`,
  ],
  'a comparison of texts': [
    'hash join (anti)',
    `${ALL} FILTER NOT EXISTS { ?n :sensor ?s FILTER(STR(?n) > STR(?m)) } }`,
  ],
  'a pattern of one row': [
    'hash join (anti)',
    'SELECT * { ?m :sensor ?s ; :value ?v FILTER NOT EXISTS { ?m :odd ?m ; :at ?t } }',
  ],
  'equal values, and a range': [
    'equality key',
    'SELECT * { ?m :sensor ?s ; :at ?t FILTER NOT EXISTS { ?n :sensor ?z ; :at ?t2 FILTER(?z = ?s && ?t2 < ?t) } }',
  ],
  'equal numbers of different terms': [
    'equality key',
    'SELECT * { ?m :sensor ?s ; :value ?v FILTER EXISTS { ?n :value ?v2 FILTER(?n != ?m && ?v = ?v2) } }',
  ],
  'equal values that are computed': [
    'equality key',
    `${ALL} FILTER NOT EXISTS { ?n :value ?v2 ; :at ?t2 FILTER(?v2 * 2 = ?v + 1 && HOURS(?t2) < HOURS(?t)) } }`,
  ],
  'equal values in an OPTIONAL that did not match': [
    'equality key',
    `${ALL} OPTIONAL { ?n :value ?v2 ; :at ?t2 FILTER(?v2 = ?v && ?t2 < ?t) } FILTER(!BOUND(?n)) }`,
  ],
  'an OPTIONAL that did not match': [
    'range join (anti)',
    `${ALL} OPTIONAL { ?n :sensor ?s ; :value ?v2 FILTER(?v2 > ?v) } FILTER(!BOUND(?n)) }`,
  ],
};

/** Queries that are answered by lookups. */
const LOOKED_UP: Readonly<Record<string, string>> = {
  'sensors without measurements': 'SELECT * { ?s a :Sensor FILTER NOT EXISTS { ?m :sensor ?s } }',
  'sensors with measurements': 'SELECT * { ?s a :Sensor FILTER EXISTS { ?m :sensor ?s } }',
  'two steps': 'SELECT * { ?s a :Sensor FILTER EXISTS { ?m :sensor ?s ; :value 3 } }',
  'either of two':
    'SELECT * { ?s a :Sensor FILTER EXISTS { { ?m :sensor ?s ; :value 3 } UNION { ?m :sensor ?s . ?m :replaces ?o } } }',
  'two rows of few':
    'SELECT * { ?m :sensor ?s ; :value ?v FILTER NOT EXISTS { ?s :odd ?o . ?m :value ?v . ?n :limit 3 } }',
  'a repeated variable': 'SELECT * { ?m :value ?v FILTER EXISTS { ?m ?p ?m } }',
  'an unbound variable': 'SELECT * { ?m :sensor ?s OPTIONAL { ?m :replaces ?r } FILTER EXISTS { ?r :value ?w } }',
  'of one that is known': `SELECT * { ?m :value ?v ; :sensor ?s FILTER(?m = :m3) FILTER NOT EXISTS { ?n :sensor ?s ; :value ?w FILTER(?w > ?v) } }`,
  'of a few that are wanted': `SELECT (COUNT(*) AS ?n) { SELECT * { ?m :replaces ?r ; :sensor ?s FILTER NOT EXISTS { ?n :replaces ?r ; :value ?v FILTER(?n != ?m) } } LIMIT 1 }`,
  'in an expression': 'SELECT * { ?s a :Sensor BIND(EXISTS { ?m :sensor ?s } AS ?used) }',
  'in a graph that the row names': 'SELECT * { VALUES ?g { :g0 :g1 :g2 } FILTER EXISTS { GRAPH ?g { ?m :value ?v } } }',
  'MINUS of few': 'SELECT * { ?s a :Sensor MINUS { ?m :sensor ?s } }',
  'MINUS with a filter': 'SELECT * { ?s a :Sensor ; :limit ?l MINUS { ?m :sensor ?s ; :value ?v FILTER(?v > 3) } }',
  'MINUS that does not see the row':
    'SELECT * { ?s a :Sensor ; :limit ?l MINUS { ?m :sensor ?s ; :value ?v FILTER(?v > ?l) } }',
  'MINUS without a shared variable': 'SELECT * { ?s a :Sensor MINUS { ?m :value ?v } }',
  'MINUS of what may be unbound': 'SELECT * { ?m :sensor ?s OPTIONAL { ?m :replaces ?r } MINUS { ?r :value ?w } }',
  'MINUS with two shared variables':
    'SELECT * { ?m :sensor ?s OPTIONAL { ?m :replaces ?r } MINUS { ?m :value ?v . ?m :replaces ?r } }',
  'a path of any length':
    'SELECT * { ?m :sensor ?s FILTER NOT EXISTS { ?m :replaces* ?o . ?o :odd ?x FILTER(?x != ?s) } }',
};

/** OPTIONAL with conditions on what it left unbound. */
const NOT_BOUND: Readonly<Record<string, string>> = {
  plain: 'SELECT * { ?m :sensor ?s OPTIONAL { ?n :replaces ?m } FILTER(!BOUND(?n)) }',
  'of a known one': 'SELECT * { ?s :limit 2 OPTIONAL { ?m :sensor ?s } FILTER(!BOUND(?m)) }',
  'with other conditions':
    'SELECT * { ?m :value ?v OPTIONAL { ?n :replaces ?m } FILTER(!BOUND(?n) && ?v > 2 && COALESCE(?n, ?v) > 3) }',
  'read afterwards': 'SELECT ?m ?n (BOUND(?n) AS ?b) { ?m :sensor ?s OPTIONAL { ?n :replaces ?m } FILTER(!BOUND(?n)) }',
  'in a chain': 'SELECT * { ?m :sensor ?s OPTIONAL { ?n :replaces ?m } OPTIONAL { ?n :value ?w } FILTER(!BOUND(?n)) }',
  'the second of a chain':
    'SELECT * { ?m :sensor ?s OPTIONAL { ?m :replaces ?r } OPTIONAL { ?r :replaces ?q } FILTER(!BOUND(?q)) }',
  'of a variable that the left side has':
    'SELECT * { ?m :sensor ?s OPTIONAL { ?m :replaces ?r } OPTIONAL { ?r :value ?w } FILTER(!BOUND(?r)) }',
  'of a variable that may be unbound in a match':
    'SELECT * { ?m :sensor ?s OPTIONAL { ?m :value ?v OPTIONAL { ?n :replaces ?m } } FILTER(!BOUND(?n)) }',
  'of a union': 'SELECT * { ?m :sensor ?s OPTIONAL { { ?m :replaces ?r } UNION { ?m :odd ?o } } FILTER(!BOUND(?r)) }',
  'with a path of length zero':
    'SELECT * { ?m :sensor ?s OPTIONAL { ?m :replaces* ?r FILTER(?r != ?m) } FILTER(!BOUND(?r)) }',
  'with a filter inside that the row is not in':
    'SELECT * { ?m :value ?v OPTIONAL { { ?n :replaces ?m ; :value ?w FILTER(?w > ?v) } } FILTER(!BOUND(?n)) }',
  'without a shared variable': 'SELECT * { ?m :odd ?o OPTIONAL { ?n :none ?x } FILTER(!BOUND(?x)) }',
  'and another EXISTS':
    'SELECT * { ?m :sensor ?s OPTIONAL { ?n :replaces ?m } FILTER(!BOUND(?n)) FILTER EXISTS { ?m :replaces ?r } }',
};

describe('EXISTS, MINUS and OPTIONAL that did not match', () => {
  let engine: WorldsEngine;
  let others: readonly WorldsEngine[];
  const open = async (sparql: SparqlEngine) => {
    const opened = await WorldsEngine.open({ textIndex: null, sparql });
    await opened.createWorld({ slug: 'w' });
    await opened.import({ source: 'w', data: measurements(), contentType: 'application/trig' });
    return opened;
  };
  const answer = async (by: WorldsEngine, query: string) => {
    const rows = await (await by.select({ query: PREFIXES + query, sources: ['w'] })).array();
    return rows
      .map((row) =>
        [...row]
          .map(([name, value]) => `${name}=${termKey(value)}`)
          .sort()
          .join(' '),
      )
      .sort();
  };
  const known = new Map<string, readonly string[]>();
  const rightAnswer = async (query: string) => {
    const rows = known.get(query) ?? (await answer(others[0], query));
    known.set(query, rows);
    return rows;
  };
  const isRight = async (query: string) => (await answer(engine, query)).join() === (await rightAnswer(query)).join();
  const operators = async (query: string) => {
    const { plan } = await engine.explain({ query: PREFIXES + query, sources: ['w'] });
    return nodes(plan).map(({ operator }) => operator);
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

  const byKey = Object.entries(BY_KEY).map(([name, [operator, query]]) => [name, query, operator] as const);
  const all = [
    ...byKey.map(([name, query]) => [name, query] as const),
    ...Object.entries(LOOKED_UP),
    ...Object.entries(NOT_BOUND),
  ];
  it.each(all)('have the rows that other engines find: %s', async (_, query) => {
    const rows = await answer(engine, query);
    for (const other of others) expect(await answer(other, query)).toEqual(rows);
  });

  it.each(byKey)('evaluate the pattern once: %s', async (_, query, operator) => {
    expect(await operators(query)).toContain(operator);
  });

  it('look the pattern up for a few rows', async () => {
    for (const query of Object.values(LOOKED_UP)) {
      expect((await operators(query)).filter((operator) => operator.startsWith('range join'))).toEqual([]);
    }
    expect(await operators(LOOKED_UP['MINUS of few'])).toContain('apply (anti)');
    expect(await operators(LOOKED_UP['of a few that are wanted'])).toContain('apply (anti)');
    expect(await operators(LOOKED_UP['MINUS without a shared variable'])).toContain('hash join (anti)');
    expect(await operators(NOT_BOUND['of a known one'])).toContain('apply (anti)');
    expect(await operators(NOT_BOUND.plain)).toContain('apply (anti)');
    expect(await operators(NOT_BOUND['of a variable that the left side has'])).toContain('apply (left)');
  });

  it('read one match of each row where one is enough', async () => {
    const { plan } = await engine.explain({
      query: PREFIXES + LOOKED_UP['sensors with measurements'],
      sources: ['w'],
      analyze: true,
    });
    const [lookup] = nodes(plan).filter(({ operator }) => operator === 'probe join');
    expect(lookup.detail).toContain('first match');
    expect(lookup.actualRows).toBe(5);
  });

  it('try few rows of a group, since its latest decides', async () => {
    const tried = vi.spyOn(RangeCandidates.prototype, 'next');
    const query = BY_KEY['the latest of a group'][1];
    const { plan } = await engine.explain({ query: PREFIXES + query, sources: ['w'], analyze: true });
    const count = tried.mock.calls.length;
    tried.mockRestore();
    const [join] = nodes(plan).filter(({ operator }) => operator === 'range join (anti)');
    const [left, right] = join.inputs.map(({ actualRows }) => actualRows!);
    // Each group has a fifth of the rows. Times within a second are told apart by the condition.
    expect(count).toBeLessThan((left * right) / 5 / 2);
  });

  it.each([
    ['rows below a bound are tried', 'from', (at: number) => at - 1],
    ['the greatest of a range is left out', 'from', (at: number) => at + 1],
    ['the least of a range is left out', 'to', (at: number) => at - 1],
  ] as const)('are found to be wrong, or only slow, if %s', async (title, method, shift) => {
    const right = RangeTable.prototype[method];
    const faulty = vi.spyOn(RangeTable.prototype, method).mockImplementation(function (this: RangeTable, ...given) {
      const [group] = given;
      return Math.min(Math.max(shift(right.apply(this, given)), this.start(group)), this.unsorted(group));
    });
    const wrong: string[] = [];
    for (const [, query] of Object.values(BY_KEY)) {
      if (!(await isRight(query))) wrong.push(query);
    }
    faulty.mockRestore();
    // The conditions are tested again, so that more candidates do no harm.
    if (title.includes('are tried')) expect(wrong).toEqual([]);
    else expect(wrong).not.toEqual([]);
  });

  it('are found to be wrong if a probe skips a row that still needs a match', async () => {
    const spies = [RangeProbe, CursorProbe].map(({ prototype }) => {
      const { begin } = prototype;
      return vi.spyOn(prototype, 'begin').mockImplementation(function (
        this: RangeProbe & CursorProbe,
        keys,
        length,
        options,
      ) {
        const done = options?.done && new Uint8Array(length).fill(1, length - 1);
        return begin.call(this, keys, length, { ...options, done });
      });
    });
    const wrong: string[] = [];
    for (const query of Object.values(LOOKED_UP)) {
      if (!(await isRight(query))) wrong.push(query);
    }
    for (const spy of spies) spy.mockRestore();
    expect(wrong).not.toEqual([]);
  });
});

function nodes(plan: PlanNode): PlanNode[] {
  return [plan, ...plan.inputs.flatMap(nodes)];
}
