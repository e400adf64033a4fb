import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { termKey } from '../../../testkit/src/term-key.ts';
import { type PlanNode, WorldsEngine } from '../../src/index.ts';
import type { SparqlEngine } from '../../src/plugin.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { naiveEngine } from './differential/naive/naive-engine.ts';

/** People and what each says of whom: some facts are asserted, some only reified, some twice. */
function reports(): string {
  const lines = ['PREFIX : <urn:> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>'];
  for (let at = 0; at < 60; at++) {
    const [who, whom] = [`:p${at % 12}`, `:p${(at * 7) % 13}`];
    if (at % 3 > 0) lines.push(`${who} :knows ${whom} .`);
    if (at % 4 > 0) lines.push(`:r${at} rdf:reifies <<( ${who} :knows ${whom} )>> ; :sure 0.${at % 10} .`);
    if (at % 7 === 0) lines.push(`:s${at} rdf:reifies <<( :r${at} :says <<( ${who} :knows ${whom} )>> )>> .`);
    if (at % 6 === 1) lines.push(`:d${at} rdf:reifies <<( ${who} :knows ${whom} )>> .`);
    if (at % 5 === 0) lines.push(`:p${at % 12} :age ${at} . :r${at} :by :p${at % 7} .`);
  }
  lines.push(':odd rdf:reifies "no triple" . :same rdf:reifies <<( :p1 :knows :p1 )>> .');
  return lines.join('\n');
}

const PREFIXES = 'PREFIX : <urn:> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n';

/** Queries whose triple terms are found from their parts, taken apart, or both. */
const QUERIES: Readonly<Record<string, string>> = {
  'parts bound by a fact': 'SELECT * { ?a :knows ?b . ?r rdf:reifies <<( ?a :knows ?b )>> }',
  'the fact after the reifier': 'SELECT * { ?r :sure 0.5 ; rdf:reifies <<( ?a :knows ?b )>> . ?a :knows ?b }',
  'one part bound': 'SELECT * { ?a :age ?n . ?r rdf:reifies <<( ?a :knows ?b )>> ; :sure ?s }',
  'a constant part': 'SELECT * { ?r rdf:reifies <<( :p3 :knows ?b )>> . ?b :age ?n }',
  'a part that the data do not have': 'SELECT * { ?r rdf:reifies <<( :nobody :knows ?b )>> }',
  'all parts constant': 'SELECT * { ?r rdf:reifies <<( :p1 :knows :p7 )>> }',
  'an unknown predicate': 'SELECT * { ?a :knows ?b . ?r rdf:reifies <<( ?a ?p ?b )>> ; :sure ?s }',
  'the same variable twice': 'SELECT * { ?r rdf:reifies <<( ?a :knows ?a )>> }',
  'the same variable twice, bound': 'SELECT * { ?a :age ?n . ?r rdf:reifies <<( ?a :knows ?a )>> }',
  'a triple term in a triple term': 'SELECT * { ?s rdf:reifies <<( ?r :says <<( ?a :knows ?b )>> )>> }',
  'a nested one with bound parts':
    'SELECT * { ?a :knows ?b . ?r :sure ?c . ?s rdf:reifies <<( ?r :says <<( ?a :knows ?b )>> )>> }',
  'two reifiers of one fact':
    'SELECT * { ?r rdf:reifies <<( ?a :knows ?b )>> . ?q rdf:reifies <<( ?a :knows ?b )>> FILTER(STR(?r) < STR(?q)) }',
  'a chain of reified facts':
    'SELECT * { ?r rdf:reifies <<( ?a :knows ?b )>> . ?q rdf:reifies <<( ?b :knows ?c )>> ; :sure 0.1 }',
  'a part that OPTIONAL may leave unbound':
    'SELECT * { ?a :age ?n OPTIONAL { ?a :knows ?b FILTER(?n > 30) } ?r rdf:reifies <<( ?a :knows ?b )>> }',
  'in OPTIONAL': 'SELECT * { ?a :knows ?b OPTIONAL { ?r rdf:reifies <<( ?a :knows ?b )>> ; :sure ?s } }',
  'in NOT EXISTS': 'SELECT * { ?a :knows ?b FILTER NOT EXISTS { ?r rdf:reifies <<( ?a :knows ?b )>> } }',
  'in EXISTS, with a condition':
    'SELECT * { ?a :knows ?b FILTER EXISTS { ?r rdf:reifies <<( ?a :knows ?b )>> ; :sure ?s FILTER(?s > 0.4) } }',
  'in MINUS': 'SELECT * { ?a :knows ?b MINUS { ?r rdf:reifies <<( ?a :knows ?b )>> } }',
  'in UNION':
    'SELECT * { ?a :age ?n { ?r rdf:reifies <<( ?a :knows ?b )>> } UNION { ?r rdf:reifies <<( ?b :knows ?a )>> } }',
  'VALUES for the parts':
    'SELECT * { VALUES (?a ?b) { (:p1 :p7) (:p2 :p1) (:p9 :nobody) (UNDEF :p4) } ?r rdf:reifies <<( ?a :knows ?b )>> }',
  'parts that are computed':
    'SELECT * { ?a :age ?n BIND(IRI(CONCAT("urn:p", STR(?n / 5))) AS ?b) ?r rdf:reifies <<( ?a :knows ?b )>> }',
  'parts without any pattern in common': 'SELECT * { :p5 :age ?n . ?x :by ?y . ?r rdf:reifies <<( ?y :knows ?z )>> }',
  'an annotation': 'SELECT * { ?a :knows ?b {| :sure ?s |} FILTER(?s < 0.3) }',
  'a path from a triple term':
    'SELECT * { ?a :age ?n . ?r rdf:reifies <<( ?a :knows ?b )>> . <<( ?a :never ?n )>> :by* ?x }',
  'a path to a triple term': 'SELECT * { ?a :age ?n ; :knows ?b . ?r rdf:reifies+ <<( ?a :knows ?b )>> }',
  'functions of their parts':
    'SELECT ?r (SUBJECT(?t) AS ?a) (PREDICATE(?t) AS ?p) (OBJECT(OBJECT(?t)) AS ?b) { ?r rdf:reifies ?t }',
  'a condition on a part': 'SELECT ?r { ?r rdf:reifies ?t FILTER(PREDICATE(?t) = :says || OBJECT(?t) = :p3) }',
  'groups by a part': 'SELECT ?a (COUNT(*) AS ?n) { ?r rdf:reifies ?t BIND(SUBJECT(?t) AS ?a) } GROUP BY ?a',
  'the term in a variable, too':
    'SELECT * { ?r rdf:reifies ?t . ?q rdf:reifies <<( ?a :knows ?b )>> FILTER(?t = TRIPLE(?a, :knows, ?b)) }',
};

