import type * as RDF from '@rdfjs/types';
import { QuadList } from '../../../../src/contracts/quad-list.ts';
import type { EvaluateOptions, SparqlResult, UpdateView } from '../../../../src/contracts/sparql-engine.ts';
import { dataFactory, WorldsError } from '../../../../src/index.ts';
import type { BindingsBatch, SparqlEngine } from '../../../../src/plugin.ts';
import type {
  GraphOperand,
  PatternTerm,
  Query,
  TemplateQuad,
  UpdateOperation,
} from '../../../../src/sparql/algebra/algebra.ts';
import { prepareOperation } from '../../../../src/sparql/prepare-operation.ts';
import { keyOf, NaiveDataset, type Triple } from './naive-dataset.ts';
import { NaiveEvaluator, type NaiveOptions, type Solution } from './naive-evaluator.ts';

const { namedNode, quad, defaultGraph } = dataFactory;

/**
 * The engine that the others are measured by: sections 18 and 16 of the query language, section 3
 * of updates, without a thought of speed.
 */
export function naiveEngine(naive?: NaiveOptions): SparqlEngine {
  return {
    name: 'naive',
    async prepare(text, { baseIri }) {
      const operation = prepareOperation(text, { baseIri });
      if (operation.type === 'update') {
        return {
          type: 'update',
          async execute(view, options) {
            for (const one of operation.operations) await runOperation(one, view, options, naive);
          },
        };
      }
      return {
        type: 'query',
        form: operation.type,
        evaluate: async (source, options) => evaluateQuery(operation, NaiveDataset.of(source), options, naive),
      };
    },
  };
}

function evaluateQuery(
  query: Query,
  whole: NaiveDataset,
  { now, dataset: given }: EvaluateOptions,
  naive?: NaiveOptions,
): SparqlResult {
  const clause = given ?? query.dataset;
  const dataset = clause ? whole.withClause(clause.defaultGraphs, clause.namedGraphs) : whole;
  const evaluator = new NaiveEvaluator(dataset, now, query.baseIri, naive);
  switch (query.type) {
    case 'select':
      return {
        type: 'bindings',
        variables: query.variables,
        batches: batchOf(query.variables, evaluator.evaluate(query.algebra)),
      };
    case 'ask':
      return { type: 'boolean', value: evaluator.evaluate(query.algebra).length > 0 };
    case 'construct': {
      const quads = new Map<string, RDF.Quad>();
      for (const solution of evaluator.evaluate(query.algebra)) {
        for (const one of instances(query.template, solution, defaultGraph())) quads.set(keyOf(one), one);
      }
      return { type: 'quads', batches: once([...quads.values()]) };
    }
    case 'describe': {
      const resources = new Set<RDF.Term>();
      const solutions = query.algebra ? evaluator.evaluate(query.algebra) : [];
      for (const target of query.targets) {
        if (target.termType === 'NamedNode') resources.add(dataset.pool.of(target));
        else
          for (const solution of solutions) if (solution.has(target.value)) resources.add(solution.get(target.value)!);
      }
      const quads = new Set<Triple>();
      for (const resource of resources) {
        for (const triple of dataset.defaultGraph) {
          if (triple.subject !== resource) continue;
          quads.add(triple);
          if (triple.object.termType === 'BlankNode') resources.add(triple.object);
        }
      }
      return {
        type: 'quads',
        batches: once(
          [...quads].map(({ subject, predicate, object }) =>
            quad(subject as never, predicate as never, object as never),
          ),
        ),
      };
    }
  }
}

async function* once<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}

function batchOf(variables: readonly string[], solutions: readonly Solution[]): AsyncIterable<BindingsBatch> {
  return once({
    length: solutions.length,
    term: (row, column) => solutions[row].get(variables[column]),
    *[Symbol.iterator]() {
      for (const solution of solutions) yield { get: (variable: string) => solution.get(variable) };
    },
  });
}

let blankNodes = 0;

/**
 * The quads of a template for one solution: one new blank node a label (section 16.2.1); what RDF
 * does not allow is left out.
 */
function instances(template: readonly TemplateQuad[], solution: Solution, outside: RDF.Quad_Graph): RDF.Quad[] {
  const fresh = new Map<string, RDF.Term>();
  const instance = (pattern: PatternTerm): RDF.Term | undefined => {
    switch (pattern.termType) {
      case 'Variable':
        return solution.get(pattern.value);
      case 'BlankNode': {
        const known = fresh.get(pattern.value) ?? dataFactory.blankNode(`template${blankNodes++}`);
        fresh.set(pattern.value, known);
        return known;
      }
      case 'TriplePattern': {
        const [subject, predicate, object] = [pattern.subject, pattern.predicate, pattern.object].map(instance);
        return subject && predicate && object && isLegal(subject, predicate)
          ? quad(subject as never, predicate as never, object as never)
          : undefined;
      }
      default:
        return pattern as RDF.Term;
    }
  };
  return template.flatMap((one) => {
    const [subject, predicate, object] = [one.subject, one.predicate, one.object].map(instance);
    const graph = one.graph ? instance(one.graph) : outside;
    if (!subject || !predicate || !object || !graph || !isLegal(subject, predicate)) return [];
    if (graph.termType !== 'NamedNode' && graph.termType !== 'DefaultGraph') return [];
    return [quad(subject as never, predicate as never, object as never, graph as never)];
  });
}

