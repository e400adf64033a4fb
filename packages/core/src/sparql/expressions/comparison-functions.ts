import { compareCodePoints } from '../../model/code-point-order.ts';
import { compareValues, equal } from './comparison.ts';
import { binaryTest, type FunctionRow, form, type Specialize } from './function-row.ts';
import { type Operand, type Test, testOperand } from './operand.ts';
import { isSameTerm, type Value } from './value.ts';
import { KIND } from './value-kind.ts';

/** Compiles `=` against a constant. For the common kinds, one field comparison decides. */
function equalToConstant(part: Operand, constant: Value, wanted: boolean): Test {
  const { evaluate } = part;
  const general = (value: Value): boolean | undefined => {
    const truth = equal(value, constant);
    return truth === undefined ? undefined : truth === wanted;
  };
  if (constant.kind === KIND.integer && constant.exact === undefined) {
    const { number } = constant;
    return (row) => {
      const value = evaluate(row);
      if (value === undefined) return undefined;
      if (value.kind === KIND.integer && value.exact === undefined) return (value.number === number) === wanted;
      return general(value);
    };
  }
  if (constant.kind === KIND.string || constant.kind === KIND.iri) {
    const { kind, lexical } = constant;
    return (row) => {
      const value = evaluate(row);
      if (value === undefined) return undefined;
      return value.kind === kind ? (value.lexical === lexical) === wanted : general(value);
    };
  }
  return (row) => {
    const value = evaluate(row);
    return value === undefined ? undefined : general(value);
  };
}

/** Specializes for one constant side; equality is symmetric. */
function specializeEqual(wanted: boolean): Specialize {
  return (parts) => {
    const [left, right] = parts;
    const [side, constant] = right.constant ? [left, right.constant] : [right, left.constant];
    if (constant?.value === undefined || side.constant !== undefined) return undefined;
    return testOperand(equalToConstant(side, constant.value, wanted), parts);
  };
}

function equality(wanted: boolean): FunctionRow {
  return binaryTest((a, b) => {
    const truth = equal(a, b);
    return truth === undefined ? undefined : truth === wanted;
  }, specializeEqual(wanted));
}

/**
 * Results of an ordering operator for less, equal and greater. NaN is none of these and yields
 * false.
 */
interface Answers {
  readonly whenLess: boolean;
  readonly whenEqual: boolean;
  readonly whenGreater: boolean;
}

function answer(order: number | undefined, { whenLess, whenEqual, whenGreater }: Answers): boolean | undefined {
  if (order === undefined) return undefined;
  return order < 0 ? whenLess : order > 0 ? whenGreater : order === 0 && whenEqual;
}

/**
 * Compiles an ordering operator against a constant number or string, without a call for values of
 * the constant's own kind.
 */
function orderToConstant(part: Operand, constant: Value, answers: Answers): Test {
  const { evaluate } = part;
  const { whenLess, whenEqual, whenGreater } = answers;
  // If either side is a double, doubles are compared; small integers and doubles compare exactly as
  // numbers.
  if (constant.kind === KIND.double || (constant.kind === KIND.integer && constant.exact === undefined)) {
    const { number } = constant;
    return (row) => {
      const value = evaluate(row);
      if (value === undefined) return undefined;
      if (value.exact === undefined && (value.kind === KIND.integer || value.kind === KIND.double)) {
        const candidate = value.number;
        return candidate < number ? whenLess : candidate > number ? whenGreater : candidate === number && whenEqual;
      }
      return answer(compareValues(value, constant), answers);
    };
  }
  if (constant.kind === KIND.string) {
    const { lexical } = constant;
    return (row) => {
      const value = evaluate(row);
      if (value === undefined) return undefined;
      const order =
        value.kind === KIND.string ? compareCodePoints(value.lexical, lexical) : compareValues(value, constant);
      return answer(order, answers);
    };
  }
  return (row) => {
    const value = evaluate(row);
    return value === undefined ? undefined : answer(compareValues(value, constant), answers);
  };
}

function order(whenLess: boolean, whenEqual: boolean, whenGreater: boolean): FunctionRow {
  const answers = { whenLess, whenEqual, whenGreater };
  const mirrored = { whenLess: whenGreater, whenEqual, whenGreater: whenLess };
  return binaryTest(
    (a, b) => answer(compareValues(a, b), answers),
    (parts) => {
      const [left, right] = parts;
      if (left.constant && right.constant) return undefined;
      if (right.constant?.value) return testOperand(orderToConstant(left, right.constant.value, answers), parts);
      if (left.constant?.value) return testOperand(orderToConstant(right, left.constant.value, mirrored), parts);
      return undefined;
    },
  );
}

/**
 * Sections 17.4.1.9 and 17.4.1.10: `IN` is a disjunction of `=`, so a match wins over errors;
 * without a match, any error is the result. Constant IRIs and strings use a hash lookup, because
 * lists may have thousands of them.
 */
function membership(wanted: boolean): FunctionRow {
  return form(1, Number.POSITIVE_INFINITY, (parts) => {
    const [{ evaluate }, ...list] = parts;
    const iris = new Set<string>();
    const strings = new Set<string>();
    const rest: Operand[] = [];
    for (const member of list) {
      const value = member.constant?.value;
      if (value?.kind === KIND.iri) iris.add(value.lexical);
      else if (value?.kind === KIND.string) strings.add(value.lexical);
      else rest.push(member);
    }
    const others = rest.map((member) => member.evaluate);
    // A literal of an unknown datatype is neither equal nor unequal to a string, so the result is
    // an error if the list has strings.
    const hasStrings = strings.size > 0;

    return testOperand((row) => {
      const value = evaluate(row);
      if (value === undefined) return undefined;
      if (value.kind === KIND.iri ? iris.has(value.lexical) : value.kind === KIND.string && strings.has(value.lexical))
        return wanted;
      let failed = value.kind === KIND.other && hasStrings;
      for (const other of others) {
        const candidate = other(row);
        const truth = candidate === undefined ? undefined : equal(value, candidate);
        if (truth === true) return wanted;
        if (truth === undefined) failed = true;
      }
      return failed ? undefined : !wanted;
    }, parts);
  });
}

export const COMPARISON_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['=', equality(true)],
  ['!=', equality(false)],
  ['<', order(true, false, false)],
  ['>', order(false, false, true)],
  ['<=', order(true, true, false)],
  ['>=', order(false, true, true)],
  ['IN', membership(true)],
  ['NOT IN', membership(false)],
  ['SAMETERM', binaryTest(isSameTerm)],
];
