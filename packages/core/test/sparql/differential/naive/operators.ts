import type * as RDF from '@rdfjs/types';
import { isNumber } from './comparison.ts';
import { Fraction, ZERO } from './fraction.ts';
import {
  decimal,
  floating,
  integer,
  type Meaning,
  meaningOf,
  moment,
  type NumberMeaning,
  numberOf,
  span,
  toDouble,
  toFloat,
} from './meaning.ts';
import { daysOfMonth, instantOf, localSeconds, type Moment, momentAt } from './moment.ts';
import { hasMonths } from './span.ts';

type Arithmetic = '+' | '-' | '*' | '/';
type Result = RDF.Term | undefined;

/**
 * The operators `+ - * /`: XPath F&O 4.2 on numbers, and 10.6 to 10.8 on dates and durations (which
 * section 17.3.1 lets us add).
 */
export function arithmetic(operator: Arithmetic, one: RDF.Term, other: RDF.Term): Result {
  if (one.termType !== 'Literal' || other.termType !== 'Literal') return undefined;
  const left = meaningOf(one);
  const right = meaningOf(other);
  if (isNumber(left) && isNumber(right)) return onNumbers(operator, left, right);
  switch (operator) {
    case '+':
      if (isDate(left)) return isSpan(right) ? shifted(left, right, 1n) : undefined;
      if (isDate(right)) return isSpan(left) ? shifted(right, left, 1n) : undefined;
      return isSpan(left) && isSpan(right) ? spanSum(left, right, 1n) : undefined;
    case '-':
      if (isSpan(right)) {
        if (isDate(left)) return shifted(left, right, -1n);
        return isSpan(left) ? spanSum(left, right, -1n) : undefined;
      }
      if (!isDate(left) || !isDate(right) || left.type !== right.type) return undefined;
      return span('dayTimeDuration', { months: 0n, seconds: instantOf(left.value).minus(instantOf(right.value)) });
    case '*':
      if (isSpan(left) && isNumber(right)) return spanProduct(left, right);
      return isNumber(left) && isSpan(right) ? spanProduct(right, left) : undefined;
    case '/':
      return undefined;
  }
}

function onNumbers(operator: Arithmetic, left: NumberMeaning, right: NumberMeaning): Result {
  if (left.kind === 'exact' && right.kind === 'exact') {
    const [a, b] = [left.value, right.value];
    if (operator === '/') return b.compare(ZERO) === 0 ? undefined : decimal(quotient(a, b));
    const value = operator === '+' ? a.plus(b) : operator === '-' ? a.minus(b) : a.times(b);
    return left.type === 'integer' && right.type === 'integer' ? integer(value.floor()) : decimal(value);
  }
  const type = left.type === 'double' || right.type === 'double' ? 'double' : 'float';
  const [a, b] = [left, right].map(type === 'double' ? toDouble : toFloat);
  const value = { '+': a + b, '-': a - b, '*': a * b, '/': a / b }[operator];
  return floating(type, value);
}

/**
 * XPath F&O 4.2.4 leaves the precision to us: 18 digits behind the point, more of a small quotient,
 * as `divideDecimals` documents.
 */
function quotient(a: Fraction, b: Fraction): Fraction {
  const value = a.over(b);
  const magnitude = (number: Fraction) => {
    const [whole, behind = ''] = number.toString().replace('-', '').split('.');
    return BigInt(whole + behind).toString().length - behind.length;
  };
  return value.roundedTo(Math.max(18, 18 + magnitude(b) - magnitude(a)));
}

type Dates = Extract<Meaning, { kind: 'moment' }>;
type Spans = Extract<Meaning, { kind: 'span' }>;

const isDate = (meaning: Meaning): meaning is Dates =>
  meaning.kind === 'moment' && ['dateTime', 'date', 'time'].includes(meaning.type);
/** XPath computes only with the two types that are totally ordered. */
const isSpan = (meaning: Meaning): meaning is Spans => meaning.kind === 'span' && meaning.type !== 'duration';

function spanSum(left: Spans, right: Spans, sign: bigint): Result {
  if (left.type !== right.type) return undefined;
  const months = left.value.months + sign * right.value.months;
  const seconds = left.value.seconds.plus(right.value.seconds.times(new Fraction(sign)));
  return hasMonths(months) ? span(left.type, { months, seconds }) : undefined;
}

function spanProduct({ type, value }: Spans, factor: NumberMeaning): Result {
  if (factor.kind === 'floating' && !Number.isFinite(factor.value)) return undefined;
  const exact = factor.kind === 'exact' ? factor.value : Fraction.ofDouble(factor.value);
  if (type === 'dayTimeDuration') return span(type, { months: 0n, seconds: value.seconds.times(exact) });
  // By an xs:double; months are whole, and halves go up (10.6.3).
  const double = Fraction.ofDouble(toDouble(factor));
  const months = new Fraction(value.months).times(double).plus(new Fraction(1n, 2n)).floor();
  return hasMonths(months) ? span(type, { months, seconds: ZERO }) : undefined;
}

/** XPath F&O 10.8: months first, with the day cut to the length of the month, then seconds. */
function shifted({ type, value }: Dates, { value: by }: Spans, sign: bigint): Result {
  const months = Number(sign * by.months);
  if (type === 'time' && months !== 0) return undefined;
  const count = value.year * 12 + value.month - 1 + months;
  const year = Math.floor(count / 12);
  const month = count - year * 12 + 1;
  const begin: Moment = { ...value, year, month, day: Math.min(value.day, daysOfMonth(year, month)) };
  const local = localSeconds(begin).plus(by.seconds.times(new Fraction(sign)));
  const result = momentAt(local, value.zone);
  if (type === 'date') return moment(type, { ...result, hour: 0, minute: 0, second: ZERO });
  return moment(type, result);
}

export function negated(term: RDF.Term): Result {
  const number = numberOf(term);
  if (!number) return undefined;
  if (number.kind === 'floating') return floating(number.type, -number.value);
  return number.type === 'integer' ? integer(-number.value.floor()) : decimal(number.value.negated());
}

/** A number as it is, but of xsd:integer when its type is derived from that. */
export function plus(term: RDF.Term): Result {
  const number = numberOf(term);
  if (!number) return undefined;
  const isDerived = number.type === 'integer' && (term as RDF.Literal).datatype.value.endsWith('#integer') === false;
  return isDerived ? integer((number.value as Fraction).floor()) : term;
}

export function absolute(term: RDF.Term): Result {
  const number = numberOf(term);
  if (!number) return undefined;
  const isNegative =
    number.kind === 'exact' ? number.value.compare(ZERO) < 0 : number.value < 0 || Object.is(number.value, -0);
  const other = negated(term);
  return isNegative ? other : other && negated(other);
}

/** CEIL, FLOOR and ROUND: numbers keep their type, but derived integers. */
export function rounded(
  term: RDF.Term,
  exact: (value: Fraction) => bigint,
  inexact: (value: number) => number,
): Result {
  const number = numberOf(term);
  if (!number) return undefined;
  if (number.kind === 'floating') return floating(number.type, inexact(number.value));
  return number.type === 'integer' ? integer(number.value.floor()) : decimal(new Fraction(exact(number.value)));
}
