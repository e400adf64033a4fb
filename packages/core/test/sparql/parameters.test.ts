import type * as RDF from '@rdfjs/types';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { parameterised } from '../../src/sparql/parameters.ts';
import { Planner } from '../../src/sparql/plan/planner.ts';
import { prepareOperation } from '../../src/sparql/prepare-operation.ts';

const { namedNode, literal } = dataFactory;

const PREFIX = 'PREFIX : <urn:>\n';
const DATA = `${PREFIX}
:a a :Person ; :name "Ann" ; :age 30 ; :knows :b , :c ; :likes _:x .
:b a :Person ; :name "Bob"@en ; :age 40 ; :knows :c .
:c a :Person , :Robot ; :name "Cy" ; :age 30.0 ; :knows :a , :d .
:d :name "Dee" , "D" . _:x :name "X" ; :knows :a .
GRAPH :g { :a :note "n1" . :b :note "n2" , "n3" } GRAPH :h { :a :note "m1" ; :knows :b }`;

const TERMS: readonly RDF.Term[] = [
  ...['a', 'b', 'c', 'd', 'Person', 'Robot', 'g', 'knows', 'name', 'unknown'].map((name) => namedNode(`urn:${name}`)),
  literal('Ann'),
  literal('Bob', 'en'),
  literal('30', namedNode('http://www.w3.org/2001/XMLSchema#integer')),
  literal('new'),
];

/** Each is run with every term for its variables; with one plan for all terms where `isKept`. */
const QUERIES: readonly { readonly text: string; readonly names: readonly string[]; readonly isKept: boolean }[] = [
  { text: 'SELECT ?o { ?s :knows ?o }', names: ['s'], isKept: true },
  { text: 'SELECT ?s ?o { ?s :knows ?o }', names: ['s'], isKept: true },
  { text: 'SELECT * { ?s :knows ?o ; :name ?n . ?o :age ?g }', names: ['o'], isKept: true },
  { text: 'SELECT * { ?s ?p ?o }', names: ['p', 'o'], isKept: true },
  { text: 'SELECT ?n ?k { ?s :name ?n OPTIONAL { ?s :knows ?k } }', names: ['s'], isKept: true },
  { text: 'SELECT ?n ?k { ?s :name ?n OPTIONAL { ?s :knows ?k } }', names: ['k'], isKept: true },
  { text: 'SELECT * { ?s :name ?n OPTIONAL { ?s :knows ?k FILTER(?k != :c) } }', names: ['s'], isKept: true },
  { text: 'SELECT * { ?s :name ?n OPTIONAL { ?s :knows ?k FILTER(?k != ?v) } }', names: ['v'], isKept: true },
  { text: 'SELECT * { ?s :name ?n OPTIONAL { { ?s :knows ?k FILTER(?k != ?v) } } }', names: ['v'], isKept: false },
  { text: 'SELECT * { ?s :age ?n FILTER(?n >= ?v) }', names: ['v'], isKept: true },
  { text: 'SELECT * { ?s :name ?n FILTER(?n = ?v || ?s = ?v) }', names: ['v'], isKept: true },
  { text: 'SELECT * { ?s :name ?n BIND(STR(?v) AS ?t) }', names: ['v'], isKept: true },
  { text: 'SELECT * { { ?s :name ?n } UNION { ?s :knows ?n } }', names: ['s'], isKept: true },
  { text: 'SELECT * { { ?s :name ?n } UNION { ?x :knows ?n FILTER(?x != :a) } }', names: ['s'], isKept: true },
  { text: 'SELECT * { { ?s :name ?n } UNION { ?x :knows ?n FILTER(?x != ?s) } }', names: ['s'], isKept: false },
  { text: 'SELECT * { ?s :knows+ ?o }', names: ['s'], isKept: true },
  { text: 'SELECT * { ?s :knows* ?o }', names: ['s'], isKept: false },
  { text: 'SELECT * { ?s (:knows|:likes)/:name ?o }', names: ['o'], isKept: true },
  { text: 'SELECT * { GRAPH :g { ?s :note ?o } }', names: ['s'], isKept: true },
  { text: 'SELECT * { GRAPH ?g { ?s :note ?o } }', names: ['g'], isKept: false },
  { text: 'SELECT * { GRAPH ?g { ?s :note ?o } }', names: ['s'], isKept: false },
  { text: 'SELECT ?o (COUNT(*) AS ?n) { ?s :knows ?o } GROUP BY ?o', names: ['s'], isKept: true },
  { text: 'SELECT ?s (COUNT(*) AS ?n) { ?s :knows ?o } GROUP BY ?s', names: ['s'], isKept: false },
  { text: 'SELECT (COUNT(*) AS ?n) (MAX(?g) AS ?m) { ?s :knows ?o . ?o :age ?g }', names: ['s'], isKept: true },
  { text: 'SELECT ?o (COUNT(*) AS ?n) { ?s :knows ?o } GROUP BY ?o HAVING(?o != ?s)', names: ['s'], isKept: true },
  { text: 'SELECT ?o (?n + 1 AS ?m) { ?s :knows ?o BIND(1 AS ?n) } ORDER BY (?s = :a) ?o', names: ['s'], isKept: true },
  { text: 'SELECT ?o (SAMPLE(?s = :a) AS ?t) { ?s :knows ?o } GROUP BY ?o', names: ['s'], isKept: true },
  { text: 'SELECT ?o { ?s :knows ?o { SELECT ?o { ?o :name ?n } } }', names: ['s'], isKept: false },
  { text: 'SELECT ?s ?o { { SELECT ?o { ?s :knows ?o } } }', names: ['s'], isKept: false },
  { text: 'SELECT * { ?s :knows ?o MINUS { ?s :name "Ann" } }', names: ['s'], isKept: false },
  { text: 'SELECT * { ?s :knows ?o FILTER EXISTS { ?o :knows ?s } }', names: ['s'], isKept: true },
  { text: 'SELECT * { ?s :knows ?o FILTER NOT EXISTS { ?x :knows ?o FILTER(?x != ?s) } }', names: ['s'], isKept: true },
  { text: 'SELECT * { ?s :knows ?o VALUES ?o { :b :c } }', names: ['s'], isKept: false },
  { text: 'SELECT DISTINCT ?o { ?s :knows/:knows ?o } ORDER BY ?o LIMIT 2', names: ['s'], isKept: true },
  { text: 'SELECT ?o { ?s :knows ?o } ORDER BY (?o = ?v) ?o', names: ['v'], isKept: true },
  { text: 'ASK { ?s :knows :c ; :name ?n }', names: ['s'], isKept: true },
  { text: 'CONSTRUCT { ?s :saw ?o . ?o :seen ?s } { ?s :knows ?o }', names: ['s'], isKept: true },
  { text: 'CONSTRUCT { ?s :is ?v } { ?s :knows ?o }', names: ['v'], isKept: true },
  { text: 'DESCRIBE ?o { ?s :knows ?o }', names: ['s'], isKept: false },
];

