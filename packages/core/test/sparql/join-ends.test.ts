import { beforeAll, describe, expect, it } from 'vitest';
import { type PlanNode, WorldsEngine } from '../../src/index.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { Random } from './differential/random/random.ts';

const PREFIX = 'PREFIX : <urn:>\n';
const TRIPS = 300;
const STOPS = 60;

/** Trips that call at stops, people who know each other, and where they live. */
function triples(random: Random): string {
  const any = (name: string, count: number) => `:${name}${Math.floor(random.next() * count)}`;
  const lines: string[] = [];
  for (let trip = 0, call = 0; trip < TRIPS; trip++) {
    lines.push(`:t${trip} :route ${any('r', 12)} .`);
    for (let i = 0; i < 10; i++, call++)
      lines.push(`:c${call} :trip :t${trip} ; :stop ${any('s', STOPS)} ; :number ${i} ; :note "call ${call}" .`);
  }
  for (let i = 0; i < STOPS; i++) lines.push(`:s${i} :zone ${any('z', 5)} ; :name "stop ${i}" .`);
  for (let i = 0; i < 400; i++) {
    while (random.chance(0.9)) lines.push(`:p${i} :knows ${any('p', 400)} .`);
    lines.push(`:p${i} :lives ${any('z', 5)} .`);
  }
  return lines.join('\n');
}

/** Groups with two ends and `?x` between them. */
const QUERIES: Readonly<Record<string, string>> = {
  'trips between two stops': '?a :stop :s1 ; :trip ?x . ?b :trip ?x ; :stop :s2',
  'with a condition of both sides':
    '?a :stop :s1 ; :trip ?x ; :number ?i . ?b :trip ?x ; :stop :s2 ; :number ?j FILTER(?i < ?j)',
  'with a condition of one side': '?a :stop :s1 ; :trip ?x ; :number ?i . ?b :trip ?x ; :stop :s2 FILTER(?i > 4)',
  'one change': '?a :stop :s1 ; :trip ?t . ?b :trip ?t ; :stop ?x . ?c :stop ?x ; :trip ?u . ?d :trip ?u ; :stop :s2',
  'one change in a zone':
    '?a :stop :s1 ; :trip ?t . ?b :trip ?t ; :stop ?x . ?x :zone :z1 . ?c :stop ?x ; :trip ?u . ?d :trip ?u ; :stop :s2',
  'what is known of the middle':
    '?a :stop :s1 ; :trip ?t . ?b :trip ?t ; :stop ?x . ?x :name ?n . ?c :stop ?x ; :trip ?u . ?d :trip ?u ; :stop :s2',
  'a path of known length': ':p1 :knows/:knows ?x . ?x :knows/:knows :p2',
  'a path from one to the other': ':p1 :knows ?a . ?a :knows ?x . ?x :knows ?b . ?b :knows :p2',
  'against the direction': '?x :knows ?a . ?a :knows ?b . ?b :knows :p1 . ?x :knows/:knows :p2',
  'two variables in the middle': ':p1 :knows ?a . ?a :knows ?x ; :lives ?z . ?b :knows ?x ; :lives ?z . ?b :knows :p2',
  'three ends': ':p1 :knows/:knows ?x . ?x :knows/:knows :p2 . ?x :knows/:knows :p3',
  'a NOT EXISTS': ':p1 :knows/:knows ?x . ?x :knows/:knows :p2 FILTER NOT EXISTS { ?x :knows :p1 }',
  'an OPTIONAL': ':p1 :knows/:knows ?x . ?x :knows/:knows :p2 OPTIONAL { ?x :lives :z1 ; :lives ?z }',
  'a variable predicate': ':p1 :knows ?a . ?a ?q ?x . ?x ?q ?b . ?b :knows :p2',
  'nothing between them': ':p1 :knows/:lives ?x . ?x :knows/:knows :p2',
  'a value of its own': ':p1 :knows/:knows ?x . ?x :knows/:knows :p2 BIND(STR(?x) AS ?y) FILTER(?y != "urn:p1")',
};

function operatorsOf({ operator, detail, inputs }: PlanNode): string[] {
  return [`${operator} ${detail ?? ''}`.trim(), ...inputs.flatMap(operatorsOf)];
}

describe('groups between two constants', () => {
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
    const query = `${PREFIX}SELECT ?x (COUNT(*) AS ?n) { ${pattern} } GROUP BY ?x ORDER BY ?x`;
    return (await engine.select({ query, sources: ['w'] })).objects();
  };

  for (const [name, pattern] of Object.entries(QUERIES)) {
    it(`have the same solutions as from one end: ${name}`, async () => {
      const [rows, ...others] = await Promise.all(engines.map((engine) => rowsOf(engine, pattern)));
      if (name !== 'nothing between them') expect(rows.length).toBeGreaterThan(0);
      for (const other of others) expect(other).toEqual(rows);
    });
  }

  it.each([
    ['one change', 'hash join (inner) on ?x'],
    ['one change in a zone', 'hash join (inner) on ?x'],
    ['a path from one to the other', 'hash join (inner) on ?x'],
    ['trips between two stops', 'hash join (inner) on ?x'],
  ])('are followed from both: %s', async (name, join) => {
    const plan = await planOf(QUERIES[name]);
    expect(plan).toContain(join);
    expect(plan.filter((one) => one.startsWith('scan'))).toHaveLength(2);
  });

  describe('are followed from one', () => {
    const CHAINS: Readonly<Record<string, readonly [pattern: string, tail?: string]>> = {
      'if there is one constant': [':p1 :knows ?a . ?a :knows ?x . ?x :knows ?b . ?b :knows ?c'],
      'if there are few rows': [':c1 :trip ?t . ?t :route ?r . ?u :route ?r . :c2 :trip ?u'],
      'for a few rows': [QUERIES['one change'], 'LIMIT 3'],
    };
    for (const [name, [pattern, tail]] of Object.entries(CHAINS)) {
      it(name, async () => {
        expect((await planOf(pattern, tail)).filter((one) => one.startsWith('hash join'))).toEqual([]);
      });
    }
  });
});
