import type * as RDF from '@rdfjs/types';
import { isNumber } from './comparison.ts';
import { Fraction, ONE, ZERO } from './fraction.ts';
import {
  boolean,
  decimal,
  floating,
  floatingText,
  INTEGER_TYPES,
  integer,
  isInRange,
  type Meaning,
  meaningOf,
  moment,
  parse,
  shortest,
  span,
  string,
  toDouble,
  toFloat,
  typed,
} from './meaning.ts';
import { MOMENT_TYPES, type Moment, type MomentType } from './moment.ts';
import { SPAN_TYPES, type SpanType } from './span.ts';

type Result = RDF.Term | undefined;

/** A type's name behind the # to what it makes of a term: section 17.5, XPath F&O 17. */
export function castTo(type: string, term: RDF.Term): Result {
  if (type === 'string') return textOf(term);
  if (term.termType !== 'Literal') return undefined;
  const meaning = meaningOf(term);
  if (meaning.kind !== 'string') return convert(type, meaning);
  // XPath F&O 17.1.1: white space around it goes away first.
  const value = parse(type, term.value.replace(/^[\t\n\r ]*|[\t\n\r ]*$/g, ''));
  return value && convert(type, value);
}

/** To a new term with the canonical form. */
function convert(type: string, meaning: Meaning): Result {
  if (type in INTEGER_TYPES) {
    const value = exactValue(meaning)?.truncated();
    return value !== undefined && isInRange(type, value) ? integer(value, type) : undefined;
  }
  switch (type) {
    case 'boolean':
      if (meaning.kind === 'boolean') return boolean(meaning.value);
      if (meaning.kind === 'exact') return boolean(meaning.value.compare(ZERO) !== 0);
      return meaning.kind === 'floating' ? boolean(meaning.value !== 0 && !Number.isNaN(meaning.value)) : undefined;
    case 'decimal': {
      const value = exactValue(meaning);
      return value && decimal(value);
    }
    case 'float':
    case 'double':
      if (meaning.kind === 'boolean') return floating(type, Number(meaning.value));
      return isNumber(meaning) ? floating(type, type === 'float' ? toFloat(meaning) : toDouble(meaning)) : undefined;
  }
  if (type === 'dateTimeStamp' && meaning.kind === 'moment') {
    const made = momentOf('dateTime', meaning.type, meaning.value);
    return made && meaning.value.zone !== undefined ? typed((made as RDF.Literal).value, type) : undefined;
  }
  const toMoment = MOMENT_TYPES.find((one) => one === type);
  if (toMoment && meaning.kind === 'moment') return momentOf(toMoment, meaning.type, meaning.value);
  const toSpan: SpanType | undefined = SPAN_TYPES.find((one) => one === type);
  if (!toSpan || meaning.kind !== 'span') return undefined;
  // XPath F&O 17.1.4: the part that the type has.
  return span(toSpan, {
    months: toSpan === 'dayTimeDuration' ? 0n : meaning.value.months,
    seconds: toSpan === 'yearMonthDuration' ? ZERO : meaning.value.seconds,
  });
}

function exactValue(meaning: Meaning): Fraction | undefined {
  if (meaning.kind === 'boolean') return meaning.value ? ONE : ZERO;
  if (meaning.kind === 'exact') return meaning.value;
  return meaning.kind === 'floating' && Number.isFinite(meaning.value) ? Fraction.ofDouble(meaning.value) : undefined;
}

/**
 * XPath F&O 17.1.5: a dateTime or a date becomes what it holds; everything else only what it is.
 */
function momentOf(target: MomentType, type: MomentType, value: Moment): Result {
  if (target === type) return moment(target, value);
  if (type !== 'dateTime' && (type !== 'date' || target === 'time')) return undefined;
  return moment(target, target === 'date' ? { ...value, hour: 0, minute: 0, second: ZERO } : value);
}

/**
 * XPath F&O 17.1.2: canonical, but a double between a millionth and a million is written as a
 * decimal.
 */
function textOf(term: RDF.Term): Result {
  if (term.termType === 'NamedNode') return string(term.value);
  if (term.termType !== 'Literal') return undefined;
  const meaning = meaningOf(term);
  switch (meaning.kind) {
    case 'exact':
      return string(meaning.value.toString());
    case 'floating': {
      const { type, value } = meaning;
      if (value === 0) return string(Object.is(value, -0) ? '-0' : '0');
      const isPlain = Math.abs(value) >= 1e-6 && Math.abs(value) < 1e6;
      return string(isPlain ? Fraction.parse(plain(shortest(type, value))).toString() : floatingText(type, value));
    }
    case 'boolean':
      return string(String(meaning.value));
    case 'moment':
      return string(moment(meaning.type, meaning.value).value);
    case 'span':
      return string(span(meaning.type, meaning.value).value);
    default:
      return string(term.value);
  }
}

/** `1.5e-3` as `0.0015`. */
function plain(text: string): string {
  const [digits, exponent] = text.split('e');
  const power = BigInt(exponent);
  const scale = power < 0n ? new Fraction(1n, 10n ** -power) : new Fraction(10n ** power);
  return Fraction.parse(digits).times(scale).toString();
}
