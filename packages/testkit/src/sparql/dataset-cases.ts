import { dataFactory } from '@rdf-worlds/core';
import { naiveDataset } from '../naive-dataset.ts';
import type { EngineCase, ProbeOptions } from './engine-probe.ts';
import { EX, PREFIX, shortQuads, shortTerm } from './short-quads.ts';

const data = () =>
  naiveDataset(
    [shortQuads('d p 1', 'd p 2', 'x p 2 g1', 'x p 3 g1', 'y q x g1', 'x p 3 g2', 'z p g2 g2', 'g1 label "one"')],
    { emptyGraphs: [shortTerm('empty')] },
  );

const graphs = (defaultGraphs: string[], namedGraphs: string[]): ProbeOptions => ({
  dataset: { defaultGraphs: defaultGraphs.map((name) => EX + name), namedGraphs: namedGraphs.map((name) => EX + name) },
});

type Row = readonly [name: string, text: string, rows: readonly string[], options?: ProbeOptions];

/** Queries over {@link data}, by the rules of SPARQL 1.1 section 13. */
const SELECTS: readonly Row[] = [
  ['patterns see the default graph', 'SELECT ?o { ?s :p ?o }', ['1', '2']],
  ['GRAPH ?g ranges over the named graphs', 'SELECT ?g ?o { GRAPH ?g { :x :p ?o } }', ['g1 2', 'g1 3', 'g2 3']],
  ['GRAPH with a name', 'SELECT ?o { GRAPH :g2 { :x :p ?o } }', ['3']],
  ['GRAPH with a name that is not a graph', 'SELECT ?s { GRAPH :none { ?s ?p ?o } }', []],
  ['GRAPH ?g {} has empty graphs too', 'SELECT ?g { GRAPH ?g {} }', ['empty', 'g1', 'g2']],
  ['GRAPH with the name of an empty graph', 'SELECT * { GRAPH :empty {} }', ['']],
  ['GRAPH {} with a name that is not a graph', 'SELECT * { GRAPH :none {} }', []],
  ['GRAPH joins with what binds its variable', 'SELECT ?g ?l { ?g :label ?l GRAPH ?g {} }', ['g1 "one"']],
  ['the graph variable inside', 'SELECT ?g ?s { GRAPH ?g { ?s :p ?g } }', ['g2 z']],
  [
    'OPTIONAL in every graph, empty ones too',
    'SELECT ?g ?s { GRAPH ?g { OPTIONAL { ?s :q ?o } } }',
    ['empty -', 'g1 y', 'g2 -'],
  ],
  [
    'an aggregate in every graph',
    'SELECT ?g ?n { GRAPH ?g { SELECT (COUNT(*) AS ?n) { ?s :p ?o } } }',
    ['empty 0', 'g1 2', 'g2 2'],
  ],
  ['a limit in every graph', 'SELECT ?g { GRAPH ?g { SELECT ?s { ?s :p ?o } LIMIT 1 } }', ['g1', 'g2']],
  ['a subquery is in the graph around it', 'SELECT ?g ?s { GRAPH ?g { SELECT ?s { ?s :q ?o } } }', ['g1 y']],
  [
    'MINUS without shared variables removes nothing',
    'SELECT ?g ?s { GRAPH ?g { ?s :q ?o MINUS { ?a :p ?b } } }',
    ['g1 y'],
  ],
  ['BIND alone in every graph', 'SELECT ?g ?x { GRAPH ?g { BIND(1 AS ?x) } }', ['empty 1', 'g1 1', 'g2 1']],
  [
    'VALUES in a graph',
    'SELECT ?g ?x { GRAPH ?g { VALUES (?g ?x) { (UNDEF 1) (:g1 2) } } }',
    ['empty 1', 'g1 1', 'g1 2', 'g2 1'],
  ],
  ['EXISTS in the same graph', 'SELECT ?g ?o { GRAPH ?g { :x :p ?o FILTER EXISTS { ?y :q :x } } }', ['g1 2', 'g1 3']],
  ['a filter on the graph variable outside', 'SELECT ?g ?o { GRAPH ?g { :x :p ?o } FILTER(?g = :g2) }', ['g2 3']],
  ['GRAPH inside GRAPH', 'SELECT ?g ?s { GRAPH :g2 { GRAPH ?g { ?s :q ?o } } }', ['g1 y']],
  ['a path in a graph', 'SELECT ?g ?o { GRAPH ?g { :y :q/:p ?o } }', ['g1 2', 'g1 3']],
  ['a path of length zero in every graph', 'SELECT ?g { GRAPH ?g { :nobody :p* :nobody } }', ['empty', 'g1', 'g2']],
  ['FROM merges graphs', 'SELECT ?s ?o FROM :g1 FROM :g2 { ?s :p ?o }', ['x 2', 'x 3', 'z g2']],
  ['FROM leaves no named graph', 'SELECT ?g FROM :g1 { GRAPH ?g { ?s ?p ?o } }', []],
  ['FROM NAMED', 'SELECT ?g ?s ?o FROM NAMED :g2 { GRAPH ?g { ?s :p ?o } }', ['g2 x 3', 'g2 z g2']],
  ['FROM NAMED leaves an empty default graph', 'SELECT ?s FROM NAMED :g2 { ?s :p ?o }', []],
  ['FROM of a graph that is not there', 'SELECT ?s FROM :none { ?s ?p ?o }', []],
  ['the given dataset', 'SELECT ?o { ?s :p ?o }', ['2', '3'], graphs(['g1'], [])],
  ['the given dataset overrides FROM', 'SELECT ?o FROM :g2 { ?s :p ?o }', ['2', '3'], graphs(['g1'], [])],
  ['the given named graphs', 'SELECT ?g FROM :g1 { GRAPH ?g { :x ?p ?o } }', ['g2'], graphs([], ['g2'])],
  ['a given dataset of nothing', 'SELECT ?s { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }', [], graphs([], [])],
];

/** Cases for the graphs that a query sees. */
export const datasetCases: readonly EngineCase[] = [
  ...SELECTS.map(
    ([name, text, rows, options]): EngineCase => ({
      name: `dataset: ${name}`,
      run: (probe) => probe.expectRows(data(), PREFIX + text, rows, options),
    }),
  ),
  {
    name: 'dataset: several worlds are merged, and a triple in two of them is returned once',
    run: (probe) => {
      const source = naiveDataset([shortQuads('a p 1', 'a p 2 g'), shortQuads('a p 1', 'b p 3', 'a p 2 g', 'a p 4 g')]);
      const text = 'SELECT ?s ?o ?g { { ?s :p ?o } UNION { GRAPH ?g { ?s :p ?o } } }';
      return probe.expectRows(source, PREFIX + text, ['a 1 -', 'b 3 -', 'a 2 g', 'a 4 g']);
    },
  },
  {
    name: 'dataset: a blank node names a graph',
    run: (probe) => {
      const source = naiveDataset([shortQuads('a p 1 _:g')], { emptyGraphs: [dataFactory.blankNode('h')] });
      return probe.expectRows(source, 'SELECT ?g ?o { GRAPH ?g { OPTIONAL { ?s ?p ?o } } }', ['_:g 1', '_:h -']);
    },
  },
];
