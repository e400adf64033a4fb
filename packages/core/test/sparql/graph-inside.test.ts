import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlanNode, WorldsEngine } from '../../src/index.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';

const PREFIX = 'PREFIX : <urn:>\n';
/**
 * The same triples in several graphs, a graph that is a subject in itself, and one without triples.
 */
const DATA = `${PREFIX}
:a :name "A" ; :age 1 .
GRAPH :g1 { :a :name "A" ; :age 1 ; :knows :b . :b :name "B" ; :age 2 ; :knows :c . :g1 :name "self" }
GRAPH :g2 { :a :name "A" , "A2" ; :knows :c . :b :age 3 . :c :name "C" ; :knows :a }
GRAPH :g3 { :c :age 4 ; :knows :d . :d :knows :b . :g1 :age 9 . :g3 :knows :g2 }`;
const OTHER = `${PREFIX} GRAPH :g1 { :a :name "A" ; :age 5 . :e :name "E" } GRAPH :g4 { :a :knows :b . :b :name "B4" }`;

const PATTERNS = [
  'GRAPH ?g { ?s :age ?a FILTER(?a > 1) }',
  'GRAPH ?g { ?s :age ?a FILTER(?a > 1 && ?g != :g1) }',
  'GRAPH ?g { ?s :age ?a FILTER(BOUND(?g)) }',
  'GRAPH ?g { ?s :name ?n OPTIONAL { ?s :age ?a } }',
  'GRAPH ?g { ?s :name ?n OPTIONAL { ?s :age ?a FILTER(?a > 1) } }',
  'GRAPH ?g { ?s :name ?n OPTIONAL { ?s :age ?a FILTER(?a > 1 || ?g = :g1) } }',
  'GRAPH ?g { ?s :name ?n OPTIONAL { ?g :age ?a } }',
  'GRAPH ?g { ?g :name ?n OPTIONAL { ?s :age ?a } }',
  'GRAPH ?g { OPTIONAL { ?s :age ?a } }',
  'GRAPH ?g { OPTIONAL { ?s :nothing ?a } }',
  'GRAPH ?g { ?s :name ?n OPTIONAL { ?x :age 9 } }',
  'GRAPH ?g { { ?s :name ?n } UNION { ?s :age ?n } }',
  'GRAPH ?g { { ?s :name ?n } UNION { } }',
  'GRAPH ?g { { ?s :name ?n FILTER(STRLEN(?n) > 1) } UNION { ?s :knows ?o OPTIONAL { ?o :age ?a } } }',
  'GRAPH ?g { ?s :name ?n . { ?s :age ?a } UNION { ?s :knows ?o } }',
  'GRAPH ?g { ?s :name ?n VALUES ?n { "A" "C" } }',
  'GRAPH ?g { ?s :name ?n VALUES ?g { :g1 :g2 } }',
  'GRAPH ?g { VALUES ?n { "A" } }',
  'GRAPH ?g { ?s :age ?a BIND(?a + 1 AS ?b) }',
  'GRAPH ?g { ?s :age ?a BIND(?g AS ?b) }',
  'GRAPH ?g { ?s :age ?a BIND(BNODE() AS ?b) FILTER(ISBLANK(?b)) }',
  'GRAPH ?g { ?s :name ?n MINUS { ?s :age ?a } }',
  'GRAPH ?g { ?s :name ?n MINUS { ?x :age ?a } }',
  'GRAPH ?g { ?s :name ?n FILTER NOT EXISTS { ?s :age ?a } }',
  'GRAPH ?g { ?s :name ?n FILTER EXISTS { ?s :age ?a FILTER(?a < 3) } }',
  'GRAPH ?g { { SELECT ?s (COUNT(*) AS ?n) { ?s :name ?x } GROUP BY ?s } }',
  'GRAPH ?g { ?s :name ?n { SELECT ?s { ?s :age ?a } } }',
  'GRAPH ?g { ?s :name ?n GRAPH ?h { ?s :age ?a FILTER(?a > 1) } }',
  'GRAPH ?g { ?s :name ?n FILTER(STRLEN(?n) > 0) GRAPH :g3 { ?x :knows ?y OPTIONAL { ?y :age ?a } } }',
  'GRAPH ?g { :a :knows+ ?x }',
  'GRAPH ?g { ?x :knows+ :b }',
  'GRAPH ?g { :a :knows* ?x }',
  'GRAPH ?g { :a (:knows/:knows)+ ?x }',
  'GRAPH ?g { :c ^:knows+ ?x }',
  'GRAPH ?g { :a (:knows|:age)+ ?x }',
  'GRAPH ?g { ?x (:knows/:age) ?y }',
  'GRAPH ?g { :a :knows+ ?x OPTIONAL { ?x :name ?n } FILTER(?x != :a) }',
  'GRAPH ?g { :nobody :knows+ ?x }',
  'GRAPH ?g { ?s :name ?n OPTIONAL { ?s :knows ?o } } ?s :age ?b',
  '?s :age ?b OPTIONAL { GRAPH ?g { ?s :name ?n OPTIONAL { ?s :knows ?o } } }',
  '?s :name ?n FILTER EXISTS { GRAPH ?g { ?s :knows ?o FILTER(?o != :b) } }',
  '?s :name ?n FILTER NOT EXISTS { GRAPH ?g { ?s :age ?a OPTIONAL { ?s :knows ?o } FILTER(!BOUND(?o)) } }',
  'VALUES ?g { :g1 :g9 } GRAPH ?g { ?s :name ?n OPTIONAL { ?s :age ?a } }',
  'GRAPH ?g { ?s :name ?n OPTIONAL { ?s :age ?a } } GRAPH ?g { ?s :knows ?o FILTER(?o != :c) }',
];

