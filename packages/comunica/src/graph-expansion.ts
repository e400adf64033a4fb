import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import {
  type Expression,
  type Graph,
  join,
  mapExpression,
  mapOperation,
  type Operation,
  type PathSymbol,
  scope,
  values,
  valuesRow,
} from './algebra.ts';
import { inGraph } from './pattern-terms.ts';

const TRUE = dataFactory.literal('true', dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#boolean'));

/** Returns whether a path can match without a triple; it then also matches in an empty graph. */
function matchesNothing(path: PathSymbol): boolean {
  switch (path.type) {
    case 'ZeroOrMorePath':
    case 'ZeroOrOnePath':
      return true;
    case 'alt':
      return path.input!.some(matchesNothing);
    case 'seq':
      return path.input!.every(matchesNothing);
    case 'inv':
    case 'OneOrMorePath':
      return matchesNothing(path.path!);
    default:
      return false;
  }
}

/**
 * Replaces GRAPH by patterns that name their graph, the form that Comunica evaluates, while
 * preserving the semantics of section 18.6: `GRAPH ?g P` is the union over the named graphs i of P
 * evaluated in i, joined with ?g = i; empty graphs count as graphs.
 *
 * A variable graph becomes a variable of its patterns where that is equivalent; otherwise the union
 * is written out. In both cases ?g is bound inside P for expressions, as in all engines, although
 * section 18.6 binds it only afterwards.
 */
export class GraphExpansion {
  private readonly graphs: readonly RDF.Term[];

  /** `graphs` are the names of the dataset's named graphs. */
  constructor(graphs: readonly RDF.Term[]) {
    this.graphs = graphs;
  }

  /** Returns an operation without `graph`, over the default graph. */
  expand = (op: Operation): Operation => {
    if (op.type === 'graph') return this.graph(op);
    // The pattern of a SERVICE is evaluated elsewhere, over another dataset.
    if (op.type === 'service') return op;
    return mapOperation(op, this.expand, this.expandExpression);
  };

  private expandExpression = (expression: Expression): Expression =>
    mapExpression(expression, this.expandExpression, this.expand);

  private graph({ name, input }: Graph): Operation {
    if (name.termType !== 'Variable') {
      if (!this.graphs.some((graph) => graph.equals(name))) return nothing(input);
      return this.within(input, name);
    }
    if (isUniform(input, name.value, true)) return this.uniform(input, name, true);
    const branches = this.graphs.map((graph) => {
      const branch = this.within(replaceInExpressions(input, name.value, graph), graph);
      return join([this.oneOf(name, [graph]), branch]);
    });
    if (branches.length === 0) return join([this.oneOf(name, []), nothing(input)]);
    return branches.length === 1 ? branches[0] : { type: 'union', input: branches };
  }

  private oneOf(name: RDF.Variable, graphs: readonly RDF.Term[]): Operation {
    return values(
      [name],
      graphs.map((graph) => valuesRow([[name.value, graph]])),
    );
  }

  /** Returns an operation evaluated in one given graph. */
  private within(op: Operation, graph: RDF.Term): Operation {
    if (op.type === 'graph') return this.graph(op);
    if (op.type === 'service') return op;
    if (op.type === 'bgp') return { ...op, patterns: op.patterns.map((pattern) => inGraph(pattern, graph)) };
    if (op.type === 'path') return { ...op, graph };
    const expression = (part: Expression): Expression =>
      mapExpression(part, expression, (pattern) => this.within(pattern, graph));
    return mapOperation(op, (input) => this.within(input, graph), expression);
  }

  /**
   * Returns an operation whose patterns have a variable as their graph. With `bind`, all of its
   * solutions bind the variable: parts that do not bind it are joined with the names of all graphs.
   */
  private uniform(op: Operation, graph: RDF.Variable, bind: boolean): Operation {
    const expression = (part: Expression): Expression =>
      mapExpression(part, expression, (pattern) => this.uniform(pattern, graph, false));
    const all = () => this.oneOf(graph, this.graphs);
    switch (op.type) {
      case 'join': {
        const bound = op.input.some((input) => bindsGraph(input));
        const input = op.input.map((each) => this.uniform(each, graph, false));
        return join(bind && !bound ? [all(), ...input] : input);
      }
      case 'union':
        return { ...op, input: op.input.map((input) => this.uniform(input, graph, bind)) };
      case 'leftjoin':
        return {
          ...op,
          input: [this.uniform(op.input[0], graph, true), this.uniform(op.input[1], graph, false)],
          expression: op.expression && expression(op.expression),
        };
      case 'filter':
      case 'extend':
        return mapOperation(op, (input) => this.uniform(input, graph, true), expression);
      default: {
        const inside = op.type === 'path' && matchesNothing(op.predicate) ? op : this.within(op, graph);
        if (!bind || bindsGraph(op)) return inside;
        return inside.type === 'bgp' ? all() : join([all(), inside]);
      }
    }
  }
}

/** Returns an operation with no solutions but the same variables. */
function nothing(op: Operation): Operation {
  return values(
    [...scope(op)].map((name) => dataFactory.variable(name)),
    [],
  );
}

/**
 * Returns whether all solutions of an operation, with its patterns in a variable graph, bind that
 * variable.
 */
function bindsGraph(op: Operation): boolean {
  switch (op.type) {
    case 'bgp':
      return op.patterns.length > 0;
    case 'path':
      return !matchesNothing(op.predicate);
    case 'join':
      return op.input.some(bindsGraph);
    case 'union':
      return op.input.every(bindsGraph);
    case 'leftjoin':
    case 'filter':
    case 'extend':
      // Their input is made to bind it.
      return true;
    default:
      return false;
  }
}

/**
 * Returns whether `GRAPH ?g` can become a variable in the patterns of `op`. It cannot where the
 * graph of a solution matters before ?g is bound: groups, limits, subqueries, MINUS, paths that
 * match without a triple, and other uses of ?g below OPTIONAL.
 */
function isUniform(op: Operation, name: string, joined: boolean): boolean {
  const mentions = (term: RDF.Term) => term.termType === 'Variable' && term.value === name;
  switch (op.type) {
    case 'bgp':
      return joined || !scope(op).has(name);
    case 'path':
      return !matchesNothing(op.predicate) && (joined || !scope(op).has(name));
    case 'values':
      return joined || !op.variables.some(mentions);
    case 'join':
    case 'union':
      return op.input.every((input) => isUniform(input, name, joined));
    case 'leftjoin':
      return (
        op.input.every((input) => isUniform(input, name, false)) &&
        (!op.expression || isUniformExpression(op.expression, name))
      );
    case 'filter':
      return isUniform(op.input, name, joined) && isUniformExpression(op.expression, name);
    case 'extend':
      return !mentions(op.variable) && isUniform(op.input, name, joined) && isUniformExpression(op.expression, name);
    default:
      return false;
  }
}

function isUniformExpression(expression: Expression, name: string): boolean {
  switch (expression.subType) {
    case 'operator':
    case 'named':
      return expression.args.every((part) => isUniformExpression(part, name));
    case 'existence':
      return isUniform(expression.input, name, false);
    default:
      return true;
  }
}

/**
 * Replaces a variable by a value in the expressions of one scope; subqueries have their own scope.
 */
function replaceInExpressions(op: Operation, name: string, term: RDF.Term): Operation {
  const expression = (part: Expression): Expression => {
    const isName = (each: Expression | undefined) =>
      each?.subType === 'term' && each.term.termType === 'Variable' && each.term.value === name;
    if (part.subType === 'term') return isName(part) ? { ...part, term } : part;
    if (part.subType === 'operator' && part.operator === 'bound' && isName(part.args[0])) {
      return { type: 'expression', subType: 'term', term: TRUE };
    }
    return mapExpression(part, expression, operation);
  };
  const operation = (each: Operation): Operation =>
    each.type === 'project' ? each : mapOperation(each, operation, expression);
  return operation(op);
}
