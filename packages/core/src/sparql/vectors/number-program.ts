import { COMPARABLE, MAX_SCALE, MAX_UNITS, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from '../exec/batch.ts';
import type { Execution } from '../exec/execution.ts';
import { StoredTexts } from '../exec/stored-texts.ts';
import { characters, type SlicePlan, slicePlan, TextSlice } from '../exec/text-slice.ts';
import { DATATYPES } from '../expressions/datatypes.ts';
import { computed, NUMBER_FUNCTIONS, type NumberFunction } from './number-functions.ts';
import { NumberVector, powerOfTen, scaleOf, unitsOf } from './number-vector.ts';
import { parsed, parseValue, readerOf } from './parse-value.ts';

/**
 * An arithmetic expression compiled for whole batches: computes the values of all rows in one call,
 * without an object per row. Rows whose value does not fit a vector (see {@link NumberVector}) are
 * evaluated one by one elsewhere. The vector has at least as many entries as the batch has rows,
 * and is valid until the next call.
 */
export type NumberProgram = (batch: Batch) => NumberVector;

/** The operators whose results are exact; division has rules of its own. */
const ARITHMETIC: ReadonlyMap<string, Arithmetic> = new Map<string, Arithmetic>([
  ['+', { exact: (a, b) => a + b, addsScales: false }],
  ['-', { exact: (a, b) => a - b, addsScales: false }],
  ['*', { exact: (a, b) => a * b, addsScales: true }],
]);

interface Arithmetic {
  /** Applied to doubles, and to the units of decimals. */
  readonly exact: (a: number, b: number) => number;
  /** The scale of an exact result is the sum of the operands' scales; otherwise the larger one. */
  readonly addsScales: boolean;
}

/** Maximum number of calls in an expression on vectors: each holds up to three vectors. */
export const MAX_CALLS = 32;

/** Whether {@link startNumbers} can compute an expression, given which variables have a slot. */
export function isNumberExpression(expression: Expression, slotOf: (variable: string) => number | undefined): boolean {
  return callsLeft(expression, slotOf, MAX_CALLS) >= 0;
}

/**
 * Subtracts the calls of an expression from the allowance `left` and returns the rest. Returns -1
 * if the allowance is exceeded, or if the expression is not arithmetic on numbers.
 */
export function callsLeft(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
  left: number,
): number {
  switch (expression.type) {
    case 'variable':
      return slotOf(expression.name) === undefined ? -1 : left;
    case 'term':
      return expression.term.termType === 'Literal' && readerOf(expression.term.datatype.value) >= 0 ? left : -1;
    case 'call': {
      const { function: name } = expression;
      if (name === 'STRLEN') return wholeText(expression.arguments[0], slotOf) ? left - 1 : -1;
      let rest = name === '/' || ARITHMETIC.has(name) || NUMBER_FUNCTIONS.has(name) ? left - 1 : -1;
      for (const part of expression.arguments) if (rest >= 0) rest = callsLeft(part, slotOf, rest);
      return rest;
    }
    default:
      return -1;
  }
}

/**
 * Compiles an expression that {@link isNumberExpression} accepts, for one run of a plan. Returns
 * undefined if the term source has no value column.
 */
export function startNumbers(
  expression: Expression,
  slotOf: (variable: string) => number | undefined,
  execution: Execution,
): NumberProgram | undefined {
  switch (expression.type) {
    case 'variable':
      return ofSlot(slotOf(expression.name)!, execution);
    case 'term':
      return ofConstant(expression, execution);
    case 'call': {
      const { function: name } = expression;
      if (name === 'STRLEN') return ofLength(wholeText(expression.arguments[0], slotOf)!, execution);
      const [left, right] = expression.arguments.map((part) => startNumbers(part, slotOf, execution));
      const apply = NUMBER_FUNCTIONS.get(name);
      if (apply) return left && ofFunction(apply, left, execution);
      if (!left || !right) return undefined;
      return name === '/'
        ? ofDivision(left, right, execution)
        : ofArithmetic(ARITHMETIC.get(name)!, left, right, execution);
    }
    default:
      return undefined;
  }
}

/** Compiles a variable: the values of the terms in its column. */
export function ofSlot(slot: number, execution: Execution): NumberProgram | undefined {
  const { numbers } = execution;
  if (!numbers) return undefined;
  const vector = new NumberVector(execution);
  return (batch) => {
    vector.reserve(batch.length);
    const column = batch.columns[slot];
    if (column) numbers.fill(column, batch.length, vector);
    else vector.kinds.fill(VALUE.opaque, 0, batch.length);
    return vector;
  };
}

/** Maximum number of bytes of texts that one STRLEN counts in a batch, without a pause. */
const MAX_COUNTED_BYTES = 1 << 20;

/** A text that is not cut, so that its size is known before it is read. */
function wholeText(expression: Expression, slotOf: (variable: string) => number | undefined): SlicePlan | undefined {
  const plan = slicePlan(expression, slotOf);
  return plan?.cuts.length === 0 ? plan : undefined;
}

/** Compiles STRLEN (section 17.4.3.2): counts the characters in the stored bytes. */
function ofLength(plan: SlicePlan, execution: Execution): NumberProgram | undefined {
  const texts = StoredTexts.of(execution.source.terms);
  if (!texts) return undefined;
  const slice = new TextSlice(texts, plan);
  const vector = new NumberVector(execution);
  return (batch) => {
    vector.reserve(batch.length);
    let left = MAX_COUNTED_BYTES;
    for (let row = 0; row < batch.length; row++) {
      // Beyond the maximum, rows are evaluated one by one, because that can pause between them.
      const hasText = slice.find(batch, row) && (left -= slice.end - slice.start) > 0;
      vector.kinds[row] = hasText ? VALUE.integer : VALUE.opaque;
      vector.numbers[row] = hasText ? characters(slice) : 0;
    }
    return vector;
  };
}

function ofConstant({ term }: Expression & { readonly type: 'term' }, memory: MemoryBudget): NumberProgram {
  const vector = new NumberVector(memory);
  let kind: number = VALUE.opaque;
  if (term.termType === 'Literal' && DATATYPES.has(term.datatype.value)) {
    const bytes = Buffer.from(term.value);
    kind = parseValue(readerOf(term.datatype.value), bytes, 0, bytes.length);
  }
  const { number } = parsed;
  return (batch) => {
    if (vector.kinds.length < batch.length) {
      vector.reserve(batch.length);
      vector.kinds.fill(kind);
      vector.numbers.fill(number);
    }
    return vector;
  };
}

/**
 * Compiles a numeric operator. Type promotion follows XPath 2.0 appendix B.1: if either operand is
 * a double, the result is a double; otherwise it is exact. A result that would not be exact here is
 * `opaque`, so the row is evaluated by the general interpreter.
 */
function ofArithmetic(
  { exact, addsScales }: Arithmetic,
  left: NumberProgram,
  right: NumberProgram,
  memory: MemoryBudget,
): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    vector.reserve(batch.length);
    const a = left(batch);
    const b = right(batch);
    const { kinds, numbers } = vector;
    for (let row = 0; row < batch.length; row++) {
      const leftKind = a.kinds[row];
      const rightKind = b.kinds[row];
      kinds[row] = VALUE.opaque;
      if (COMPARABLE[leftKind] !== NUMERIC || COMPARABLE[rightKind] !== NUMERIC) continue;
      const x = a.numbers[row];
      const y = b.numbers[row];
      if (leftKind === VALUE.integer && rightKind === VALUE.integer) {
        const result = exact(x, y);
        if (!Number.isSafeInteger(result)) continue;
        kinds[row] = VALUE.integer;
        // Adding 0 turns -0 into 0: integers have no negative zero.
        numbers[row] = result + 0;
      } else if (leftKind === VALUE.double || rightKind === VALUE.double) {
        const result = exact(x, y);
        if (Number.isNaN(result)) continue;
        kinds[row] = VALUE.double;
        numbers[row] = result;
      } else {
        const leftScale = scaleOf(leftKind);
        const rightScale = scaleOf(rightKind);
        const scale = addsScales ? leftScale + rightScale : Math.max(leftScale, rightScale);
        if (scale > MAX_SCALE) continue;
        let leftUnits = unitsOf(x, leftScale);
        let rightUnits = unitsOf(y, rightScale);
        if (!addsScales) {
          leftUnits *= powerOfTen(scale - leftScale);
          rightUnits *= powerOfTen(scale - rightScale);
          if (Math.abs(leftUnits) >= MAX_UNITS || Math.abs(rightUnits) >= MAX_UNITS) continue;
        }
        const units = exact(leftUnits, rightUnits);
        if (Math.abs(units) >= MAX_UNITS) continue;
        kinds[row] = VALUE.decimal + scale;
        numbers[row] = (units + 0) / powerOfTen(scale);
      }
    }
    return vector;
  };
}

