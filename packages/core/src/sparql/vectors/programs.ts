import { COMPARABLE, NUMERIC } from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Execution } from '../exec/execution.ts';
import { dateTimeOfDate } from '../expressions/date-time.ts';
import { dateTimeValue } from '../expressions/value.ts';
import { chosenBy, firstBound } from './chosen-numbers.ts';
import { isBound, isOneOf, isSelfEqual } from './identity-test.ts';
import {
  ARITHMETIC,
  ofArithmetic,
  ofDivision,
  ofFunction,
  ofRoundedQuotient,
  ROUNDED_QUOTIENTS,
} from './number-arithmetic.ts';
import { NUMBER_CASTS, NUMBER_FUNCTIONS, TIME_PARTS } from './number-functions.ts';
import { type NumberProgram, NumberVector } from './number-vector.ts';
import { numberKindOf, parseConstant, parsed, readerOf } from './parse-value.ts';
import type { SlotNumbers } from './slot-numbers.ts';
import {
  COMPARISONS,
  compared,
  connective,
  effectiveBoolean,
  membership,
  negation,
  type TestProgram,
} from './test-program.ts';
import { computedText, ofCastText, ofLength, orCastText, wholeText } from './text-numbers.ts';

/** Maximum number of calls in an expression on vectors: each holds up to three vectors. */
const MAX_CALLS = 32;
/** Members of IN that are read at once, without a pause. */
const MAX_MEMBERS = 4096;
const MEMBERSHIPS: ReadonlySet<string> = new Set(['IN', 'NOT IN']);
const CONNECTIVES: ReadonlySet<string> = new Set(['&&', '||', '!']);

type SlotOf = (variable: string) => number | undefined;
type Call = Expression & { readonly type: 'call' };
type Constant = Expression & { readonly type: 'term' };
type Variable = Expression & { readonly type: 'variable' };

/** For expressions whose variables will have slots, before it is known which. */
export const ANY_SLOT = (): number => 0;

/** Whether {@link startNumbers} can compute an expression, given which variables have a slot. */
export function isNumberExpression(expression: Expression, slotOf: SlotOf): boolean {
  return callsLeft(expression, slotOf, MAX_CALLS) >= 0;
}

/** Whether {@link startTest} can compile a condition. */
export function isNumberTest(expression: Expression, slotOf: SlotOf): boolean {
  return expression.type === 'call' && testCallsLeft(expression, slotOf, MAX_CALLS) >= 0;
}

/**
 * Subtracts the calls of an expression from the allowance `left` and returns the rest. Returns -1
 * if the allowance is exceeded, or if the expression is not arithmetic on numbers.
 */
function callsLeft(expression: Expression, slotOf: SlotOf, left: number): number {
  switch (expression.type) {
    case 'variable':
      return slotOf(expression.name) === undefined ? -1 : left;
    case 'term':
      return expression.term.termType === 'Literal' && readerOf(expression.term.datatype.value) >= 0 ? left : -1;
    case 'call': {
      const { function: name, arguments: parts } = expression;
      switch (name) {
        case 'STRLEN':
          return wholeText(parts[0], slotOf) ? left - 1 : -1;
        case 'NOW':
          return left - 1;
        case 'IF': {
          const rest = testCallsLeft(parts[0], slotOf, left - 1);
          return rest < 0 ? -1 : callsLeftOfAll(parts.slice(1), slotOf, rest);
        }
        case 'COALESCE':
          // Each operand is computed for all rows.
          return callsLeftOfAll(parts, slotOf, left - parts.length);
        default: {
          const isKnown = name === '/' || ARITHMETIC.has(name) || NUMBER_FUNCTIONS.has(name);
          return isKnown ? callsLeftOfAll(parts, slotOf, left - 1) : -1;
        }
      }
    }
    case 'iriCall': {
      const { iri, arguments: parts } = expression;
      if (!NUMBER_CASTS.has(iri) || parts.length !== 1 || left === 0) return -1;
      return computedText(parts[0], slotOf) ? left - 1 : callsLeft(parts[0], slotOf, left - 1);
    }
    default:
      return -1;
  }
}

