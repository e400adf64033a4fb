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
 * Constructor functions (section 17.5, XPath F&O 17). Returns undefined for an error. In addition
 * to the table of 17.5, supports casts between dates and between durations (F&O 17.1.4, 17.1.5) and
 * to types derived from xsd:integer (F&O 17.4: casts to xsd:integer, then checks the range).
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
 * XPath F&O 17.1.1: "whitespace normalization is applied" before the lexical form is read.
 * Whitespace means XML whitespace only.
 */
function parse(lexical: string, target: Datatype): Value | undefined {
  const trimmed = lexical.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  const value = typedValue(trimmed, target.iri);
  if (value.kind === KIND.other) return undefined;
  // A cast creates a new value, so the result is canonical like that of other casts.
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
 * Casts to xsd:string: XPath F&O 17.1.2 for known values; the lexical form for IRIs and for
 * literals of unknown datatypes (section 17.5, STR).
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

/** Returns the same value with its canonical lexical form. */
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

/** Truncates fractions (F&O 17.1.3.4). */
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

/** F&O 17.1.5: casts dateTime and date to the types that have a subset of their parts. */
function toDate(value: Value, target: Datatype): Value | undefined {
  const { kind } = target;
  // An xsd:dateTimeStamp is a dateTime with a required time zone.
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
    // Missing parts take the values of the reference date, as in parsing.
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

/** F&O 17.1.4: keeps the parts that the target type has. */
function toDuration(value: Value, target: Datatype): Value | undefined {
  if (value.kind < KIND.dayTimeDuration || value.kind > KIND.duration) return undefined;
  const { months, seconds } = value.exact as Duration;
  const parts = new Duration(
    target.kind === KIND.dayTimeDuration ? 0 : months,
    target.kind === KIND.yearMonthDuration ? NO_SECONDS : seconds,
  );
  return durationValue(parts, target.kind);
}

/** Cast functions by IRI, which is that of the datatype: one per supported datatype. */
export const CASTS: ReadonlyMap<string, FunctionRow> = new Map(
  [...DATATYPES.values()].map((target) => [target.iri, unary((value) => cast(value, target))]),
);
