import type * as RDF from '@rdfjs/types';

/**
 * The algebra of SPARQL 1.1 section 18.2, in the form that Traqula produces and Comunica reads, as
 * a discriminated union. This package must replace `Graph` and `Service` before Comunica receives
 * the tree.
 */
export type Operation =
  | Bgp
  | Path
  | Join
  | Union
  | LeftJoin
  | Minus
  | Filter
  | Extend
  | Values
  | Graph
  | Service
  | Project
  | Distinct
  | Reduced
  | Slice
  | OrderBy
  | Group;

export interface Pattern extends RDF.BaseQuad {
  readonly type: 'pattern';
}
export interface Bgp {
  readonly type: 'bgp';
  readonly patterns: readonly Pattern[];
}
export interface Path {
  readonly type: 'path';
  readonly subject: RDF.Term;
  readonly predicate: PathSymbol;
  readonly object: RDF.Term;
  readonly graph: RDF.Term;
}
export interface PathSymbol {
  readonly type: string;
  readonly path?: PathSymbol;
  readonly input?: readonly PathSymbol[];
}
export interface Join {
  readonly type: 'join';
  readonly input: readonly Operation[];
}
export interface Union {
  readonly type: 'union';
  readonly input: readonly Operation[];
}
export interface LeftJoin {
  readonly type: 'leftjoin';
  readonly input: readonly [Operation, Operation];
  readonly expression?: Expression;
}
export interface Minus {
  readonly type: 'minus';
  readonly input: readonly [Operation, Operation];
}
export interface Filter {
  readonly type: 'filter';
  readonly input: Operation;
  readonly expression: Expression;
}
export interface Extend {
  readonly type: 'extend';
  readonly input: Operation;
  readonly variable: RDF.Variable;
  readonly expression: Expression;
}
export interface Values {
  readonly type: 'values';
  readonly variables: readonly RDF.Variable[];
  /** Rows by variable name; a missing name is UNDEF. */
  readonly bindings: readonly Readonly<Record<string, RDF.Term>>[];
}
export interface Graph {
  readonly type: 'graph';
  readonly input: Operation;
  readonly name: RDF.Term;
}
export interface Service {
  readonly type: 'service';
  readonly input: Operation;
  readonly name: RDF.Term;
  readonly silent: boolean;
}
export interface Project {
  readonly type: 'project';
  readonly input: Operation;
  readonly variables: readonly RDF.Variable[];
}
export interface Distinct {
  readonly type: 'distinct';
  readonly input: Operation;
}
export interface Reduced {
  readonly type: 'reduced';
  readonly input: Operation;
}
export interface Slice {
  readonly type: 'slice';
  readonly input: Operation;
  readonly start: number;
  readonly length?: number;
}
export interface OrderBy {
  readonly type: 'orderby';
  readonly input: Operation;
  readonly expressions: readonly Expression[];
}
export interface Group {
  readonly type: 'group';
  readonly input: Operation;
  readonly variables: readonly RDF.Variable[];
  readonly aggregates: readonly BoundAggregate[];
}

export type Expression =
  | TermExpression
  | OperatorExpression
  | NamedExpression
  | ExistenceExpression
  | AggregateExpression
  | WildcardExpression;

export interface TermExpression {
  readonly type: 'expression';
  readonly subType: 'term';
  readonly term: RDF.Term;
}
export interface OperatorExpression {
  readonly type: 'expression';
  readonly subType: 'operator';
  readonly operator: string;
  readonly args: readonly Expression[];
}
export interface NamedExpression {
  readonly type: 'expression';
  readonly subType: 'named';
  readonly name: RDF.NamedNode;
  readonly args: readonly Expression[];
}
export interface ExistenceExpression {
  readonly type: 'expression';
  readonly subType: 'existence';
  readonly not: boolean;
  readonly input: Operation;
}
export interface AggregateExpression {
  readonly type: 'expression';
  readonly subType: 'aggregate';
  readonly aggregator: string;
  readonly distinct: boolean;
  readonly separator?: string;
  readonly expression: Expression;
}
export interface BoundAggregate extends AggregateExpression {
  readonly variable: RDF.Variable;
}
export interface WildcardExpression {
  readonly type: 'expression';
  readonly subType: 'wildcard';
}

