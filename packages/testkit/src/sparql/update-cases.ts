import assert from 'node:assert/strict';
import type { WorldsErrorCode } from '@rdf-worlds/core';
import { isomorphic } from 'rdf-isomorphic';
import { NaiveUpdateView } from '../naive-update-view.ts';
import { type EngineCase, type ProbeOptions, show, showQuad } from './engine-probe.ts';
import { EX, PREFIX, shortQuads, shortTerm } from './short-quads.ts';

const START = ['a p 1', 'a p 2', 'b p a', 'x p 1 g1', 'x q 2 g1', 'y p 3 g2'];

const start = () => new NaiveUpdateView([shortQuads(...START)], { emptyGraphs: [shortTerm('empty')] });
const lines = (view: NaiveUpdateView) => [...view.target].map(showQuad).sort();
const graphs = (view: NaiveUpdateView) => [...view.targetGraphs].map((id) => show(view.source.terms.term(id))).sort();
const without = (...gone: string[]) => START.filter((line) => !gone.includes(line));

interface Row {
  readonly text: string;
  readonly quads: readonly string[];
  /** The expected named graphs, if they differ from the initial ones. */
  readonly graphs?: readonly string[];
  readonly options?: ProbeOptions;
}

const given = (...defaultGraphs: string[]): ProbeOptions => ({
  dataset: { defaultGraphs: defaultGraphs.map((name) => EX + name), namedGraphs: [] },
});