/** As {@link callsLeft}, for all operands of a call; `ofPart` is that of one operand. */
function callsLeftOfAll(parts: readonly Expression[], slotOf: SlotOf, left: number, ofPart = callsLeft): number {
  let rest = left;
  for (const part of parts) {
    if (rest < 0) return -1;
    rest = ofPart(part, slotOf, rest);
  }
  return rest;
}

/** As {@link callsLeft}, for a condition. */
function testCallsLeft(expression: Expression, slotOf: SlotOf, left: number): number {
  if (expression.type === 'variable') return slotOf(expression.name) === undefined ? -1 : left;
  if (expression.type !== 'call') return -1;
  const { function: name, arguments: parts } = expression;
  const tested = name === 'BOUND' ? parts[0] : identityOf(expression)?.variable;
  if (tested) return tested.type === 'variable' && slotOf(tested.name) !== undefined ? left - 1 : -1;
  if (MEMBERSHIPS.has(name)) {
    const [value, ...members] = parts;
    return members.length <= MAX_MEMBERS && members.every(isNumber) ? callsLeft(value, slotOf, left - 1) : -1;
  }
  if (COMPARISONS.has(name)) return callsLeftOfAll(parts, slotOf, left - 1);
  return CONNECTIVES.has(name) ? callsLeftOfAll(parts, slotOf, left - 1, testCallsLeft) : -1;
}

/**
 * Compiles an expression that {@link isNumberExpression} accepts, for one run of a plan. Returns
 * undefined if the term source has no value column.
 */
export function startNumbers(expression: Expression, slotOf: SlotOf, slots: SlotNumbers): NumberProgram | undefined {
  const { execution } = slots;
  switch (expression.type) {
    case 'variable':
      return slots.program(slotOf(expression.name)!);
    case 'term':
      return ofConstant(expression, execution);
    case 'call':
      return startCall(expression, slotOf, slots);
    case 'iriCall': {
      const { iri } = expression;
      const [argument] = expression.arguments;
      const text = computedText(argument, slotOf);
      if (text) return slots.shared(expression, () => ofCastText(text, iri, execution));
      const numbers = startNumbers(argument, slotOf, slots);
      const cast = numbers && ofFunction(NUMBER_CASTS.get(iri)!, numbers, execution);
      const slot = argument.type === 'variable' ? slotOf(argument.name) : undefined;
      return cast && slot !== undefined ? orCastText(cast, { slot, ofStr: false, cuts: [] }, iri, execution) : cast;
    }
    default:
      return undefined;
  }
}

function startCall(expression: Call, slotOf: SlotOf, slots: SlotNumbers): NumberProgram | undefined {
  const { execution } = slots;
  const { function: name, arguments: parts } = expression;
  switch (name) {
    case 'STRLEN':
      return ofLength(wholeText(parts[0], slotOf)!, execution);
    case 'NOW':
      return ofNow(execution);
    case 'IF': {
      const test = startTest(parts[0], slotOf, slots);
      const [whenTrue, whenFalse] = parts.slice(1).map((part) => startNumbers(part, slotOf, slots));
      return test && whenTrue && whenFalse && chosenBy(test, whenTrue, whenFalse, execution);
    }
    case 'COALESCE': {
      const operands = parts.map((part) => {
        const numbers = startNumbers(part, slotOf, slots);
        return numbers && { numbers, slot: part.type === 'variable' ? slotOf(part.name) : undefined };
      });
      return operands.every((operand) => operand !== undefined) ? firstBound(operands, execution) : undefined;
    }
    default: {
      const operand = (part: Expression) =>
        TIME_PARTS.has(name) && part.type === 'variable'
          ? slots.localTimes(slotOf(part.name)!)
          : startNumbers(part, slotOf, slots);
      const apply = NUMBER_FUNCTIONS.get(name);
      const [only] = parts;
      const toWhole = ROUNDED_QUOTIENTS.get(name);
      if (apply && toWhole && only.type === 'call' && only.function === '/') {
        const [dividend, divisor] = only.arguments.map((part) => startNumbers(part, slotOf, slots));
        return (
          dividend && divisor && ofRoundedQuotient(apply, toWhole, slots.once(dividend), slots.once(divisor), execution)
        );
      }
      const [left, right] = parts.map(operand);
      if (apply) return left && ofFunction(apply, left, execution);
      if (!left || !right) return undefined;
      return name === '/'
        ? ofDivision(left, right, execution)
        : ofArithmetic(ARITHMETIC.get(name)!, left, right, execution);
    }
  }
}