describe('GRAPH with a variable around other patterns than triples', () => {
  const engines: WorldsEngine[] = [];

  beforeAll(async () => {
    for (const sparql of [nativeEngine({ optimize: false }), nativeEngine(), nativeEngine({ batchRows: 1 })]) {
      const engine = await WorldsEngine.open({ sparql, textIndex: null });
      for (const [slug, data] of [
        ['w', DATA],
        ['other', OTHER],
      ] as const) {
        await engine.createWorld({ slug });
        await engine.import({ source: slug, data, contentType: 'application/trig' });
      }
      await engine.update({ query: 'CREATE GRAPH <urn:empty>', sources: [{ slug: 'w', write: true }] });
      engines.push(engine);
    }
  });

  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  for (const pattern of PATTERNS) {
    it(`has the solutions of each graph: ${pattern}`, async () => {
      for (const sources of [['w'], ['w', 'other']]) {
        const answers: string[][] = [];
        for (const engine of engines) {
          const rows = await (await engine.select({ query: `${PREFIX}SELECT * { ${pattern} }`, sources })).array();
          const texts = rows.map((row) =>
            [...row]
              .map(([name, term]) => `${name}=${term.termType === 'BlankNode' ? 'blank' : term.value}`)
              .sort()
              .join(' '),
          );
          answers.push(texts.sort());
        }
        const [expected, ...others] = answers;
        for (const answer of others) expect(answer).toEqual(expected);
      }
    });
  }

  it('is looked up in all graphs at once', async () => {
    const operators = ({ operator, inputs }: PlanNode): string[] => [operator, ...inputs.flatMap(operators)];
    for (const pattern of [
      'GRAPH ?g { ?s :age ?a FILTER(?a > 1) }',
      'GRAPH ?g { ?s :name ?n OPTIONAL { ?s :age ?a FILTER(?a > 1) } }',
      'GRAPH ?g { { ?s :name ?n } UNION { ?s :knows ?o OPTIONAL { ?o :age ?a } } }',
    ]) {
      const { plan } = await engines[1].explain({ query: `${PREFIX}SELECT * { ${pattern} }`, sources: ['w'] });
      // One scan for each triple pattern, instead of one for each graph.
      const reads = operators(plan).filter((one) => one === 'scan' || one === 'probe join');
      expect(reads, pattern).toHaveLength(pattern.match(/:(age|name|knows) /g)!.length);
    }
  });
});
