import { XSD, XSD_STRING } from '../../model/vocabulary.ts';
import { type DateTime, epochSeconds, parseDateTime } from './date-time.ts';
import { compareDecimals, Decimal, parseDecimal } from './decimal.ts';
import { type Duration, parseDuration } from './duration.ts';
import { decimalOfScientific, nearestFloat } from './float-rounding.ts';
import { KIND, type ValueKind } from './value-kind.ts';

/**
 * Result of parsing a lexical form. Reused by {@link Datatype.read}, so that reading a number
 * allocates nothing.
 */
export class LexicalValue {
  number = 0;
  exact: Decimal | DateTime | Duration | undefined = undefined;
}

export interface Datatype {
  readonly iri: string;
  readonly kind: ValueKind;
  /** Bounds of types derived from xsd:integer; undefined if unbounded. */
  readonly minimum?: Decimal;
  readonly maximum?: Decimal;
  /** Maps a lexical form to its value (RDF 1.1 Concepts 5.1); returns false if it has none. */
  read(lexical: string, into: LexicalValue): boolean;
}

const INTEGER = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function readInteger(lexical: string, into: LexicalValue): boolean {
  if (!INTEGER.test(lexical)) return false;
  if (lexical.length <= 15) {
    into.number = Number(lexical) + 0;
    into.exact = undefined;
    return true;
  }
  return readExact(lexical, into);
}

function readDecimal(lexical: string, into: LexicalValue): boolean {
  return DECIMAL.test(lexical) && readExact(lexical, into);
}

/** Leaves `exact` undefined for safe integers. */
function readExact(lexical: string, into: LexicalValue): boolean {
  const decimal = parseDecimal(lexical);
  if (decimal === undefined) return false;
  into.number = decimal.toNumber();
  into.exact = decimal.scale === 0 && typeof decimal.units === 'number' ? undefined : decimal;
  return true;
}

function readDouble(lexical: string, into: LexicalValue): boolean {
  into.exact = undefined;
  if (DOUBLE.test(lexical)) into.number = Number(lexical);
  else if (lexical === 'INF' || lexical === '+INF') into.number = Infinity;
  else if (lexical === '-INF') into.number = -Infinity;
  else if (lexical === 'NaN') into.number = Number.NaN;
  else return false;
  return true;
}

function readFloat(lexical: string, into: LexicalValue): boolean {
  if (!readDouble(lexical, into)) return false;
  into.number = nearestFloat(into.number, () => decimalOfScientific(lexical));
  return true;
}

function readBoolean(lexical: string, into: LexicalValue): boolean {
  into.exact = undefined;
  if (lexical === 'true' || lexical === '1') into.number = 1;
  else if (lexical === 'false' || lexical === '0') into.number = 0;
  else return false;
  return true;
}

function readString(_lexical: string, into: LexicalValue): boolean {
  into.number = 0;
  into.exact = undefined;
  return true;
}

function dateTimeType(name: string, kind: ValueKind, zoned = false): Datatype {
  return {
    iri: XSD + name,
    kind,
    read(lexical, into) {
      const parts = parseDateTime(kind, lexical);
      if (parts === undefined || (zoned && parts.offset === undefined)) return false;
      into.number = epochSeconds(parts);
      into.exact = parts;
      return true;
    },
  };
}

function durationType(name: string, kind: ValueKind): Datatype {
  return {
    iri: XSD + name,
    kind,
    read(lexical, into) {
      const parts = parseDuration(kind, lexical);
      if (parts === undefined) return false;
      into.number = parts.wholeSeconds;
      into.exact = parts;
      return true;
    },
  };
}

function integerType(name: string, least?: bigint, greatest?: bigint): Datatype {
  const minimum = least === undefined ? undefined : parseDecimal(String(least));
  const maximum = greatest === undefined ? undefined : parseDecimal(String(greatest));
  return {
    iri: XSD + name,
    kind: KIND.integer,
    minimum,
    maximum,
    read(lexical, into) {
      if (!readInteger(lexical, into)) return false;
      return isInRange((into.exact as Decimal | undefined) ?? new Decimal(into.number, 0), minimum, maximum);
    },
  };
}

function isInRange(value: Decimal, minimum: Decimal | undefined, maximum: Decimal | undefined): boolean {
  return (
    (minimum === undefined || compareDecimals(value, minimum) >= 0) &&
    (maximum === undefined || compareDecimals(value, maximum) <= 0)
  );
}

/** Whether an integer lies in the value space of a type derived from xsd:integer. */
export function hasInteger(datatype: Datatype, value: Decimal): boolean {
  return isInRange(value, datatype.minimum, datatype.maximum);
}

/**
 * The datatypes with known value spaces, one per row. Literals of any other datatype compare as
 * terms only.
 */
const ROWS: readonly Datatype[] = [
  { iri: XSD_STRING, kind: KIND.string, read: readString },
  { iri: `${XSD}boolean`, kind: KIND.boolean, read: readBoolean },
  { iri: `${XSD}integer`, kind: KIND.integer, read: readInteger },
  { iri: `${XSD}decimal`, kind: KIND.decimal, read: readDecimal },
  { iri: `${XSD}float`, kind: KIND.float, read: readFloat },
  { iri: `${XSD}double`, kind: KIND.double, read: readDouble },
  // XSD 1.1 part 2, 3.4.14 to 3.4.25
  integerType('long', -(2n ** 63n), 2n ** 63n - 1n),
  integerType('int', -(2n ** 31n), 2n ** 31n - 1n),
  integerType('short', -32_768n, 32_767n),
  integerType('byte', -128n, 127n),
  integerType('nonNegativeInteger', 0n),
  integerType('positiveInteger', 1n),
  integerType('nonPositiveInteger', undefined, 0n),
  integerType('negativeInteger', undefined, -1n),
  integerType('unsignedLong', 0n, 2n ** 64n - 1n),
  integerType('unsignedInt', 0n, 2n ** 32n - 1n),
  integerType('unsignedShort', 0n, 65_535n),
  integerType('unsignedByte', 0n, 255n),
  // XML Schema 1.1 Part 2 section 3.4.28: derived from dateTime, "requiring an explicit timezone".
  // Must precede dateTime, because computed values take the last datatype of their kind.
  dateTimeType('dateTimeStamp', KIND.dateTime, true),
  dateTimeType('dateTime', KIND.dateTime),
  dateTimeType('date', KIND.date),
  dateTimeType('time', KIND.time),
  dateTimeType('gYear', KIND.gYear),
  dateTimeType('gYearMonth', KIND.gYearMonth),
  dateTimeType('gMonthDay', KIND.gMonthDay),
  dateTimeType('gDay', KIND.gDay),
  dateTimeType('gMonth', KIND.gMonth),
  durationType('dayTimeDuration', KIND.dayTimeDuration),
  durationType('yearMonthDuration', KIND.yearMonthDuration),
  durationType('duration', KIND.duration),
];

export const DATATYPES: ReadonlyMap<string, Datatype> = new Map(ROWS.map((row) => [row.iri, row]));
