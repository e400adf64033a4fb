import assert from 'node:assert/strict';
import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { naiveDataset } from '../naive-dataset.ts';
import { NaiveUpdateView } from '../naive-update-view.ts';
import { HOSTILE_STRINGS } from '../random-quads.ts';
import { termKey } from '../term-key.ts';
import { type EngineCase, showQuad } from './engine-probe.ts';
import { PREFIX, shortQuads, shortTerm } from './short-quads.ts';

const bind = (entries: Readonly<Record<string, string>>): ReadonlyMap<string, RDF.Term> =>
  new Map(Object.entries(entries).map(([name, term]) => [name, shortTerm(term)]));

const data = () =>
  naiveDataset([shortQuads('a p b', 'a p c', 'b p c', 'b q 1', 'a in 5 g1', 'b in 6 g2', '_:n p d', '_:m p e')]);

type Row = readonly [name: string, text: string, bindings: Record<string, string>, rows: readonly string[]];

/** Queries over {@link data} with terms substituted for variables. */
const SELECTS: readonly Row[] = [
  ['in a pattern', 'SELECT ?o { ?x :p ?o }', { x: 'a' }, ['b', 'c']],
  ['a selected variable is bound in the result', 'SELECT ?x ?o { ?x :p ?o }', { x: 'b' }, ['b c']],
  ['with SELECT *', 'SELECT * { ?x :p ?y }', { x: 'b' }, ['b c']],
  ['selected, but nowhere else', 'SELECT ?x { :b :q ?o }', { x: 'a' }, ['a']],
  ['in FILTER', 'SELECT ?s { ?s :p ?o FILTER(?o = ?x) }', { x: 'c' }, ['a', 'b']],
  ['in BOUND', 'SELECT ?s { ?s :q ?o FILTER(BOUND(?x)) }', { x: 'c' }, ['b']],
  ['in an expression', 'SELECT (?x + 1 AS ?y) {}', { x: '41' }, ['42']],
  ['in EXISTS', 'SELECT ?o { :a :p ?o FILTER EXISTS { ?o :q ?x } }', { x: '1' }, ['b']],
  ['in a subquery that does not select it', 'SELECT ?o { { SELECT ?o { ?x :p ?o } } }', { x: 'b' }, ['c']],
  ['in a subquery that selects it', 'SELECT ?x ?o { { SELECT ?x ?o { ?x :p ?o } } }', { x: 'b' }, ['b c']],
  ['as the name of a graph', 'SELECT ?o { GRAPH ?x { ?s :in ?o } }', { x: 'g2' }, ['6']],
  ['as the name of a graph that is not there', 'SELECT ?o { GRAPH ?x {} }', { x: 'a' }, []],
  ['a literal as the name of a graph', 'SELECT ?o { GRAPH ?x {} }', { x: '"g1"' }, []],
  ['as a key of GROUP BY', 'SELECT ?x (COUNT(*) AS ?n) { ?x :p ?o } GROUP BY ?x', { x: 'a' }, ['a 2']],
  ['as a key of groups that are none', 'SELECT ?x (COUNT(*) AS ?n) { ?x :p ?o } GROUP BY ?x', { x: 'd' }, []],
  ['on both sides of MINUS', 'SELECT ?o { ?x :p ?o MINUS { ?x :q ?z } }', { x: 'b' }, []],
  ['on one side of MINUS', 'SELECT ?o { :a :p ?o MINUS { ?x :q ?z } }', { x: 'b' }, ['b', 'c']],
  ['VALUES that agrees', 'SELECT ?x ?y { VALUES (?x ?y) { (:a 1) (:b 2) (UNDEF 3) } }', { x: 'a' }, ['a 1', 'a 3']],
  ['in a path', 'SELECT ?o { ?x :p+ ?o }', { x: 'a' }, ['b', 'c']],
  ['in OPTIONAL', 'SELECT ?o { :a :p ?o OPTIONAL { ?o :q ?x } }', { x: '2' }, ['b', 'c']],
  ['as a predicate', 'SELECT ?o { :b ?x ?o }', { x: 'q' }, ['1']],
  ['in ORDER BY', 'SELECT ?o { :b :q ?o } ORDER BY ?x', { x: 'q' }, ['1']],
  ['a blank node of the source', 'SELECT ?o { ?x :p ?o }', { x: '_:n' }, ['d']],
  ['a blank node of the source in FILTER', 'SELECT ?o { ?s :p ?o FILTER(sameTerm(?s, ?x)) }', { x: '_:m' }, ['e']],
  ['a blank node that is not of the source', 'SELECT ?o { ?x :p ?o }', { x: '_:elsewhere' }, []],
  ['a name that the text does not have', 'SELECT ?o { :b :q ?o }', { unknown: 'a' }, ['1']],
];