/** Requests over {@link START} and their results, by SPARQL 1.1 Update section 3. */
const UPDATES: readonly Row[] = [
  { text: '# nothing to do', quads: START },
  {
    text: 'INSERT DATA { :n :p 1 GRAPH :g3 { :n :p 2 } }',
    quads: [...START, 'n p 1', 'n p 2 g3'],
    graphs: ['empty', 'g1', 'g2', 'g3'],
  },
  { text: 'INSERT DATA { :a :p 1 }', quads: START },
  { text: 'INSERT DATA { GRAPH :g3 {} }', quads: START },
  { text: 'DELETE DATA { :a :p 1 . :no :such :triple GRAPH :g1 { :x :q 2 } }', quads: without('a p 1', 'x q 2 g1') },
  { text: 'DELETE DATA { GRAPH :g2 { :y :p 3 } }', quads: without('y p 3 g2') },
  { text: 'DELETE WHERE { ?s :p 1 }', quads: without('a p 1') },
  { text: 'DELETE WHERE { GRAPH ?g { ?s :p ?o } }', quads: without('x p 1 g1', 'y p 3 g2') },
  {
    text: 'DELETE { ?s :p ?o } INSERT { ?s :p 1 } WHERE { ?s :p ?o }',
    quads: [...without('a p 1', 'a p 2', 'b p a'), 'a p 1', 'b p 1'],
  },
  { text: 'DELETE { :a :p ?o } INSERT { :a :p ?o } WHERE { :a :p ?o }', quads: START },
  { text: 'INSERT { ?o :is ?s . ?s :p ?unbound } WHERE { ?s :p ?o }', quads: [...START, 'a is b'] },
  {
    text: 'INSERT { GRAPH ?o { :s :p :o } } WHERE { ?s :p ?o }',
    quads: [...START, 's p o a'],
    graphs: ['a', 'empty', 'g1', 'g2'],
  },
  { text: 'DELETE { ?s ?p ?o } WHERE { GRAPH :g1 { ?x ?p ?o } ?s ?p ?o }', quads: without('a p 1') },
  {
    text: 'WITH :g1 DELETE { ?s :p ?o } INSERT { ?s :r ?o } WHERE { ?s :p ?o }',
    quads: [...without('x p 1 g1'), 'x r 1 g1'],
  },
  { text: 'WITH :g1 INSERT { :n :g ?g } WHERE { GRAPH ?g { :y :p 3 } }', quads: [...START, 'n g g2 g1'] },
  { text: 'WITH :g1 INSERT { GRAPH :g2 { ?s :r ?o } } WHERE { ?s :p ?o }', quads: [...START, 'x r 1 g2'] },
  { text: 'INSERT { ?s :r ?o } USING :g1 WHERE { ?s :p ?o }', quads: [...START, 'x r 1'] },
  { text: 'INSERT { ?s :r ?o } USING NAMED :g1 WHERE { GRAPH ?g { ?s :p ?o } }', quads: [...START, 'x r 1'] },
  { text: 'WITH :g2 INSERT { ?s :r ?o } USING :g1 WHERE { ?s :p ?o }', quads: [...START, 'x r 1 g2'] },
  { text: 'INSERT { ?s :r ?o } WHERE { ?s :p ?o }', quads: [...START, 'x r 1', 'y r 3'], options: given('g1', 'g2') },
  {
    text: 'INSERT DATA { :n :p 1 } ; DELETE { ?s :p 1 } INSERT { ?s :p 9 } WHERE { ?s :p 1 }',
    quads: [...without('a p 1'), 'a p 9', 'n p 9'],
  },
  {
    text: 'PREFIX q: <http://example.org/> INSERT DATA { q:n :p 1 } ; INSERT DATA { q:n :p 2 }',
    quads: [...START, 'n p 1', 'n p 2'],
  },
  { text: 'CREATE GRAPH :g3', quads: START, graphs: ['empty', 'g1', 'g2', 'g3'] },
  { text: 'CREATE SILENT GRAPH :g1', quads: START },
  { text: 'CLEAR GRAPH :g1', quads: without('x p 1 g1', 'x q 2 g1') },
  { text: 'CLEAR GRAPH :empty', quads: START },
  { text: 'CLEAR SILENT GRAPH :none', quads: START },
  { text: 'CLEAR DEFAULT', quads: START.slice(3) },
  { text: 'CLEAR NAMED', quads: START.slice(0, 3) },
  { text: 'CLEAR ALL', quads: [] },
  { text: 'DROP GRAPH :g1', quads: without('x p 1 g1', 'x q 2 g1'), graphs: ['empty', 'g2'] },
  { text: 'DROP SILENT GRAPH :none', quads: START },
  { text: 'DROP DEFAULT', quads: START.slice(3) },
  { text: 'DROP NAMED', quads: START.slice(0, 3), graphs: [] },
  { text: 'DROP ALL', quads: [], graphs: [] },
  { text: 'ADD :g1 TO :g2', quads: [...START, 'x p 1 g2', 'x q 2 g2'] },
  {
    text: 'ADD DEFAULT TO :g3',
    quads: [...START, 'a p 1 g3', 'a p 2 g3', 'b p a g3'],
    graphs: ['empty', 'g1', 'g2', 'g3'],
  },
  { text: 'ADD :empty TO :g3', quads: START, graphs: ['empty', 'g1', 'g2', 'g3'] },
  { text: 'ADD SILENT :none TO :g1', quads: START },
  { text: 'COPY :g1 TO :g2', quads: [...without('y p 3 g2'), 'x p 1 g2', 'x q 2 g2'] },
  { text: 'COPY :g1 TO DEFAULT', quads: [...START.slice(3), 'x p 1', 'x q 2'] },
  { text: 'COPY :empty TO :g1', quads: without('x p 1 g1', 'x q 2 g1') },
  { text: 'COPY SILENT :none TO :g1', quads: START },
  { text: 'MOVE :g1 TO :g2', quads: [...START.slice(0, 3), 'x p 1 g2', 'x q 2 g2'], graphs: ['empty', 'g2'] },
  {
    text: 'MOVE :g1 TO :g3',
    quads: [...without('x p 1 g1', 'x q 2 g1'), 'x p 1 g3', 'x q 2 g3'],
    graphs: ['empty', 'g2', 'g3'],
  },
  { text: 'MOVE DEFAULT TO :g1', quads: ['a p 1 g1', 'a p 2 g1', 'b p a g1', 'y p 3 g2'] },
  { text: 'MOVE SILENT :none TO :g1', quads: START },
  { text: 'ADD :g1 TO :g1 ; COPY :g1 TO :g1 ; MOVE :g1 TO :g1 ; MOVE DEFAULT TO DEFAULT', quads: START },
];

/** Requests over {@link START} that must fail. */
const FAILURES: readonly (readonly [text: string, code: WorldsErrorCode, options?: ProbeOptions])[] = [
  ['CREATE GRAPH :g1', 'ALREADY_EXISTS'],
  ['CREATE GRAPH :empty', 'ALREADY_EXISTS'],
  ['CREATE GRAPH :g3 ; CREATE GRAPH :g3', 'ALREADY_EXISTS'],
  ['CLEAR GRAPH :none', 'NOT_FOUND'],
  ['DROP GRAPH :none', 'NOT_FOUND'],
  ['DROP GRAPH :g1 ; DROP GRAPH :g1', 'NOT_FOUND'],
  ['ADD :none TO :g1', 'NOT_FOUND'],
  ['COPY :none TO :g1', 'NOT_FOUND'],
  ['MOVE :none TO :g1', 'NOT_FOUND'],
  ['INSERT { ?s ?p ?o } USING :g1 WHERE { ?s ?p ?o }', 'INVALID_ARGUMENT', given('g2')],
  ['WITH :g1 DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }', 'INVALID_ARGUMENT', given('g2')],
];

