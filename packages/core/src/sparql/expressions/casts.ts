import { XSD_DATE_TIME, XSD_DATE_TIME_STAMP } from '../../model/vocabulary.ts';
import { DATATYPES, type Datatype, hasInteger } from './datatypes.ts';
import { DateTime } from './date-time.ts';
import { Decimal, decimalOfNumber, truncateDecimal } from './decimal.ts';
import { Duration } from './duration.ts';
import { type FunctionRow, unary } from './function-row.ts';
import { numberAsString } from './number-text.ts';
import {
  booleanValue,
  dateTimeValue,
  decimalOfValue,
  doubleValue,
  durationValue,
  exactValue,
  floatOfValue,
  floatValue,
  isNumeric,
  stringValue,
  typedValue,
  type Value,
} from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Section 17.5, the constructor functions: XPath F&O 17. Undefined is an error. To the table of
 * 17.5 come the casts between dates and between durations (F&O 17.1.4, 17.1.5), and to types
 * derived from xsd:integer (F&O 17.4: to xsd:integer, then the range decides).
 */
function cast(value: Value, target: Datatype): Value | undefined {
  if (target.kind === KIND.string) return toText(value);
  if (value.kind === KIND.string) return parse(value.lexical, target);
  switch (target.kind) {
    case KIND.boolean:
      return toBoolean(value);
    case KIND.integer:
      return toInteger(value, target);
    case KIND.decimal:
      return toDecimal(value);
    case KIND.float:
      return toFloat(value);
    case KIND.double:
      return toDouble(value);
    default:
      return target.kind <= KIND.gMonth ? toDate(value, target) : toDuration(value, target);
  }
}

/**
 * XPath F&O 17.1.1: "whitespace normalization is applied" before the lexical form is read. What XML
 * calls whitespace, nothing more.
 */
function parse(lexical: string, target: Datatype): Value | undefined {
  const trimmed = lexical.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  const value = typedValue(trimmed, target.iri);
  if (value.kind === KIND.other) return undefined;
  // Canonical, as other casts give it: a cast makes a new value.
  if (value.kind === KIND.boolean) return booleanValue(value.number === 1);
  if (value.kind === KIND.integer || value.kind === KIND.decimal)
    return exactValue(decimalOfValue(value), value.kind, value.datatype);
  if (value.kind === KIND.float) return floatValue(value.number);
  if (value.kind === KIND.double) return doubleValue(value.number);
  return value.kind <= KIND.gMonth
    ? dateTimeValue(value.exact as DateTime, value.kind, value.datatype)
    : durationValue(value.exact as Duration, value.kind);
}

/**
 * XPath F&O 17.1.2 for what has a value; the lexical form of an IRI and of a literal that is none
 * of ours (section 17.5, STR).
 */
function toText(value: Value): Value | undefined {
  switch (value.kind) {
    case KIND.blank:
    case KIND.triple:
      return undefined;
    case KIND.string:
      return value;
    case KIND.iri:
    case KIND.langString:
    case KIND.other:
      return stringValue(value.lexical);
    case KIND.float:
    case KIND.double:
      return stringValue(numberAsString(value.number, value.kind === KIND.float));
    default:
      return stringValue(canonical(value).lexical);
  }
}

/** The same value as if computed: it has the canonical lexical form. */
function canonical(value: Value): Value {
  if (value.kind === KIND.boolean) return booleanValue(value.number === 1);
  if (value.kind <= KIND.decimal) return exactValue(decimalOfValue(value), value.kind, value.datatype);
  if (value.kind <= KIND.gMonth) return dateTimeValue(value.exact as DateTime, value.kind);
  return durationValue(value.exact as Duration, value.kind);
}

function toBoolean(value: Value): Value | undefined {
  if (value.kind === KIND.boolean) return booleanValue(value.number === 1);
  return isNumeric(value) ? booleanValue(value.number !== 0 && !Number.isNaN(value.number)) : undefined;
}

