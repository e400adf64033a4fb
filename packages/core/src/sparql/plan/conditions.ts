import type * as RDF from '@rdfjs/types';
import { randomUUID } from '#platform';
import { NO_TERM } from '../../contracts/term-source.ts';
import { textBytes } from '../../model/memory-budget.ts';
import type { RequestLimits } from '../../model/request-limits.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Algebra, Expression } from '../algebra/algebra.ts';
import type { Batch, Stream } from '../exec/batch.ts';
import { byReference, referenceSlot } from '../exec/by-reference.ts';
import type { Execution } from '../exec/execution.ts';
import { startIds } from '../exec/id-function.ts';
import { numericSlot, startNumericTest } from '../exec/numeric-test.ts';
import type { Operator } from '../exec/operator.ts';
import { remembered } from '../exec/remembered.ts';
import type { RowFunction, RowOptions, RowTerm, RowTest, RowValue } from '../exec/row-function.ts';
import { StoredTexts, textTest } from '../exec/stored-texts.ts';
import { identityPlan } from '../exec/term-identity.ts';
import { comparisonPlan, startComparison } from '../exec/text-comparison.ts';
import { compileExpression } from '../expressions/compile.ts';
import type { CompiledExpression, EvaluationContext, RowReader } from '../expressions/compiled-expression.ts';
import { equalityHash } from '../expressions/equality-hash.ts';
import { variablesOfPattern } from '../expressions/pattern-variables.ts';
import { type Value, valueOfTerm } from '../expressions/value.ts';
import { KIND, type ValueKind } from '../expressions/value-kind.ts';
import { isNumberExpression, isNumberTest, startNumbers, startTest } from '../vectors/programs.ts';
import { startScalarTest } from '../vectors/scalar-test.ts';
import type { SlotNumbers } from '../vectors/slot-numbers.ts';
import { planWhileRunning } from './plan-while-running.ts';
import type { Planning } from './planning.ts';
import { RowView } from './row-view.ts';
import { Scope, SlotCounter } from './scope.ts';
import { type Substitution, substitute } from './substitute.ts';
import { textConditions } from './text-condition.ts';
import { isDeterministic, mentionedSlots, mentionsExists, mentionsVariable } from './variables.ts';

/**
 * Maximum number of conditions at one place that become separate filter operators; more are merged
 * into one.
 */
export const MAX_FILTERS = 16;

/** Per-request inputs of expressions, in addition to the rows. */
export interface RequestContext {
  /** For constants that are evaluated while planning; running plans have {@link Execution.now}. */
  readonly now: Date;
  readonly baseIri?: string;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  readonly limits?: RequestLimits | undefined;
}

const NO_ROW: RowReader = { value: () => undefined, bound: () => false };

/** What a running plan needs of the planner: an EXISTS may be planned once per row. */
export interface RunTimePlanner {
  /** If false, no rewrite rules are applied. */
  readonly optimize: boolean;
  /**
   * Notes that the plan is valid for this run only, because it has ids of terms that only the
   * request has, or plans further patterns while it runs.
   */
  bindToRun(): void;
  /** Resets the step count for a plan that is made while another one runs. */
  beginAnother(): void;
  /** @param keep number of rows that will be read, if known */
  plan(algebra: Algebra, scope: Scope, keep?: number): Planning<Operator>;
}

/** Compiles expressions of a plan into functions of a batch and a row. */
export class Conditions {
  private readonly request: RequestContext;
  private hasReadNow = false;

  constructor(request: RequestContext) {
    this.request = request;
  }

  /** Whether the plan depends on the time of the request. */
  get readsNow(): boolean {
    return this.hasReadNow;
  }

  /** Returns a test for a condition; an error counts as false. */
  test(expression: Expression, scope: Scope, { optimize }: RunTimePlanner, solutionSlot?: number): RowTest {
    const ofBytes = optimize ? testOfBytes(expression, scope) : undefined;
    const start = (execution: Execution, options?: RowOptions) => {
      const whole = (part: Expression) => () => {
        const compiled = this.compile(part, scope, execution, { solutionSlot, ...options });
        const view = new RowView(execution);
        return (batch: Batch, row: number) => compiled.test(view.at(batch, row)) === true;
      };
      const texts = ofBytes && StoredTexts.of(execution.source.terms);
      return ofBytes && texts ? ofBytes(texts, execution, whole) : whole(expression)();
    };
    const slotOf = (name: string) => scope.find(name);
    // Looked at when there is a batch: most queries have a few rows.
    const startBatches =
      expression.type === 'call'
        ? (slots: SlotNumbers) => (isNumberTest(expression, slotOf) ? startTest(expression, slotOf, slots) : undefined)
        : undefined;
    return { expression, reads: slotsRead(expression, scope, solutionSlot), start, startBatches };
  }