/**
 * Compiles a condition that {@link isNumberTest} accepts, or that of an IF, for one run of a plan.
 * Returns undefined if the term source has no value column.
 */
export function startTest(expression: Expression, slotOf: SlotOf, slots: SlotNumbers): TestProgram | undefined {
  if (expression.type === 'variable') {
    const numbers = slots.program(slotOf(expression.name)!);
    return numbers && effectiveBoolean(numbers);
  }
  if (expression.type !== 'call') return undefined;
  const { function: name, arguments: parts } = expression;
  if (CONNECTIVES.has(name)) {
    const [first, second] = parts.map((part) => startTest(part, slotOf, slots));
    if (name === '!') return first && negation(first);
    return first && second && connective(first, second, name === '||');
  }
  if (name === 'BOUND') return parts[0].type === 'variable' ? isBound(slotOf(parts[0].name)!) : undefined;
  const identity = identityOf(expression);
  if (identity) {
    const { variable, others, whenSame } = identity;
    const terms = others.map(({ term }) => term);
    return isOneOf(slotOf(variable.name)!, terms, whenSame, slots.execution.source.terms);
  }
  if (MEMBERSHIPS.has(name)) {
    const [value, ...members] = parts;
    const numbers = startNumbers(value, slotOf, slots);
    return numbers && membership(numbers, members.map(numberOf), name === 'IN');
  }
  const comparison = COMPARISONS.get(name);
  const [left, right] = parts.map((part) => startNumbers(part, slotOf, slots));
  return comparison !== undefined && left && right ? compared(left, right, comparison) : undefined;
}

/** A variable that is compared with terms which equal only themselves. */
interface Identity {
  readonly variable: Variable;
  readonly others: readonly Constant[];
  /** The result for a term that is one of the others. */
  readonly whenSame: boolean;
}

/** Returns undefined unless a call compares one variable with such terms. */
function identityOf({ function: name, arguments: parts }: Call): Identity | undefined {
  const [one, ...others] = parts;
  switch (name) {
    case '=':
    case '!=': {
      const [variable, other] = one.type === 'variable' ? parts : [others[0], one];
      if (variable.type !== 'variable' || !isSelfEqual(other)) return undefined;
      return { variable, others: [other], whenSame: name === '=' };
    }
    case 'IN':
    case 'NOT IN':
      if (one.type !== 'variable' || others.length > MAX_MEMBERS || !others.every(isSelfEqual)) return undefined;
      return others.length === 0 ? undefined : { variable: one, others, whenSame: name === 'IN' };
    default:
      return undefined;
  }
}

/** A constant that is a number; equal constants of this kind have equal numbers. */
function isNumber(member: Expression): boolean {
  return member.type === 'term' && COMPARABLE[parseConstant(member)] === NUMERIC;
}

function numberOf(member: Expression): number {
  if (member.type === 'term') parseConstant(member);
  return parsed.number;
}

function ofConstant(constant: Constant, memory: MemoryBudget): NumberProgram {
  const kind = parseConstant(constant);
  return always(kind, parsed.number, memory);
}

/** Compiles NOW (section 17.4.5.1), which is the same time in all rows. */
function ofNow(execution: Execution): NumberProgram {
  const now = dateTimeValue(dateTimeOfDate(execution.now));
  return always(numberKindOf(now), now.number, execution);
}

function always(kind: number, number: number, memory: MemoryBudget): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    if (vector.kinds.length < batch.length) {
      vector.reserve(batch.length);
      vector.setKind(kind);
      vector.kinds.fill(kind);
      vector.numbers.fill(number);
    }
    return vector;
  };
}