/** Cases for update requests. */
export const updateCases: readonly EngineCase[] = [
  ...UPDATES.map(
    ({ text, quads, graphs: named = ['empty', 'g1', 'g2'], options }): EngineCase => ({
      name: `update: ${text}${options ? ' (with given graphs)' : ''}`,
      async run(probe) {
        const view = start();
        await probe.update(view, PREFIX + text, options);
        assert.deepEqual(lines(view), [...quads].sort());
        assert.deepEqual(graphs(view), [...named]);
      },
    }),
  ),
  ...FAILURES.map(
    ([text, code, options]): EngineCase => ({
      name: `update: ${code}: ${text}`,
      async run(probe) {
        await probe.expectError(() => probe.update(start(), PREFIX + text, options), code);
      },
    }),
  ),
  {
    name: 'update: WHERE is evaluated once, over the state before',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('a next b', 'b next c')]);
      const text = 'DELETE { ?x :next ?y } INSERT { ?y :next ?x } WHERE { ?x :next ?y }';
      await probe.update(view, PREFIX + text);
      assert.deepEqual(lines(view), ['b next a', 'c next b']);
      assert.equal(view.applied.length, 1, 'one operation is applied at once');
    },
  },
  {
    name: 'update: blank nodes of INSERT are new for every solution, and one for every label',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('a p 1', 'b p 2')]);
      await probe.update(view, `${PREFIX} DELETE { ?s :p ?o } INSERT { _:r :of ?s ; :is ?o } WHERE { ?s :p ?o }`);
      const expected = shortQuads('_:x of a', '_:x is 1', '_:y of b', '_:y is 2');
      assert.ok(isomorphic([...view.target], expected), lines(view).join('\n'));
    },
  },
  {
    name: 'update: a label in INSERT DATA is one node, and a new one each time it runs',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('_:b p 0')]);
      const text = `${PREFIX} INSERT DATA { _:b :p 1 . _:b :q 2 GRAPH :g { _:b :r 3 } }`;
      await probe.update(view, text);
      await probe.update(view, text);
      const twice = ['x', 'y'].flatMap((b) => shortQuads(`_:${b} p 1`, `_:${b} q 2`, `_:${b} r 3 g`));
      assert.ok(isomorphic([...view.target], [...shortQuads('_:b p 0'), ...twice]), lines(view).join('\n'));
    },
  },
  {
    name: 'update: COPY, MOVE and INSERT of matched nodes preserve blank nodes',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('_:b p 1 g1', 'a q _:b')]);
      await probe.update(
        view,
        `${PREFIX} COPY :g1 TO :g2 ; MOVE :g1 TO :g3 ; INSERT { GRAPH :g4 { ?b :p 1 } } WHERE { :a :q ?b }`,
      );
      assert.deepEqual(lines(view), ['_:b p 1 g2', '_:b p 1 g3', '_:b p 1 g4', 'a q _:b']);
    },
  },
  {
    name: 'update: BNODE() creates one node per solution, wherever the template uses it',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('a p 1', 'b p 2')]);
      const text = 'DELETE { ?s :p ?o } INSERT { ?n :of ?s . :root :has ?n } WHERE { ?s :p ?o BIND(BNODE() AS ?n) }';
      await probe.update(view, PREFIX + text);
      const expected = shortQuads('_:x of a', 'root has _:x', '_:y of b', 'root has _:y');
      assert.ok(isomorphic([...view.target], expected), lines(view).join('\n'));
    },
  },
  {
    name: 'update: WHERE sees all worlds, but only the target changes',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('a p 1'), shortQuads('b p 2', 'c p 3 g')]);
      await probe.update(view, `${PREFIX} INSERT { ?s :seen ?o } WHERE { ?s :p ?o }`);
      assert.deepEqual(lines(view), ['a p 1', 'a seen 1', 'b seen 2']);
      await probe.expectError(() => probe.update(view, `${PREFIX} DROP GRAPH :g`), 'NOT_FOUND');
      await probe.update(view, 'DROP ALL');
      assert.deepEqual([...view.source].map(showQuad).sort(), ['b p 2', 'c p 3 g']);
    },
  },
  {
    name: 'update: an aborted signal stops it before anything changes',
    async run(probe) {
      const view = start();
      const signal = AbortSignal.abort();
      await probe.expectError(() => probe.update(view, 'DROP ALL', { signal }), 'ABORTED');
      assert.deepEqual(lines(view), [...START].sort());
    },
  },
];