  /**
   * Evaluates a condition that depends on neither rows nor randomness; returns undefined for any
   * other condition.
   */
  constantTest(expression: Expression): boolean | undefined {
    if (mentionsVariable(expression)) return undefined;
    const compiled = this.compileConstant(expression);
    return compiled.constant && compiled.test(NO_ROW) === true;
  }

  /**
   * Returns the term of an expression that depends on neither rows nor the request, or undefined if
   * its evaluation is an error.
   */
  constantTerm(expression: Expression): RDF.Term | undefined {
    return this.compileConstant(expression).evaluate(NO_ROW)?.term;
  }

  private compileConstant(expression: Expression): CompiledExpression {
    const { now, baseIri, random, limits } = this.request;
    const readNow = () => {
      this.hasReadNow = true;
      return now;
    };
    const notConstant = () => {
      throw new WorldsError('INTERNAL', 'A constant creates no blank node and has no pattern.');
    };
    return compileExpression(expression, {
      column: () => undefined,
      exists: notConstant,
      context: {
        get now() {
          return readNow();
        },
        baseIri,
        random,
        limits,
        uuid: randomUUID,
        blankNode: notConstant,
      },
    });
  }

  /** Returns a function for the value of an expression; undefined stands for an error. */
  value(expression: Expression, scope: Scope, solutionSlot?: number): RowValue {
    const start = (execution: Execution, options?: RowOptions) => {
      const compiled = this.compile(expression, scope, execution, { solutionSlot, ...options });
      const view = new RowView(execution);
      return (batch: Batch, row: number) => compiled.evaluate(view.at(batch, row));
    };
    const startNumbers = numberStart(expression, scope);
    return { expression, reads: slotsRead(expression, scope, solutionSlot), start, startNumbers };
  }

  /**
   * Returns a function for the key of an expression's value, see `EqualityKey`. Keys are comparable
   * only with those that were made with the same `ofVariables`.
   *
   * @param ofVariables whether both sides of the equality are variables: then terms that equal only
   *   themselves are their own keys
   * @param errorKey the key of an error; another one for each side, since errors equal nothing
   */
  equalityKey(
    expression: Expression,
    scope: Scope,
    { ofVariables, errorKey }: { readonly ofVariables: boolean; readonly errorKey: number },
  ): RowFunction<number> {
    const reads = slotsRead(expression, scope, undefined);
    const hash = (value: Value | undefined) => (value === undefined ? errorKey : equalityHash(value));
    if (!ofVariables || expression.type !== 'variable') {
      const start = (execution: Execution) => {
        const compiled = this.compile(expression, scope, execution, {});
        const view = new RowView(execution);
        return (batch: Batch, row: number) => hash(compiled.evaluate(view.at(batch, row)));
      };
      return { expression, reads, start };
    }
    const slot = scope.slot(expression.name);
    const start = (execution: Execution) => {
      const texts = StoredTexts.of(execution.source.terms);
      return (batch: Batch, row: number) => {
        const id = batch.columns[slot]?.[row] ?? NO_TERM;
        if (id === NO_TERM) return errorKey;
        if (texts?.equalsOnlyItself(id)) return id;
        const value = execution.value(id);
        return value !== undefined && isIdentity(value.kind) ? id : hash(value);
      };
    };
    return { expression, reads, start };
  }