function isLegal(subject: RDF.Term, predicate: RDF.Term): boolean {
  return (subject.termType === 'NamedNode' || subject.termType === 'BlankNode') && predicate.termType === 'NamedNode';
}

async function runOperation(
  operation: UpdateOperation,
  view: UpdateView,
  options: EvaluateOptions,
  naive?: NaiveOptions,
): Promise<void> {
  const { terms } = view.source;
  // New blank nodes get their ids here, one for each label of a template and solution.
  const ids = new Map<string, number>();
  const idOf = (term: RDF.Term): number => {
    if (term.termType === 'DefaultGraph') return terms.intern(term) || 1;
    if (term.termType !== 'BlankNode' || !term.value.startsWith('template')) return terms.intern(term);
    const known = ids.get(term.value) ?? terms.blankNode();
    ids.set(term.value, known);
    return known;
  };
  const listOf = (quads: Iterable<RDF.Quad>): QuadList => {
    const list = new QuadList();
    for (const one of quads) {
      const graph = one.graph.termType === 'DefaultGraph' ? 1 : idOf(one.graph);
      list.add(idOf(one.subject), idOf(one.predicate), idOf(one.object), graph);
    }
    return list;
  };
  const graphs = () => [...view.targetGraphs].map((id) => terms.term(id));
  const graphOf = (name: GraphOperand): RDF.Quad_Graph => (name === 'default' ? defaultGraph() : namedNode(name.iri));
  const exists = (name: RDF.Term) =>
    name.termType === 'DefaultGraph' || graphs().some((graph) => keyOf(graph) === keyOf(name));
  const idOfGraph = (graph: RDF.Term) => (graph.termType === 'DefaultGraph' ? 1 : terms.intern(graph));
  const contents = (graph: RDF.Quad_Graph): RDF.Quad[] => {
    const target = NaiveDataset.of(view.target);
    const triples =
      graph.termType === 'DefaultGraph' ? target.defaultGraph : (target.named.get(target.pool.of(graph)) ?? []);
    return triples.map(({ subject, predicate, object }) =>
      quad(subject as never, predicate as never, object as never, graph),
    );
  };
  const missing = (graph: RDF.Term) => new WorldsError('NOT_FOUND', `no graph ${graph.value}`);

  switch (operation.type) {
    case 'insertData':
      await view.apply({ inserted: listOf(instances(operation.quads, new Map(), defaultGraph())) });
      return;
    case 'deleteData':
      await view.apply({ deleted: listOf(instances(operation.quads, new Map(), defaultGraph())) });
      return;
    case 'modify': {
      const whole = NaiveDataset.of(view.source);
      const { using } = operation;
      const named = [...whole.named.keys()].map(({ value }) => value);
      const dataset = using
        ? whole.withClause(using.defaultGraphs, using.namedGraphs)
        : operation.with === undefined
          ? whole
          : whole.withClause([operation.with], named);
      const outside = operation.with === undefined ? defaultGraph() : namedNode(operation.with);
      const solutions = new NaiveEvaluator(dataset, options.now, operation.baseIri, naive).evaluate(operation.where);
      const deleted = solutions.flatMap((solution) => instances(operation.delete, solution, outside));
      const inserted = solutions.flatMap((solution) => instances(operation.insert, solution, outside));
      await view.apply({ deleted: listOf(deleted), inserted: listOf(inserted) });
      return;
    }
    case 'clear':
    case 'drop': {
      const { target } = operation;
      const affected: RDF.Term[] =
        target === 'default'
          ? [defaultGraph()]
          : target === 'named'
            ? graphs()
            : target === 'all'
              ? [defaultGraph(), ...graphs()]
              : [namedNode(target.iri)];
      for (const graph of affected) {
        if (!exists(graph)) {
          if (operation.silent) continue;
          throw missing(graph);
        }
        const id = idOfGraph(graph);
        await view.apply({ droppedGraphs: [id], createdGraphs: operation.type === 'clear' && id !== 1 ? [id] : [] });
      }
      return;
    }
    case 'create': {
      const graph = namedNode(operation.iri);
      if (!exists(graph)) await view.apply({ createdGraphs: [idOfGraph(graph)] });
      else if (!operation.silent) throw new WorldsError('ALREADY_EXISTS', `there is a graph ${operation.iri}`);
      return;
    }
    case 'add':
    case 'copy':
    case 'move': {
      const from = graphOf(operation.from);
      const to = graphOf(operation.to);
      if (from.equals(to)) return;
      if (!exists(from)) {
        if (operation.silent) return;
        throw missing(from);
      }
      const moved = contents(from).map((one) => quad(one.subject, one.predicate, one.object, to));
      // Step by step, as the operations are defined: "DROP SILENT GRAPH to; INSERT ...; DROP GRAPH
      // from" (sections 3.2.3 to 3.2.5).
      if (operation.type !== 'add') await view.apply({ droppedGraphs: exists(to) ? [idOfGraph(to)] : [] });
      await view.apply({
        inserted: listOf(moved),
        createdGraphs: to.termType === 'DefaultGraph' ? [] : [idOfGraph(to)],
      });
      if (operation.type === 'move') await view.apply({ droppedGraphs: [idOfGraph(from)] });
      return;
    }
    case 'load':
      return;
  }
}
