import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type * as Ast from '@traqula/rules-sparql-1-2';
import { type Operation, type Pattern, project } from './algebra.ts';
import { blankNodesToVariables, inGraph } from './pattern-terms.ts';
import { parseSparql, syntaxError } from './syntax.ts';
import type { Toolbox } from './toolbox.ts';
import { type GraphReference, makeTranslator, type TranslationContext, type Translator } from './translator.ts';
import { VariableNames } from './variable-names.ts';

/** FROM and FROM NAMED, or USING and USING NAMED. */
export interface DatasetClause {
  readonly defaultGraphs: readonly string[];
  readonly namedGraphs: readonly string[];
}

/** A query as algebra, without the top-level parts that Comunica does not evaluate. */
export interface TranslatedQuery {
  readonly kind: 'query';
  readonly form: 'select' | 'ask' | 'construct' | 'describe';
  /** Evaluates to the solutions from which the result is made; projected, except for ASK. */
  readonly where: Operation;
  /** Undefined if the text has no FROM. */
  readonly dataset?: DatasetClause;
  readonly template: readonly Pattern[];
  /** The variables and IRIs that DESCRIBE describes. */
  readonly described: readonly RDF.Term[];
  readonly baseIri?: string;
}

/** One operation of an update request (SPARQL 1.1 Update section 3). */
export type TranslatedOperation =
  | {
      readonly kind: 'modify';
      readonly deleted: readonly Pattern[];
      readonly inserted: readonly Pattern[];
      /** Undefined for INSERT DATA and DELETE DATA. */
      readonly where?: Operation;
      /** Undefined if the operation has no USING. */
      readonly dataset?: DatasetClause;
      readonly withGraph?: RDF.NamedNode;
    }
  | { readonly kind: 'load'; readonly silent: boolean; readonly document: string }
  | { readonly kind: 'clear' | 'drop'; readonly silent: boolean; readonly graph: GraphReference }
  | { readonly kind: 'create'; readonly silent: boolean; readonly graph: GraphReference }
  | {
      readonly kind: 'add' | 'move' | 'copy';
      readonly silent: boolean;
      readonly from: GraphReference;
      readonly to: GraphReference;
    };

export interface TranslatedUpdate {
  readonly kind: 'update';
  readonly operations: readonly TranslatedOperation[];
  readonly baseIri?: string;
}

export interface Translation {
  readonly content: TranslatedQuery | TranslatedUpdate;
  readonly names: VariableNames;
}

interface Setting {
  readonly translator: Translator;
  readonly context: TranslationContext;
  readonly names: VariableNames;
}

function datasetOf({ translator, context }: Setting, { clauses }: Ast.DatasetClauses): DatasetClause | undefined {
  if (clauses.length === 0) return undefined;
  const graphs = (type: string) =>
    clauses
      .filter((clause) => clause.clauseType === type)
      .map((clause) => translator.translateNamed(context, clause.value).value);
  return { defaultGraphs: graphs('default'), namedGraphs: graphs('named') };
}

/**
 * Removes FROM, LIMIT and the query form: LIMIT and OFFSET count solutions, not the triples made of
 * them (section 18.2.5).
 */
function translateQuery(setting: Setting, query: Ast.Query): TranslatedQuery {
  const { translator, context, names } = setting;
  translator.registerContextDefinitions(context, query.context);
  const pattern = query.where ?? { type: 'pattern', subType: 'group', patterns: [] };
  let operation = translator.translateAggregates(context, query, translator.translateGraphPattern(context, pattern));
  if (operation.type === 'from') operation = operation.input;
  const slice = operation.type === 'slice' ? operation : undefined;
  if (slice) operation = slice.input;
  const sliced = (input: Operation): Operation => (slice ? { ...slice, input } : input);
  const common = {
    kind: 'query' as const,
    dataset: datasetOf(setting, query.datasets),
    template: [],
    described: [],
    baseIri: context.currentBase,
  };
  const where = (input: Operation) => blankNodesToVariables(sliced(input), names);
  switch (operation.type) {
    case 'ask':
      return { ...common, form: 'ask', where: where(operation.input) };
    case 'construct': {
      const { template } = operation;
      const variables = variablesOf(template.flatMap((quad) => [quad.subject, quad.predicate, quad.object]));
      return { ...common, form: 'construct', template, where: where(project(operation.input, variables)) };
    }
    case 'describe': {
      const described = operation.terms;
      return { ...common, form: 'describe', described, where: where(project(operation.input, variablesOf(described))) };
    }
    default:
      return { ...common, form: 'select', where: where(operation as Operation) };
  }
}