  /** Returns a function for the term id of an expression; 0 stands for an error. */
  term(expression: Expression, scope: Scope, { optimize }: RunTimePlanner, solutionSlot?: number): RowTerm {
    if (expression.type === 'variable') {
      const slot = scope.slot(expression.name);
      const start = () => (batch: Batch, row: number) => batch.columns[slot]?.[row] ?? 0;
      return { expression, reads: [slot], start };
    }
    const start = (execution: Execution, options?: RowOptions) => {
      const slots = options?.slots;
      const compile = (part: Expression) => this.compile(part, scope, execution, { solutionSlot, ...options });
      const view = new RowView(execution);
      const general = (part: Expression) => {
        const compiled = compile(part);
        return (batch: Batch, row: number) => execution.idOf(compiled.evaluate(view.at(batch, row)));
      };
      const decoded = (part: Expression) => {
        const compiled = compile(part);
        return (batch: Batch, row: number) => compiled.test(view.at(batch, row));
      };
      const slotOf = (name: string) => scope.find(name);
      const { numbers: values } = execution;
      const test = (part: Expression) =>
        values ? startScalarTest(part, { slotOf, values, slots, general: decoded }) : decoded(part);
      const ids = optimize ? startIds(expression, { slotOf, execution, general, test }) : undefined;
      if (ids) return ids;
      const slotsOfRow = optimize && solutionSlot === undefined ? memoSlots(expression, scope) : undefined;
      return slotsOfRow ? remembered(slotsOfRow, general(expression), execution) : general(expression);
    };
    // Only computed numbers have the canonical form: a constant or an operand keeps its own.
    const startNumbers = givesOperand(expression) ? undefined : numberStart(expression, scope);
    return { expression, reads: slotsRead(expression, scope, solutionSlot), start, startNumbers };
  }

  private compile(
    expression: Expression,
    scope: Scope,
    execution: Execution,
    options: CompileOptions,
  ): CompiledExpression {
    return compileExpression(expression, {
      column: (name) => scope.find(name),
      exists: () => {
        throw new WorldsError('INTERNAL', 'An EXISTS was not extracted from the surrounding expression.');
      },
      context: this.evaluationContext(execution, options),
    });
  }

  /** Returns a function that runs the pattern of an EXISTS for one row. */
  pattern(pattern: Algebra, scope: Scope, planner: RunTimePlanner) {
    planner.bindToRun();
    return (execution: Execution): ((batch: Batch, row: number) => Stream) => {
      const view = new RowView(execution);
      const ofRow = this.patternOfRow(pattern, scope, planner);
      return (batch, row) => ofRow(view.at(batch, row));
    };
  }

  /**
   * Substitutes a row's bindings into the pattern, then plans and runs it for that row alone
   * (SPARQL 1.1 section 18.6, substitute).
   */
  private patternOfRow(pattern: Algebra, scope: Scope, planner: RunTimePlanner): (row: RowView) => Stream {
    // "Every occurrence of a variable" includes those mentioned only in inner filters and in their
    // EXISTS patterns.
    const mentioned = [...variablesOfPattern(pattern)];
    return function* (row) {
      const { execution } = row;
      const terms = new Map<string, RDF.Term>();
      for (const name of mentioned) {
        const slot = scope.find(name);
        if (slot !== undefined && row.bound(slot)) terms.set(name, execution.term(row.id(slot)));
      }
      // GRAPH ?g { FILTER EXISTS { } }: the pattern matches in the graph bound by this row.
      const { graph } = scope;
      const active = graph.slot >= 0 && row.bound(graph.slot) ? { slot: -1, id: row.id(graph.slot) } : graph;
      // A separate slot counter: the rows of this plan never meet those of another plan, and slots
      // that grew with every row would make batches ever wider.
      const own = new Scope(new SlotCounter(), active);
      planner.beginAnother();
      const planning = planner.plan(substitute(pattern, terms as Substitution), own);
      yield* execution.run(yield* planWhileRunning(planning, execution));
    };
  }

  private evaluationContext(
    execution: Execution,
    { solutionSlot, maySuspend = false }: CompileOptions,
  ): EvaluationContext {
    const { terms } = execution.source;
    const { baseIri, random } = this.request;
    return {
      now: execution.now,
      baseIri,
      random,
      uuid: randomUUID,
      limits: execution.limits,
      calls: execution.longCalls(maySuspend),
      slow: () => {
        execution.mayBeLate = true;
      },
      madeText: (length) => execution.claimTemporary(length),
      keptText: (length) => execution.claimMemory(textBytes(length)),
      blankNode: (label?: string, solution?: RowReader): Value => {
        const number = solution && solutionSlot !== undefined ? (solution as RowView).id(solutionSlot) : 0;
        // The slot is part of the key because different operators number their solutions
        // independently.
        const key = `${solutionSlot} ${number} ${label}`;
        const id = label === undefined ? terms.blankNode() : execution.blankNode(key);
        return requireValue(valueOfTerm(terms.term(id)));
      },
    };
  }
}