const textOf = (term: RDF.Term | RDF.Quad): string =>
  term.termType === 'Quad'
    ? [term.subject, term.predicate, term.object].map(textOf).join(' ')
    : term.termType === 'Literal'
      ? `"${term.value}"@${term.language}^^${term.datatype.value}`
      : `${term.termType} ${term.value}`;

describe('a query that is prepared once and run with many bindings', () => {
  let engine: WorldsEngine;
  let naive: WorldsEngine;
  let blank: RDF.Term;

  beforeAll(async () => {
    engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: DATA, contentType: 'application/trig' });
    // The same blank nodes.
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const restoring = WorldsEngine.restore(readable, { textIndex: null, sparql: nativeEngine({ optimize: false }) });
    await engine.backup(writable);
    naive = await restoring;
    const rows = await engine.select({ query: `${PREFIX}SELECT ?x { :a :likes ?x }` });
    blank = (await rows.array())[0].get('x')!;
  });

  afterAll(async () => {
    await engine.close();
    await naive.close();
  });

  /** Runs a query, a new text each time for the naive engine, so that its plans are not kept. */
  async function answer(
    text: string,
    bindings: Record<string, RDF.Term>,
    isNaive: boolean,
    prepared?: { run: WorldsEngine['query'] },
  ) {
    const result = isNaive
      ? await naive.query({ query: `${PREFIX}${text}`, bindings })
      : await prepared!.run({ bindings } as never);
    if (result.type === 'boolean') return [String(result.value)];
    const texts: string[] = [];
    if (result.type === 'quads') {
      for await (const batch of result.batches) for (const quad of batch) texts.push(textOf(quad));
    } else if (result.type === 'bindings') {
      for await (const batch of result.batches) {
        for (let row = 0; row < batch.length; row++) {
          const cells = result.variables.map((name, column) => {
            const term = batch.term(row, column);
            return `${name}=${term ? textOf(term) : ''}`;
          });
          texts.push(cells.sort().join(', '));
        }
      }
    }
    return /ORDER BY/.test(text) ? texts : texts.sort();
  }

  for (const { text, names, isKept } of QUERIES) {
    it(`answers as if its variables were replaced: ${text} with ${names.join(', ')}`, async () => {
      const prepared = (await engine.prepare({ query: `${PREFIX}${text}` })) as unknown as {
        run: WorldsEngine['query'];
      };
      const terms = [...TERMS, blank];
      const planFor = vi.spyOn(Planner.prototype, 'planFor');
      let planned = 0;
      try {
        for (const [round, first] of [...terms, ...terms].entries()) {
          const others = names.slice(1).map((_, at) => terms[(round * 7 + at * 3) % terms.length]);
          const bindings = Object.fromEntries(names.map((name, at) => [name, [first, ...others][at]]));
          const expected = await answer(text, bindings, true);
          planFor.mockClear();
          expect(await answer(text, bindings, false, prepared), JSON.stringify(bindings)).toEqual(expected);
          if (round > 2) planned += planFor.mock.calls.length;
        }
      } finally {
        planFor.mockRestore();
      }
      expect(planned === 0).toBe(isKept);
    });
  }
});

describe('a text that is looked for', () => {
  const given = new Map([['t', dataFactory.literal('needle')]]);
  const hasOnePlan = (condition: string) => {
    const query = prepareOperation(`SELECT ?s { ?s <urn:text> ?x FILTER(${condition}) }`, {});
    if (query.type === 'update') throw new TypeError('not a query');
    return parameterised(query, given) !== undefined;
  };

  it('is part of the plan, which searches stored bytes for it', () => {
    const conditions = [
      'CONTAINS(?x, ?t)',
      'REGEX(?x, ?t, "i")',
      'LCASE(?x) = ?t',
      '?x > 1 || STRSTARTS(STR(?x), LCASE(?t))',
    ];
    for (const condition of conditions) expect([condition, hasOnePlan(condition)]).toEqual([condition, false]);
  });

  it('does not keep other conditions from having one plan for all values', () => {
    for (const condition of ['?x = ?t', '?x > ?t', 'CONTAINS(?x, "a") && ?x != ?t'])
      expect([condition, hasOnePlan(condition)]).toEqual([condition, true]);
  });
});