function variablesOf(terms: readonly RDF.Term[]): RDF.Variable[] {
  const variables = new Map<string, RDF.Variable>();
  const visit = (term: RDF.Term): void => {
    if (term.termType === 'Variable') variables.set(term.value, term);
    if (term.termType === 'Quad') for (const part of [term.subject, term.predicate, term.object]) visit(part);
  };
  terms.forEach(visit);
  return [...variables.values()];
}

function translateModification(setting: Setting, operation: Ast.UpdateOperation): TranslatedOperation {
  const { translator, context, names } = setting;
  const quads = (blocks: readonly unknown[], graph?: RDF.Term) =>
    blocks.flatMap((block) => translator.translateUpdateTriplesBlock(context, block, graph));
  switch (operation.subType) {
    case 'insertdata':
      return { kind: 'modify', deleted: [], inserted: quads(operation.data) };
    case 'deletedata':
      return { kind: 'modify', deleted: quads(operation.data), inserted: [] };
    case 'deletewhere': {
      // Section 3.1.3.3: the template is the pattern.
      const deleted = quads(operation.data);
      return { kind: 'modify', deleted, inserted: [], where: graphPatterns(deleted) };
    }
    case 'modify': {
      const withGraph = operation.graph ? translator.translateNamed(context, operation.graph) : undefined;
      return {
        kind: 'modify',
        deleted: quads(operation.delete, withGraph),
        inserted: quads(operation.insert, withGraph),
        where: blankNodesToVariables(translator.translateGraphPattern(context, operation.where), names),
        dataset: datasetOf(setting, operation.from),
        withGraph,
      };
    }
    default:
      throw new Error(`Unexpected update operation: ${operation.subType}`);
  }
}

/** Converts quads to the pattern that they abbreviate: each graph's triples inside its GRAPH. */
function graphPatterns(quads: readonly Pattern[]): Operation {
  const graphs = new Map<string, Pattern[]>();
  for (const quad of quads) {
    const key = `${quad.graph.termType} ${quad.graph.value}`;
    const patterns = graphs.get(key);
    if (patterns) patterns.push(quad);
    else graphs.set(key, [quad]);
  }
  const input = [...graphs.values()].map((group): Operation => {
    const name = group[0].graph;
    const patterns = group.map((quad) => inGraph(quad, dataFactory.defaultGraph()));
    const bgp: Operation = { type: 'bgp', patterns };
    return name.termType === 'DefaultGraph' ? bgp : { type: 'graph', name, input: bgp };
  });
  return input.length === 1 ? input[0] : { type: 'join', input };
}

function translateOperation(setting: Setting, operation: Ast.UpdateOperation): TranslatedOperation {
  const { translator, context } = setting;
  const graph = (reference: unknown) => translator.translateGraphRef(context, reference);
  switch (operation.subType) {
    case 'load':
      return {
        kind: 'load',
        silent: operation.silent,
        document: translator.translateNamed(context, operation.source).value,
      };
    case 'clear':
    case 'drop':
    case 'create':
      return { kind: operation.subType, silent: operation.silent, graph: graph(operation.destination) };
    case 'add':
    case 'move':
    case 'copy':
      return {
        kind: operation.subType,
        silent: operation.silent,
        from: graph(operation.source),
        to: graph(operation.destination),
      };
    default:
      return translateModification(setting, operation);
  }
}

/**
 * Parses a text and translates it to the algebra. GRAPH stays an operation, because its meaning
 * depends on the dataset. Throws INVALID_SPARQL with a location.
 */
export function translate(toolbox: Toolbox, text: string, baseIri: string | undefined): Translation {
  const ast = parseSparql(toolbox, text);
  try {
    const names = VariableNames.of(ast);
    const context: TranslationContext = toolbox.transformations.createAlgebraContext({
      dataFactory: dataFactory as RDF.DataFactory<RDF.BaseQuad>,
      baseIRI: baseIri,
    } as Parameters<typeof toolbox.transformations.createAlgebraContext>[0]);
    const setting: Setting = { translator: makeTranslator(toolbox, names), context, names };
    if (ast.type === 'query') return { content: translateQuery(setting, ast), names };
    const operations = ast.updates.flatMap((update) => {
      // The prologue of an operation also applies to those after it (grammar rule 29).
      setting.translator.registerContextDefinitions(context, update.context);
      return update.operation ? [translateOperation(setting, update.operation)] : [];
    });
    return { content: { kind: 'update', operations, baseIri: context.currentBase }, names };
  } catch (error) {
    throw syntaxError(text, error);
  }
}