interface CompileOptions extends RowOptions {
  readonly solutionSlot?: number | undefined;
}

type RowPredicate = (batch: Batch, row: number) => boolean;

/** Starts a test on stored bytes; `whole` starts one of an expression on decoded values. */
type StartOfBytes = (
  texts: StoredTexts,
  execution: Execution,
  whole: (part: Expression) => () => RowPredicate,
) => RowPredicate;

/** Returns how a condition is tested on stored bytes, at least for most rows, if it can be. */
function testOfBytes(expression: Expression, scope: Scope): StartOfBytes | undefined {
  const conditions = textConditions(expression, scope);
  if (conditions) {
    return (texts, _, whole) =>
      anyOf(conditions.map((condition) => textTest(texts, condition, whole(condition.expression))));
  }
  const slotOf = (name: string) => scope.find(name);
  const identity = identityPlan(expression, slotOf);
  if (identity) {
    return (texts, execution, whole) => identity.start(execution.source.terms, texts, whole(expression)());
  }
  const comparison = comparisonPlan(expression, slotOf);
  if (comparison) {
    return (texts, execution, whole) => startComparison(comparison, texts, execution, whole(expression)());
  }
  const numeric = numericSlot(expression, slotOf);
  if (numeric !== undefined) {
    return (texts, execution, whole) => startNumericTest(numeric, texts, execution, whole(expression)());
  }
  const slot = referenceSlot(expression, slotOf);
  return slot === undefined ? undefined : (texts, _, whole) => byReference(texts, slot, whole(expression)());
}

/** @param tests at least one */
function anyOf(tests: readonly RowPredicate[]): RowPredicate {
  const [first] = tests;
  if (tests.length === 1) return first;
  return (batch, row) => {
    for (let i = 0; i < tests.length; i++) if (tests[i](batch, row)) return true;
    return false;
  };
}

/** Maximum number of slots whose terms are compared with those of rows before. */
const MAX_MEMO_SLOTS = 3;

/** Returns the slots of which an expression is a function, if these are few and at least one. */
function memoSlots(expression: Expression, scope: Scope): readonly number[] | undefined {
  if (mentionsExists(expression) || !isDeterministic(expression)) return undefined;
  const slots = [...new Set(mentionedSlots(expression, scope))];
  return slots.length > 0 && slots.length <= MAX_MEMO_SLOTS ? slots : undefined;
}

/** Whether values of a kind equal only the same term. */
function isIdentity(kind: ValueKind): boolean {
  return kind === KIND.iri || kind === KIND.blank || kind === KIND.string;
}

/** Whether the result of an expression may be a term that it does not compute. */
function givesOperand(expression: Expression): boolean {
  if (expression.type !== 'call') return expression.type === 'term';
  return expression.function === 'IF' || expression.function === 'COALESCE';
}

/** Returns what computes an expression for whole batches, if it is one of numbers. */
function numberStart(expression: Expression, scope: Scope): RowValue['startNumbers'] {
  const slotOf = (name: string) => scope.find(name);
  if (!isNumberExpression(expression, slotOf)) return undefined;
  return (slots) => startNumbers(expression, slotOf, slots);
}

/**
 * Returns the slots that an expression reads, or undefined for any slot: EXISTS may refer to
 * variables that only its inner filters mention.
 */
function slotsRead(expression: Expression, scope: Scope, solutionSlot: number | undefined): number[] | undefined {
  if (mentionsExists(expression)) return undefined;
  return mentionedSlots(expression, scope, solutionSlot === undefined ? [] : [solutionSlot]);
}

function requireValue(value: Value | undefined): Value {
  if (!value) throw new WorldsError('INTERNAL', 'A blank node has no value.');
  return value;
}

/**
 * Whether an expression calls BNODE with a label, which yields the same node within one solution
 * (SPARQL 1.1 section 17.4.2.9).
 */
export function needsSolutionNumber(expression: Expression): boolean {
  if (expression.type !== 'call' && expression.type !== 'iriCall') return false;
  if (expression.type === 'call' && expression.function === 'BNODE' && expression.arguments.length > 0) return true;
  return expression.arguments.some(needsSolutionNumber);
}
