import { dataFactory, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import {
  type Expression,
  extend,
  type Group,
  mapExpression,
  mapOperation,
  type Operation,
  type Project,
  scope,
  type Values,
  values,
  valuesRow,
} from './algebra.ts';
import { mapNestedTerm, mapPattern } from './pattern-terms.ts';
import type { VariableNames } from './variable-names.ts';

const TRUE = dataFactory.literal('true', dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#boolean'));

/**
 * Substitutes terms for variables in the algebra, so that a term can never be parsed as syntax. A
 * variable is replaced wherever its name occurs, including subqueries, EXISTS and templates. Its
 * role for its surroundings is preserved: a selected variable is bound in the result, MINUS still
 * shares it, and conflicting rows of VALUES are dropped. A variable that the text itself assigns
 * (AS) cannot be replaced: INVALID_ARGUMENT.
 */
export class Substitution {
  private readonly terms: ReadonlyMap<string, RDF.Term>;
  private readonly names: VariableNames;
  /** For every replaced variable, a variable that carries its term where scope matters. */
  private readonly carriers = new Map<string, RDF.Variable>();

  /**
   * `terms` are keyed by the name in the text. Throws INVALID_ARGUMENT for values that are not RDF
   * terms.
   */
  constructor(terms: ReadonlyMap<string, RDF.Term>, names: VariableNames) {
    for (const [name, term] of terms) {
      if (!isBindable(term)) {
        throw new WorldsError('INVALID_ARGUMENT', `The binding of ?${name} is a ${term.termType}: pass an RDF term.`);
      }
    }
    this.terms = new Map([...terms].map(([name, term]) => [names.inner(name), term]));
    this.names = names;
  }

  get isEmpty(): boolean {
    return this.terms.size === 0;
  }

  /** Substitutes a term of a template or pattern. */
  term = (term: RDF.Term): RDF.Term =>
    mapNestedTerm(term, (part) => (part.termType === 'Variable' ? (this.terms.get(part.value) ?? part) : part));

  /** Substitutes in a SELECT: a selected variable is bound to its term. */
  select(op: Operation): Operation {
    if (op.type === 'slice' || op.type === 'distinct' || op.type === 'reduced') {
      return { ...op, input: this.select(op.input) };
    }
    if (op.type !== 'project') return this.operation(op);
    const bound = op.variables.filter((variable) => this.terms.has(variable.value));
    const input = bound.reduce(
      (extended, variable) => extend(extended, variable, this.terms.get(variable.value)!),
      this.operation(op.input),
    );
    return { ...op, input };
  }

  /** Substitutes in any other operation. */
  operation = (op: Operation): Operation => {
    switch (op.type) {
      case 'bgp':
        return { ...op, patterns: op.patterns.map((pattern) => mapPattern(pattern, this.term)) };
      case 'path':
        return { ...op, subject: this.term(op.subject), object: this.term(op.object), graph: this.term(op.graph) };
      case 'values':
        return this.values(op);
      case 'graph':
      case 'service':
        return { ...op, name: this.term(op.name), input: this.operation(op.input) };
      case 'extend':
        this.refuseTarget(op.variable);
        return mapOperation(op, this.operation, this.expression);
      case 'minus': {
        // Without a shared variable MINUS removes nothing (section 8.3.2), so variables shared by
        // both sides are carried along.
        const right = scope(op.input[1]);
        const shared = [...scope(op.input[0])].filter((name) => right.has(name) && this.terms.has(name));
        const [kept, removed] = op.input.map((input) => this.carry(this.operation(input), shared));
        return { ...op, input: [kept, removed] };
      }
      case 'group':
        return this.group(op);
      case 'project':
        return this.project(op);
      default:
        return mapOperation(op, this.operation, this.expression);
    }
  };

  expression = (expression: Expression): Expression => {
    if (expression.subType === 'term') return { ...expression, term: this.term(expression.term) };
    if (expression.subType === 'operator' && expression.operator === 'bound') {
      const [argument] = expression.args;
      const bound =
        argument?.subType === 'term' && argument.term.termType === 'Variable' && this.terms.has(argument.term.value);
      return bound ? { type: 'expression', subType: 'term', term: TRUE } : expression;
    }
    return mapExpression(expression, this.expression, this.operation);
  };

  private refuseTarget(variable: RDF.Variable): void {
    if (!this.terms.has(variable.value)) return;
    const name = this.names.outer(variable.value);
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `?${name} cannot be bound from outside: the text itself assigns it with AS. Rename one of the two.`,
    );
  }

  private carrier(name: string): RDF.Variable {
    let variable = this.carriers.get(name);
    if (!variable) this.carriers.set(name, (variable = dataFactory.variable(this.names.fresh())));
    return variable;
  }

  private carry(input: Operation, names: readonly string[]): Operation {
    return names.reduce((carried, name) => extend(carried, this.carrier(name), this.terms.get(name)!), input);
  }

  private values(op: Values): Operation {
    const bound = op.variables.filter((variable) => this.terms.has(variable.value));
    if (bound.length === 0) return op;
    const rows = op.bindings.filter((row) =>
      bound.every(({ value }) => row[value] === undefined || row[value].equals(this.terms.get(value))),
    );
    const kept = op.variables.filter((variable) => !this.terms.has(variable.value));
    return values(
      kept,
      rows.map((row) => valuesRow(kept.flatMap(({ value }) => (row[value] ? [[value, row[value]]] : [])))),
    );
  }

  /**
   * A replaced key stays a key: no rows must give no group, rather than the single group of an
   * aggregate without GROUP BY.
   */
  private group(op: Group): Operation {
    for (const aggregate of op.aggregates) this.refuseTarget(aggregate.variable);
    const keys = op.variables.filter((variable) => this.terms.has(variable.value)).map(({ value }) => value);
    const mapped = mapOperation(op, this.operation, this.expression) as Group;
    return {
      ...mapped,
      input: this.carry(mapped.input, keys),
      variables: op.variables.map((variable) =>
        this.terms.has(variable.value) ? this.carrier(variable.value) : variable,
      ),
    };
  }

  /**
   * Drops constant columns inside a projection; {@link select} adds them again at the top.
   */
  private project(op: Project): Operation {
    return {
      ...op,
      input: this.operation(op.input),
      variables: op.variables.filter((variable) => !this.terms.has(variable.value)),
    };
  }
}

function isBindable(term: RDF.Term): boolean {
  if (term.termType === 'Quad') return [term.subject, term.predicate, term.object].every(isBindable);
  return term.termType === 'NamedNode' || term.termType === 'Literal' || term.termType === 'BlankNode';
}
