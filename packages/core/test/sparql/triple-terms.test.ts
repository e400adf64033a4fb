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
  'an object bound by rows': 'SELECT * { ?b :age ?n . ?r rdf:reifies <<( ?a :knows ?b )>> ; :sure ?s }',
  'a subject and an object bound by rows':
    'SELECT * { ?a :age ?n . ?b :age ?m FILTER(?n > ?m) ?r rdf:reifies <<( ?a ?p ?b )>> }',
  'a constant object': 'SELECT * { ?r rdf:reifies <<( ?a ?p :p7 )>> }',
  'a constant subject and object': 'SELECT * { ?r rdf:reifies <<( :p1 ?p :p7 )>> }',
  'a constant subject in two patterns':
    'SELECT * { ?r rdf:reifies <<( :p3 ?p ?b )>> . ?q rdf:reifies <<( ?b ?p ?c )>> . ?q :sure ?s }',
  'a constant in a nested triple term': 'SELECT * { ?s rdf:reifies <<( ?r :says <<( :p7 ?p ?b )>> )>> }',
  'a predicate bound by rows': 'SELECT * { VALUES ?p { :knows :says } ?r rdf:reifies <<( ?a ?p ?b )>> ; :sure ?s }',
  'a subject that EXISTS binds':
    'SELECT * { ?a :age ?n FILTER EXISTS { ?r rdf:reifies <<( ?a :knows ?b )>> ; :sure ?s FILTER(?s * 100 > ?n) } }',
  'a path of length zero to a triple term of a subject':
    'SELECT * { ?a :age ?n . <<( ?a ?p ?b )>> :by* ?x . ?x :never* ?y }',
  'a path of length zero from a constant subject': 'SELECT * { <<( :p3 ?p ?b )>> (:by|rdf:reifies)* ?x }',
  'the first of many': 'SELECT ?a { ?a :age ?n . ?r rdf:reifies <<( ?a :knows ?b )>> } ORDER BY ?n ?r LIMIT 3',
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

  it('are looked up where their subject or object is known', async () => {
    for (const name of ['one part bound', 'an object bound by rows']) {
      const found = await operators(engines.native, QUERIES[name]!);
      expect(found.slice(-2)).toEqual(['look up triple term', 'scan']);
    }
    expect((await operators(engines.native, QUERIES['a constant object']!)).slice(-2)).toEqual([
      'look up triple term',
      'unit',
    ]);
  });

  it('join a pattern that shares a predicate with them alone, without a cross product', async () => {
    const found = await operators(engines.native, QUERIES['a predicate bound by rows']!);
    expect(found).toContain('hash join (inner)');
    expect(found).toContain('triple term');
  });
});

describe('triple terms of a subject', () => {
  const about = (sources: readonly string[], engine: WorldsEngine, where = '?r rdf:reifies <<( :ada ?p ?o )>>') =>
    engine
      .select({ query: `${PREFIXES} SELECT ?o { ${where} } ORDER BY ?o`, sources })
      .then((rows) => rows.array())
      .then((rows) => rows.map((row) => row.get('o')!.value));
  const says = (what: string) => `${PREFIXES} INSERT DATA { [] rdf:reifies <<( :ada :knows "${what}" )>> }`;

  it('are those of the worlds that are asked, at the time of the query', async () => {
    const engine = await WorldsEngine.open();
    for (const slug of ['one', 'other']) await engine.createWorld({ slug });
    await engine.update({ query: says('1'), sources: [{ name: 'one', write: true }] });
    expect(await about(['one'], engine)).toEqual(['1']);
    await engine.update({ query: says('2'), sources: [{ name: 'other', write: true }] });
    await engine.update({ query: says('3'), sources: [{ name: 'one', write: true }] });
    expect(await about(['one'], engine)).toEqual(['1', '3']);
    expect(await about(['other'], engine)).toEqual(['2']);
    expect(await about(['one', 'other'], engine)).toEqual(['1', '2', '3']);
    await engine.update({
      query: `${PREFIXES} DELETE WHERE { ?r rdf:reifies <<( :ada :knows "1" )>> }`,
      sources: [{ name: 'one', write: true }],
    });
    await engine.compact({ forgetChanges: true });
    expect(await about(['one', 'other'], engine)).toEqual(['2', '3']);
    await engine.update({ query: says('4'), sources: [{ name: 'one', write: true }] });
    expect(await about(['one'], engine)).toEqual(['3', '4']);
    await engine.close();
  });

  it('are those of the graph that is asked', async () => {
    const engine = await WorldsEngine.open();
    await engine.createWorld({ slug: 'w' });
    const graphs = ['g', 'h'].map((graph) => `GRAPH :${graph} { [] rdf:reifies <<( :ada :knows "${graph}" )>> }`);
    await engine.update({
      query: `${PREFIXES} INSERT DATA { ${graphs.join(' ')} }`,
      sources: [{ name: 'w', write: true }],
    });
    expect(await about(['w'], engine)).toEqual([]);
    expect(await about(['w'], engine, 'GRAPH :h { ?r rdf:reifies <<( :ada ?p ?o )>> }')).toEqual(['h']);
    expect(await about(['w'], engine, 'GRAPH ?g { ?r rdf:reifies <<( :ada ?p ?o )>> }')).toEqual(['g', 'h']);
    await engine.close();
  });

  it('are found in worlds of several namespaces, also in pieces', async () => {
    const engine = await WorldsEngine.open({ sparql: nativeEngine({ batchRows: 2 }) });
    const sources = ['a/w', 'b/w'];
    for (const [at, source] of sources.entries()) {
      const [namespace, slug] = source.split('/');
      await engine.createWorld({ namespace, slug });
      for (const n of [1, 2, 3]) {
        await engine.update({ query: says(`${at} ${n}`), sources: [{ name: source, write: true }] });
      }
    }
    const all = ['0 1', '0 2', '0 3', '1 1', '1 2', '1 3'];
    expect(await about(sources, engine)).toEqual(all);
    // The same plan, with the namespaces the other way round.
    expect(await about(sources.toReversed(), engine)).toEqual(all);
    expect(await about(['b/w'], engine)).toEqual(all.slice(3));
    expect(
      await about(sources, engine, '?r rdf:reifies <<( ?s ?p ?o )>> . ?q rdf:reifies <<( ?s ?p "1 2" )>>'),
    ).toEqual(all);
    await engine.close();
  });

  it('are found by an operation of an update after the one that made them', async () => {
    const engine = await WorldsEngine.open();
    await engine.createWorld({ slug: 'w' });
    await engine.update({
      query: `${PREFIXES} INSERT { [] rdf:reifies <<( :ada :knows ?new )>> } WHERE { BIND(CONCAT("n", "ew") AS ?new) } ;
        INSERT { [] rdf:reifies <<( :ada :likes ?copy )>> }
        WHERE { ?r rdf:reifies <<( :ada :knows ?o )>> BIND(CONCAT(?o, "er") AS ?copy) }`,
      sources: [{ name: 'w', write: true }],
    });
    expect(await about(['w'], engine)).toEqual(['new', 'newer']);
    await engine.close();
  });
});
