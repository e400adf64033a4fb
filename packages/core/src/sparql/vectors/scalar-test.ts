import { NO_TERM } from '../../contracts/term-source.ts';
import { COMPARABLE, hasFraction } from '../../contracts/value-column.ts';
import type { Expression } from '../algebra/algebra.ts';
import { type Batch, MIN_BATCH_ROWS } from '../exec/batch.ts';
import { parseConstant, parsed } from './parse-value.ts';
import { isNumberTest, startTest } from './programs.ts';
import type { SlotNumbers } from './slot-numbers.ts';
import type { StoredValues } from './stored-values.ts';
import { ANSWERS, COMPARISONS, TRUTH } from './test-program.ts';

/** Tests a row; undefined stands for an error. */
export type ScalarTest = (batch: Batch, row: number) => boolean | undefined;

/** What {@link startScalarTest} needs in addition to the condition. */
export interface ScalarContext {
  readonly slotOf: (variable: string) => number | undefined;
  readonly values: StoredValues;
  /** The values of the batch whose rows are tested, if the operator provides them. */
  readonly slots?: SlotNumbers | undefined;
  /** Compiles any condition to a test of decoded values. */
  readonly general: (expression: Expression) => ScalarTest;
}

/**
 * Compiles a condition that is tested row by row, such as that of IF, so that comparisons of
 * variables and constants read the stored numbers and decode no term.
 */
export function startScalarTest(expression: Expression, context: ScalarContext): ScalarTest {
  if (expression.type !== 'call') return context.general(expression);
  const { function: name, arguments: parts } = expression;
  switch (name) {
    case '!': {
      const test = startScalarTest(parts[0], context);
      return (batch, row) => {
        const result = test(batch, row);
        return result === undefined ? undefined : !result;
      };
    }
    case '&&':
    case '||': {
      const [one, other] = parts.map((part) => startScalarTest(part, context));
      // Section 17.2: this operand decides, even if the other one is an error.
      const decisive = name === '||';
      return (batch, row) => {
        const first = one(batch, row);
        if (first === decisive) return decisive;
        const second = other(batch, row);
        if (second === decisive) return decisive;
        return first === undefined || second === undefined ? undefined : !decisive;
      };
    }
    default:
      return compared(expression, context) ?? computed(expression, context) ?? context.general(expression);
  }
}

/** Compiles a comparison of computed numbers, which a program decides for all rows of a batch. */
function computed(expression: Expression, { slotOf, slots, general }: ScalarContext): ScalarTest | undefined {
  if (!slots || !isNumberTest(expression, slotOf)) return undefined;
  const program = startTest(expression, slotOf, slots);
  if (!program) return undefined;
  const truthsOf = slots.once(program);
  const decoded = general(expression);
  return (batch, row) => {
    if (batch.length < MIN_BATCH_ROWS) return decoded(batch, row);
    const truth = truthsOf(batch).values[row];
    return truth === TRUTH.undecided ? decoded(batch, row) : truth === TRUTH.isTrue;
  };
}

/** Returns the kind of a value for a row, and leaves its number in {@link parsed}. */
type Operand = (batch: Batch, row: number) => number;

function compared(expression: Expression & { readonly type: 'call' }, context: ScalarContext): ScalarTest | undefined {
  const comparison = COMPARISONS.get(expression.function);
  if (comparison === undefined) return undefined;
  const [left, right] = expression.arguments.map((part) => operand(part, context));
  if (!left || !right) return undefined;
  const general = context.general(expression);
  const [whenLess, whenEqual, whenGreater] = ANSWERS[comparison].map((answer) => answer === 1);
  return (batch, row) => {
    const kind = left(batch, row);
    const x = parsed.number;
    const otherKind = right(batch, row);
    const y = parsed.number;
    const comparable = COMPARABLE[kind];
    if (comparable === 0 || comparable !== COMPARABLE[otherKind]) return general(batch, row);
    if (x < y) return whenLess;
    if (x > y) return whenGreater;
    // The fractions of the seconds, which the numbers omit, decide.
    return hasFraction(kind) || hasFraction(otherKind) ? general(batch, row) : whenEqual;
  };
}

/** Compiles a variable, or a constant that has a number. */
function operand(expression: Expression, { slotOf, values }: ScalarContext): Operand | undefined {
  if (expression.type === 'variable') {
    const slot = slotOf(expression.name);
    return slot === undefined ? undefined : (batch, row) => values.look(batch.columns[slot]?.[row] ?? NO_TERM);
  }
  if (expression.type !== 'term') return undefined;
  const kind = parseConstant(expression);
  if (COMPARABLE[kind] === 0) return undefined;
  const { number } = parsed;
  return () => {
    parsed.number = number;
    return kind;
  };
}
