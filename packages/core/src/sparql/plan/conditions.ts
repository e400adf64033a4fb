import { randomUUID } from 'node:crypto';
import type * as RDF from '@rdfjs/types';
import { WorldsError } from '../../model/worlds-error.ts';
import type { TermId } from '../../storage/term-source.ts';
import type { Algebra, Expression } from '../algebra/algebra.ts';
import type { Batch, Stream } from '../exec/batch.ts';
import { type Execution, isPause } from '../exec/execution.ts';
import { compileExpression } from '../expressions/compile.ts';
import type { CompiledExpression, EvaluationContext, RowReader } from '../expressions/compiled-expression.ts';
import { type Value, valueOfTerm } from '../expressions/value.ts';
import type { ActiveGraph, Planner } from './planner.ts';
import { RowView } from './row-view.ts';
import { Scope } from './scope.ts';
import { type Substitution, substitute } from './substitute.ts';
import { expressionVariables } from './variables.ts';

/** What one request's expressions depend on besides the rows. */
export interface RequestContext {
  readonly now: Date;
  readonly baseIri?: string;
  /** At least 0, below 1. */
  readonly random: () => number;
}

/** Turns expressions of a plan into functions of a batch and a row. */
export class Conditions {
  private readonly request: RequestContext;

  constructor(request: RequestContext) {
    this.request = request;
  }

  /** Whether a condition is true; an error is not. */
  test(expression: Expression, scope: Scope, graph: ActiveGraph, planner: Planner) {
    return (execution: Execution): ((batch: Batch, row: number) => boolean) => {
      const compiled = this.compile(expression, scope, graph, planner, execution);
      const view = new RowView(execution);
      return (batch, row) => compiled.test(view.at(batch, row)) === true;
    };
  }

  /** The value of an expression, undefined for an error. */
  value(expression: Expression, scope: Scope, graph: ActiveGraph, planner: Planner) {
    return (execution: Execution): ((batch: Batch, row: number) => Value | undefined) => {
      const compiled = this.compile(expression, scope, graph, planner, execution);
      const view = new RowView(execution);
      return (batch, row) => compiled.evaluate(view.at(batch, row));
    };
  }

  /** The term of an expression as an id, 0 for an error. */
  term(expression: Expression, scope: Scope, graph: ActiveGraph, planner: Planner) {
    if (expression.type === 'variable') {
      const slot = scope.slot(expression.name);
      return () =>
        (batch: Batch, row: number): TermId =>
          batch.columns[slot]?.[row] ?? 0;
    }
    return (execution: Execution): ((batch: Batch, row: number) => TermId) => {
      const compiled = this.compile(expression, scope, graph, planner, execution);
      const view = new RowView(execution);
      return (batch, row) => execution.idOf(compiled.evaluate(view.at(batch, row)));
    };
  }

  private compile(
    expression: Expression,
    scope: Scope,
    graph: ActiveGraph,
    planner: Planner,
    execution: Execution,
  ): CompiledExpression {
    return compileExpression(expression, {
      column: (name) => scope.find(name),
      exists: (pattern, negated) => (row) => this.exists(pattern, row as RowView, scope, graph, planner) !== negated,
      context: this.evaluationContext(execution, scope),
    });
  }

  /** The pattern of an EXISTS for one row at a time. */
  pattern(pattern: Algebra, scope: Scope, graph: ActiveGraph, planner: Planner) {
    return (execution: Execution): ((batch: Batch, row: number) => Stream) => {
      const view = new RowView(execution);
      return (batch, row) => this.patternOfRow(pattern, view.at(batch, row), scope, graph, planner);
    };
  }

  /** EXISTS inside a larger expression, which cannot pause: up to the first solution. */
  private exists(pattern: Algebra, row: RowView, scope: Scope, graph: ActiveGraph, planner: Planner): boolean {
    for (const batch of this.patternOfRow(pattern, row, scope, graph, planner)) if (!isPause(batch)) return true;
    return false;
  }

  /** The pattern with the row's bindings put in, planned and run for this row alone (SPARQL 1.1 section 18.6, substitute). */
  private patternOfRow(pattern: Algebra, row: RowView, scope: Scope, graph: ActiveGraph, planner: Planner): Stream {
    const { execution } = row;
    const terms = new Map<string, RDF.Term>();
    for (const name of expressionVariables({ type: 'exists', negated: false, pattern })) {
      const slot = scope.find(name);
      if (slot !== undefined && row.bound(slot)) terms.set(name, execution.term(row.id(slot)));
    }
    // GRAPH ?g { FILTER EXISTS { } }: the pattern looks in the graph of this row.
    const active = graph.slot >= 0 && row.bound(graph.slot) ? { slot: -1, id: row.id(graph.slot) } : graph;
    return planner.plan(substitute(pattern, terms as Substitution), new Scope(scope.counter), active).run(execution);
  }

  private evaluationContext(execution: Execution, scope: Scope): EvaluationContext {
    const { terms } = execution.source;
    const { now, baseIri, random } = this.request;
    return {
      now,
      baseIri,
      random,
      uuid: randomUUID,
      blankNode: (label?: string, solution?: RowReader): Value => {
        const slot = scope.find('.solution');
        const solutionNumber = solution && slot !== undefined ? (solution as RowView).id(slot) : 0;
        const id = label === undefined ? terms.blankNode() : execution.blankNode(`${solutionNumber} ${label}`);
        return requireValue(valueOfTerm(terms.term(id)));
      },
    };
  }
}

function requireValue(value: Value | undefined): Value {
  if (!value) throw new WorldsError('INTERNAL', 'A blank node has no value.');
  return value;
}

/** Whether an expression makes blank nodes by label, which are one node a solution (SPARQL 1.1 section 17.4.2.9). */
export function needsSolutionNumber(expression: Expression): boolean {
  if (expression.type !== 'call' && expression.type !== 'iriCall') return false;
  if (expression.type === 'call' && expression.function === 'BNODE' && expression.arguments.length > 0) return true;
  return expression.arguments.some(needsSolutionNumber);
}