function exactOf(value: Value): Decimal | undefined {
  if (value.kind === KIND.boolean) return new Decimal(value.number, 0);
  if (value.kind === KIND.integer || value.kind === KIND.decimal) return decimalOfValue(value);
  // "NaN, INF and -INF raise err:FOCA0002" (F&O 17.1.3.3).
  return isNumeric(value) && Number.isFinite(value.number) ? decimalOfNumber(value.number) : undefined;
}

/** Fractions are cut off (F&O 17.1.3.4). */
function toInteger(value: Value, target: Datatype): Value | undefined {
  const exact = exactOf(value);
  if (exact === undefined) return undefined;
  const integer = truncateDecimal(exact);
  return hasInteger(target, integer) ? exactValue(integer, KIND.integer, target.iri) : undefined;
}

function toDecimal(value: Value): Value | undefined {
  const exact = exactOf(value);
  return exact && exactValue(exact);
}

function toFloat(value: Value): Value | undefined {
  return isNumeric(value) || value.kind === KIND.boolean ? floatValue(floatOfValue(value)) : undefined;
}

function toDouble(value: Value): Value | undefined {
  return isNumeric(value) || value.kind === KIND.boolean ? doubleValue(value.number) : undefined;
}

/** F&O 17.1.5: from dateTime and date to every type whose parts they have. */
function toDate(value: Value, target: Datatype): Value | undefined {
  const { kind } = target;
  // An xsd:dateTimeStamp has a time zone, and is a dateTime otherwise.
  if (target.iri === XSD_DATE_TIME_STAMP) {
    const parts = toDate(value, DATATYPES.get(XSD_DATE_TIME)!)?.exact as DateTime | undefined;
    return parts?.offset === undefined ? undefined : dateTimeValue(parts, kind, target.iri);
  }
  if (value.kind === kind) return dateTimeValue(value.exact as DateTime, kind);
  if (value.kind !== KIND.dateTime && value.kind !== KIND.date) return undefined;
  const { year, month, day, hour, minute, second, fraction, offset } = value.exact as DateTime;
  switch (kind) {
    case KIND.dateTime:
    case KIND.date:
      return dateTimeValue(new DateTime(year, month, day, 0, 0, 0, '', offset), kind);
    case KIND.time:
      if (value.kind === KIND.date) return undefined;
      return dateTimeValue(new DateTime(1972, 12, 31, hour, minute, second, fraction, offset), kind);
    // The parts that a type lacks are those of the reference date, as when it is read from text.
    case KIND.gYear:
      return dateTimeValue(new DateTime(year, 1, 1, 0, 0, 0, '', offset), kind);
    case KIND.gYearMonth:
      return dateTimeValue(new DateTime(year, month, 1, 0, 0, 0, '', offset), kind);
    case KIND.gMonthDay:
      return dateTimeValue(new DateTime(1972, month, day, 0, 0, 0, '', offset), kind);
    case KIND.gDay:
      return dateTimeValue(new DateTime(1972, 12, day, 0, 0, 0, '', offset), kind);
    default:
      return dateTimeValue(new DateTime(1972, month, 1, 0, 0, 0, '', offset), kind);
  }
}

const NO_SECONDS = new Decimal(0, 0);

/** F&O 17.1.4: the part that the target has is kept. */
function toDuration(value: Value, target: Datatype): Value | undefined {
  if (value.kind < KIND.dayTimeDuration || value.kind > KIND.duration) return undefined;
  const { months, seconds } = value.exact as Duration;
  const parts = new Duration(
    target.kind === KIND.dayTimeDuration ? 0 : months,
    target.kind === KIND.yearMonthDuration ? NO_SECONDS : seconds,
  );
  return durationValue(parts, target.kind);
}

/** By the IRI of the function, which is that of the datatype: every datatype that we know. */
export const CASTS: ReadonlyMap<string, FunctionRow> = new Map(
  [...DATATYPES.values()].map((target) => [target.iri, unary((value) => cast(value, target))]),
);