/** Texts that assign the variable ?x themselves. */
const ASSIGNED: readonly string[] = [
  'SELECT * { :a :p ?o BIND(?o AS ?x) }',
  'SELECT (1 AS ?x) {}',
  'SELECT (COUNT(*) AS ?x) { :a :p ?o }',
  'SELECT ?x { :a :p ?o } GROUP BY (STR(?o) AS ?x)',
  'SELECT ?y { { SELECT (1 AS ?x) {} } }',
  'INSERT { :a :p ?x } WHERE { BIND(1 AS ?x) }',
];

/** Cases for terms substituted for variables: never parsed, and correct in every scope. */
export const bindingCases: readonly EngineCase[] = [
  ...SELECTS.map(
    ([name, text, bindings, rows]): EngineCase => ({
      name: `bindings: ${name}`,
      run: (probe) => probe.expectRows(data(), PREFIX + text, rows, { bindings: bind(bindings) }),
    }),
  ),
  ...ASSIGNED.map(
    (text): EngineCase => ({
      name: `bindings: rejected for a variable that the text assigns: ${text}`,
      async run(probe) {
        await probe.expectError(
          async () => probe.engine.prepare(PREFIX + text, { bindings: bind({ x: 'a' }) }),
          'INVALID_ARGUMENT',
        );
      },
    }),
  ),
  {
    name: 'bindings: in ASK, CONSTRUCT and DESCRIBE',
    async run(probe) {
      const bindings = bind({ x: 'b' });
      assert.equal(await probe.ask(data(), `${PREFIX} ASK { ?x :q 1 }`, { bindings }), true);
      const constructed = await probe.quads(data(), `${PREFIX} CONSTRUCT { ?x :has ?o } { ?x :p ?o }`, { bindings });
      assert.deepEqual(constructed.map(showQuad), ['b has c']);
      const described = await probe.quads(data(), `${PREFIX} DESCRIBE ?x`, { bindings });
      assert.deepEqual(described.map(showQuad).sort(), ['b p c', 'b q 1']);
    },
  },
  {
    name: 'bindings: hostile strings stay strings',
    async run(probe) {
      for (const text of HOSTILE_STRINGS) {
        for (const term of [dataFactory.literal(text), dataFactory.literal(text, 'en')]) {
          const bindings = new Map([['x', term]]);
          const source = naiveDataset([
            [dataFactory.quad(shortTerm('s') as RDF.NamedNode, shortTerm('p') as RDF.NamedNode, term)],
          ]);
          const query = `${PREFIX} SELECT ?x ?s (STR(?x) AS ?t) { ?s ?p ?x FILTER(STRLEN(?x) >= 0 && ?x = ?x) }`;
          const result = await probe.evaluate(source, query, { bindings });
          if (result.type !== 'bindings') assert.fail('no bindings');
          const rows: RDF.Term[] = [];
          for await (const batch of result.batches) {
            for (const row of batch) {
              rows.push(row.get('x')!);
              assert.equal(row.get('t')?.value, text);
            }
          }
          assert.deepEqual(
            rows.map((row) => termKey(row)),
            [termKey(term)],
          );
        }
      }
    },
  },
  {
    name: 'bindings: hostile strings in an update',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('keep p 1')]);
      for (const text of HOSTILE_STRINGS) {
        const bindings = new Map([['x', dataFactory.literal(text)]]);
        await probe.update(view, `${PREFIX} INSERT { :s :p ?x } WHERE {}`, { bindings });
      }
      const texts = [...view.source]
        .filter((quad) => quad.subject.value.endsWith('/s'))
        .map((quad) => quad.object.value);
      assert.deepEqual(texts.sort(), [...HOSTILE_STRINGS].sort());
      const bindings = bind({ x: 'keep', g: 'g' });
      await probe.update(view, `${PREFIX} DELETE { ?x :p ?o } INSERT { GRAPH ?g { ?x :p ?o } } WHERE { ?x :p ?o }`, {
        bindings,
      });
      assert.deepEqual(
        [...view.source].map(showQuad).filter((line) => line.startsWith('keep')),
        ['keep p 1 g'],
      );
    },
  },
  {
    name: 'bindings: a bound blank node in an INSERT template is that node',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('_:n p 1')]);
      await probe.update(view, `${PREFIX} INSERT { ?x :q 2 . _:n :r 3 } WHERE {}`, { bindings: bind({ x: '_:n' }) });
      const lines = [...view.source].map(showQuad).sort();
      assert.deepEqual(lines.slice(0, 2), ['_:n p 1', '_:n q 2']);
      assert.ok(!lines[2].startsWith('_:n '), 'a blank node of the template is a new one');
    },
  },
  {
    name: 'bindings: a variable is not accepted as a value',
    async run(probe) {
      const bindings = new Map<string, RDF.Term>([['x', dataFactory.variable('y')]]);
      await probe.expectError(
        async () => probe.engine.prepare('SELECT * { ?x ?y ?z }', { bindings }),
        'INVALID_ARGUMENT',
      );
    },
  },
];