/** Returns the solutions as text, sorted. */
async function solutions(engine: WorldsEngine, query: string): Promise<string[]> {
  const rows = await (await engine.select({ query: PREFIXES + query, sources: ['w'] })).array();
  return rows
    .map((row) => JSON.stringify(Array.from(row.entries(), ([name, term]) => [name, termKey(term)]).sort()))
    .sort();
}

/** Returns the operators of a plan, the last to run first. */
async function operators(engine: WorldsEngine, query: string): Promise<string[]> {
  const { plan } = await engine.explain({ query: PREFIXES + query, sources: ['w'] });
  const all = ({ operator, inputs }: PlanNode): string[] => [operator, ...inputs.flatMap(all)];
  return all(plan);
}

describe('triple terms with variables', () => {
  const engines: { readonly native: WorldsEngine; readonly others: readonly WorldsEngine[] } = {} as never;

  beforeAll(async () => {
    const open = async (sparql: SparqlEngine) => {
      const engine = await WorldsEngine.open({ sparql, textIndex: null });
      await engine.createWorld({ slug: 'w' });
      await engine.import({ source: 'w', data: reports(), contentType: 'text/turtle' });
      return engine;
    };
    const others = [await open(nativeEngine({ optimize: false })), await open(naiveEngine())];
    Object.assign(engines, { native: await open(nativeEngine()), others });
  });
  afterAll(async () => {
    for (const engine of [engines.native, ...engines.others]) await engine.close();
  });

  for (const [name, query] of Object.entries(QUERIES)) {
    it(`match as in the naive engine: ${name}`, async () => {
      const expected = await solutions(engines.others[1], query);
      for (const engine of [engines.native, engines.others[0]]) {
        for (let run = 0; run < 3; run++) expect(await solutions(engine, query)).toEqual(expected);
      }
    });
  }

  it('have solutions in most of these queries', async () => {
    const counts = await Promise.all(
      Object.values(QUERIES).map(async (query) => (await solutions(engines.native, query)).length),
    );
    expect(counts.filter((count) => count === 0).length).toBeLessThan(4);
  });

  it('are found where their parts are bound', async () => {
    const found = await operators(engines.native, QUERIES['parts bound by a fact']!);
    expect(found.slice(-3)).toEqual(['probe join', 'find triple term', 'scan']);
  });

  it('join a pattern that shares a variable with them alone, without a cross product', async () => {
    const found = await operators(engines.native, QUERIES['one part bound']!);
    expect(found).toContain('hash join (inner)');
    expect(found.slice(-2)).toEqual(['triple term', 'scan']);
  });
});