export const join = (input: readonly Operation[]): Join => ({ type: 'join', input });
export const values = (variables: readonly RDF.Variable[], bindings: Values['bindings']): Values => ({
  type: 'values',
  variables,
  bindings,
});
export const extend = (input: Operation, variable: RDF.Variable, term: RDF.Term): Extend => ({
  type: 'extend',
  input,
  variable,
  expression: { type: 'expression', subType: 'term', term },
});
export const project = (input: Operation, variables: readonly RDF.Variable[]): Project => ({
  type: 'project',
  input,
  variables,
});

/**
 * Returns a row of VALUES by variable name. It has no prototype, since `__proto__` is a legal name.
 */
export function valuesRow(entries: Iterable<readonly [name: string, term: RDF.Term]>): Record<string, RDF.Term> {
  const row: Record<string, RDF.Term> = Object.create(null);
  for (const [name, term] of entries) row[name] = term;
  return row;
}

/**
 * Returns the expression with its parts replaced. Patterns inside EXISTS are mapped by `operation`.
 */
export function mapExpression(
  expression: Expression,
  map: (part: Expression) => Expression,
  operation: (part: Operation) => Operation,
): Expression {
  switch (expression.subType) {
    case 'operator':
    case 'named':
      return { ...expression, args: expression.args.map(map) };
    case 'existence':
      return { ...expression, input: operation(expression.input) };
    case 'aggregate':
      return { ...expression, expression: map(expression.expression) };
    default:
      return expression;
  }
}

/** Returns the operation with its direct inputs and expressions replaced. */
export function mapOperation<Op extends Operation>(
  operation: Op,
  map: (input: Operation) => Operation,
  expression: (part: Expression) => Expression,
): Operation {
  const op: Operation = operation;
  switch (op.type) {
    case 'bgp':
    case 'path':
    case 'values':
      return op;
    case 'join':
    case 'union':
      return { ...op, input: op.input.map(map) };
    case 'minus':
      return { ...op, input: [map(op.input[0]), map(op.input[1])] };
    case 'leftjoin':
      return {
        ...op,
        input: [map(op.input[0]), map(op.input[1])],
        expression: op.expression && expression(op.expression),
      };
    case 'filter':
    case 'extend':
      return { ...op, input: map(op.input), expression: expression(op.expression) };
    case 'orderby':
      return { ...op, input: map(op.input), expressions: op.expressions.map(expression) };
    case 'group':
      return {
        ...op,
        input: map(op.input),
        aggregates: op.aggregates.map((aggregate) => ({
          ...aggregate,
          expression: expression(aggregate.expression),
        })),
      };
    default:
      return { ...op, input: map(op.input) };
  }
}

/**
 * Returns the operation with expressions replaced at every depth. Where `replace` returns
 * undefined, the expression stays and its parts are visited.
 */
export function replaceExpressions(
  operation: Operation,
  replace: (expression: Expression) => Expression | undefined,
): Operation {
  const map = (op: Operation): Operation => mapOperation(op, map, expression);
  const expression = (part: Expression): Expression => replace(part) ?? mapExpression(part, expression, map);
  return map(operation);
}

function termVariables(term: RDF.Term, into: Set<string>): void {
  if (term.termType === 'Variable') into.add(term.value);
  if (term.termType !== 'Quad') return;
  for (const part of [term.subject, term.predicate, term.object]) termVariables(part, into);
}

/**
 * Returns the names of the variables in scope of an operation's solutions (SPARQL 1.1 section
 * 18.2.1).
 */
export function scope(operation: Operation, into = new Set<string>()): Set<string> {
  switch (operation.type) {
    case 'bgp':
      for (const pattern of operation.patterns) {
        for (const term of [pattern.subject, pattern.predicate, pattern.object, pattern.graph])
          termVariables(term, into);
      }
      return into;
    case 'path':
      for (const term of [operation.subject, operation.object, operation.graph]) termVariables(term, into);
      return into;
    case 'values':
    case 'project':
      for (const variable of operation.variables) into.add(variable.value);
      return into;
    case 'group':
      for (const variable of operation.variables) into.add(variable.value);
      for (const aggregate of operation.aggregates) into.add(aggregate.variable.value);
      return into;
    case 'join':
    case 'union':
    case 'leftjoin':
      for (const input of operation.input) scope(input, into);
      return into;
    case 'minus':
      return scope(operation.input[0], into);
    case 'extend':
      into.add(operation.variable.value);
      return scope(operation.input, into);
    case 'graph':
    case 'service':
      termVariables(operation.name, into);
      return scope(operation.input, into);
    default:
      return scope(operation.input, into);
  }
}
