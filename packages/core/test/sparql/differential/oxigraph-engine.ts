import type * as RDF from '@rdfjs/types';
import * as oxigraph from 'oxigraph';
import { QuadList } from '../../../src/contracts/quad-list.ts';
import type { QuadSource } from '../../../src/contracts/quad-source.ts';
import type { SparqlResult, UpdateView } from '../../../src/contracts/sparql-engine.ts';
import { DEFAULT_GRAPH } from '../../../src/contracts/term-source.ts';
import { dataFactory, WorldsError, type WorldsErrorCode } from '../../../src/index.ts';
import type { SparqlEngine } from '../../../src/plugin.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';
import { quadsOf } from './switched-engine.ts';

const { namedNode, blankNode, literal, quad, defaultGraph } = dataFactory;

/** A term of SPARQL 1.1 Query Results JSON, with the additions of 1.2. */
type JsonTerm =
  | { readonly type: 'uri' | 'bnode'; readonly value: string }
  | {
      readonly type: 'literal';
      readonly value: string;
      readonly datatype?: string;
      readonly 'xml:lang'?: string;
    };

interface JsonResults {
  readonly head: { readonly vars?: readonly string[] };
  readonly boolean?: boolean;
  readonly results?: { readonly bindings: readonly Readonly<Record<string, JsonTerm>>[] };
}

/**
 * Oxigraph as a `SparqlEngine`. Each request copies the dataset that it reads into a new store;
 * after an update, the contents of the store replace the target world. Updates may therefore read
 * no world other than their target.
 */
export function oxigraphEngine(): SparqlEngine {
  return {
    name: 'oxigraph',
    async prepare(text, { baseIri }) {
      const operation = prepareOperation(text, { baseIri });
      if (operation.type === 'update') return { type: 'update', execute: (view) => runUpdate(view, text, baseIri) };
      return {
        type: 'query',
        form: operation.type,
        evaluate: async (source) => evaluated(storeOf(source), text, baseIri, operation.type),
      };
    },
  };
}

function storeOf(source: QuadSource): oxigraph.Store {
  const store = new oxigraph.Store();
  for (const graph of source.graphs) store.update(`CREATE SILENT GRAPH <${source.terms.term(graph).value}>`);
  for (const one of quadsOf(source))
    store.add(
      oxigraph.quad(
        theirs(one.subject) as oxigraph.Quad_Subject,
        theirs(one.predicate) as oxigraph.Quad_Predicate,
        theirs(one.object) as oxigraph.Quad_Object,
        theirs(one.graph) as oxigraph.Quad_Graph,
      ),
    );
  return store;
}

export function theirs(term: RDF.Term): oxigraph.Term {
  switch (term.termType) {
    case 'NamedNode':
      return oxigraph.namedNode(term.value);
    case 'BlankNode':
      return oxigraph.blankNode(term.value);
    case 'Literal':
      return oxigraph.literal(term.value, term.language || oxigraph.namedNode(term.datatype.value));
    case 'DefaultGraph':
      return oxigraph.defaultGraph();
    default:
      throw new Error(`No ${term.termType} is asked of Oxigraph.`);
  }
}

export function ours(term: oxigraph.Term): RDF.Term {
  switch (term.termType) {
    case 'NamedNode':
      return namedNode(term.value);
    case 'BlankNode':
      return blankNode(term.value);
    case 'Literal':
      return literal(term.value, term.language || namedNode(term.datatype.value));
    case 'DefaultGraph':
      return defaultGraph();
    default:
      throw new Error(`Oxigraph answered a ${term.termType}.`);
  }
}

/** The code of an error: random updates run into two kinds besides UNSUPPORTED. */
function codeOf(error: unknown): WorldsErrorCode {
  const message = error instanceof Error ? error.message : '';
  if (/already exists/.test(message)) return 'ALREADY_EXISTS';
  return /does not exist/.test(message) ? 'NOT_FOUND' : 'UNSUPPORTED';
}

/** Runs a function, and rethrows Oxigraph's errors as `WorldsError`s. */
function asked<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new WorldsError(codeOf(error), `Oxigraph: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function evaluated(store: oxigraph.Store, text: string, baseIri: string | undefined, form: string): SparqlResult {
  const options = { base_iri: baseIri };
  if (form === 'construct' || form === 'describe') {
    const quads = asked(() => store.query(text, options)) as oxigraph.Quad[];
    return { type: 'quads', batches: once(quads.map(ourQuad)) };
  }
  // Only serialized results include the list of variables.
  const json = asked(() => store.query(text, { ...options, results_format: 'application/sparql-results+json' }));
  const { head, boolean, results } = JSON.parse(json as string) as JsonResults;
  if (boolean !== undefined) return { type: 'boolean', value: boolean };
  const variables = head.vars ?? [];
  const rows = (results?.bindings ?? []).map((row) => {
    const terms = new Map(Object.entries(row).map(([name, term]) => [name, jsonTerm(term)]));
    return { get: (name: string) => terms.get(name) };
  });
  return {
    type: 'bindings',
    variables,
    batches: once({
      length: rows.length,
      term: (row: number, column: number) => rows[row].get(variables[column]),
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    }),
  };
}

async function* once<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}

function jsonTerm(term: JsonTerm): RDF.Term {
  switch (term.type) {
    case 'uri':
      return namedNode(term.value);
    case 'bnode':
      return blankNode(term.value);
    default:
      return literal(term.value, term['xml:lang'] ?? (term.datatype ? namedNode(term.datatype) : undefined));
  }
}

const ourQuad = (one: oxigraph.Quad): RDF.Quad =>
  quad(
    ours(one.subject) as RDF.Quad_Subject,
    ours(one.predicate) as RDF.Quad_Predicate,
    ours(one.object) as RDF.Quad_Object,
    ours(one.graph) as RDF.Quad_Graph,
  );

/** Runs an update in Oxigraph, and replaces the target world with the contents of its store. */
async function runUpdate(view: UpdateView, text: string, baseIri: string | undefined): Promise<void> {
  const { terms } = view;
  const store = storeOf(view.source);
  const known = new Set(store.match().flatMap(({ subject, object }) => [subject, object].map(({ value }) => value)));
  asked(() => store.update(text, { base_iri: baseIri }));
  const fresh = new Map<string, number>();
  const idOf = (term: RDF.Term): number => {
    if (term.termType !== 'BlankNode' || known.has(term.value)) return terms.intern(term);
    const id = fresh.get(term.value) ?? terms.blankNode();
    fresh.set(term.value, id);
    return id;
  };
  const inserted = new QuadList();
  for (const one of store.match().map(ourQuad)) {
    const graph = one.graph.termType === 'DefaultGraph' ? DEFAULT_GRAPH : idOf(one.graph);
    inserted.add(idOf(one.subject), idOf(one.predicate), idOf(one.object), graph);
  }
  const graphs = store.query('SELECT ?g { GRAPH ?g {} }') as Map<string, oxigraph.Term>[];
  await view.apply({ droppedGraphs: [DEFAULT_GRAPH, ...view.targetGraphs] });
  await view.apply({ inserted, createdGraphs: graphs.map((row) => idOf(ours(row.get('g')!))) });
}