function ofFunction(apply: NumberFunction, argument: NumberProgram, memory: MemoryBudget): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    vector.reserve(batch.length);
    const values = argument(batch);
    const { kinds, numbers } = vector;
    for (let row = 0; row < batch.length; row++) {
      kinds[row] = apply(values.kinds[row], values.numbers[row]);
      numbers[row] = computed.number;
    }
    return vector;
  };
}

/**
 * Compiles division: "xsd:decimal if both operands are xsd:integer" (SPARQL 1.1 section 17.3). A
 * decimal quotient that does not terminate or has more than 15 digits is `opaque`, because the
 * general interpreter rounds it; so is a division by zero.
 */
function ofDivision(left: NumberProgram, right: NumberProgram, memory: MemoryBudget): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    vector.reserve(batch.length);
    const a = left(batch);
    const b = right(batch);
    const { kinds, numbers } = vector;
    for (let row = 0; row < batch.length; row++) {
      const leftKind = a.kinds[row];
      const rightKind = b.kinds[row];
      kinds[row] = VALUE.opaque;
      if (COMPARABLE[leftKind] !== NUMERIC || COMPARABLE[rightKind] !== NUMERIC) continue;
      if (leftKind === VALUE.double || rightKind === VALUE.double) {
        const quotient = a.numbers[row] / b.numbers[row];
        if (Number.isNaN(quotient)) continue;
        kinds[row] = VALUE.double;
        numbers[row] = quotient;
        continue;
      }
      const divisor = unitsOf(b.numbers[row], scaleOf(rightKind));
      if (divisor === 0) continue;
      let scale = scaleOf(leftKind) - scaleOf(rightKind);
      let units = unitsOf(a.numbers[row], scaleOf(leftKind));
      while (Math.abs(units) < MAX_UNITS && units % divisor !== 0) {
        units *= 10;
        scale++;
      }
      if (Math.abs(units) >= MAX_UNITS) continue;
      units /= divisor;
      for (; scale < 0; scale++) units *= 10;
      if (Math.abs(units) >= MAX_UNITS || scale > MAX_SCALE) continue;
      kinds[row] = VALUE.decimal + scale;
      numbers[row] = (units + 0) / powerOfTen(scale);
    }
    return vector;
  };
}
