import type { TermBytesSource } from './term-bytes.ts';
import type { TermId } from './term-source.ts';

/**
 * Kinds of values in a {@link ValueColumn}: what the number of a term means. Within one
 * {@link COMPARABLE} class, numbers order as the values do, and equal numbers mean equal values,
 * unless {@link hasFraction}.
 */
export const VALUE = {
  /** The term has not been read yet. */
  unread: 0,
  /**
   * No number represents the value: the term is an IRI, a blank node, a string, an ill-formed
   * literal, NaN, or a number with too many digits. Evaluate it as a term.
   */
  opaque: 1,
  /** xsd:boolean: 0 or 1. */
  boolean: 2,
  /**
   * xsd:date in UTC or without a time zone: seconds from 1970-01-01T00:00:00Z to the start of the
   * day.
   */
  date: 3,
  /**
   * xsd:dateTime in UTC or without a time zone, in whole seconds: seconds since
   * 1970-01-01T00:00:00Z.
   */
  dateTime: 4,
  /** The same with a fraction of a second, which the number omits. */
  dateTimeFraction: 5,
  /** The three kinds in another time zone. The number is the same instant in UTC. */
  zonedDate: 6,
  zonedDateTime: 7,
  zonedDateTimeFraction: 8,
  /**
   * xsd:time in UTC or without a time zone, in whole seconds: like the dateTime of that time on
   * 1972-12-31, with which XPath F&O 10.4 compares times.
   */
  time: 9,
  /** xsd:float other than NaN. */
  float: 10,
  /** xsd:dayTimeDuration in whole seconds: that many seconds. */
  duration: 11,
  /** xsd:double other than NaN. */
  double: 12,
  /** xsd:integer or a type derived from it, in the range of safe integers. */
  integer: 13,
  /**
   * xsd:decimal of at most {@link MAX_DECIMAL_DIGITS} digits, as the nearest double. The kind of a
   * decimal is `decimal` plus its scale (number of fraction digits), so this must be the last kind.
   */
  decimal: 14,
} as const;

/** Whether a kind is one of the dates and dateTimes. */
export function isTime(kind: number): boolean {
  return kind >= VALUE.date && kind <= VALUE.zonedDateTimeFraction;
}

/** Added to the kind of a date or dateTime in UTC, gives its kind in another time zone. */
export const ZONED: number = VALUE.zonedDate - VALUE.date;

/** Whether the numbers of a kind omit a fraction of a second. */
export function hasFraction(kind: number): boolean {
  return kind === VALUE.dateTimeFraction || kind === VALUE.zonedDateTimeFraction;
}

/**
 * Maximum number of digits of a decimal. Different decimals of up to 15 digits have different
 * nearest doubles (IEEE 754: 15 digits survive a round trip), so comparing the doubles is exact.
 */
export const MAX_DECIMAL_DIGITS = 15;
/** Exclusive limit for the units of a decimal: its digits without the point, as an integer. */
export const MAX_UNITS: number = 10 ** MAX_DECIMAL_DIGITS;
/** Maximum scale of a decimal. Up to this exponent, powers of ten are exact doubles. */
export const MAX_SCALE = 22;

/** Comparison class by kind: kinds of the same class are comparable; class 0 with nothing. */
export const COMPARABLE: Uint8Array = new Uint8Array(VALUE.decimal + MAX_SCALE + 1).fill(4);
COMPARABLE[VALUE.unread] = 0;
COMPARABLE[VALUE.opaque] = 0;
COMPARABLE[VALUE.boolean] = 1;
COMPARABLE[VALUE.duration] = 5;
COMPARABLE[VALUE.time] = 6;
COMPARABLE[VALUE.float] = 7;
for (const zone of [0, ZONED]) {
  COMPARABLE[VALUE.date + zone] = 2;
  COMPARABLE[VALUE.dateTime + zone] = 3;
  COMPARABLE[VALUE.dateTimeFraction + zone] = 3;
}
/** The class of integers, decimals and doubles in {@link COMPARABLE}. */
export const NUMERIC = 4;

/** Whether two kinds are numbers of which one at least is a float: see {@link inFloats}. */
export function isFloatPair(one: number, other: number): boolean {
  if (one === VALUE.float) return other === VALUE.float || COMPARABLE[other] === NUMERIC;
  return other === VALUE.float && COMPARABLE[one] === NUMERIC;
}

/**
 * Returns the number as which a number is compared or computed with a float (XPath 2.0 appendix
 * B.1): a float or double as it is, an integer or decimal as the nearest float. NaN if its nearest
 * double does not decide which float that is.
 */
export function inFloats(kind: number, number: number): number {
  if (kind <= VALUE.double) return number;
  const float = Math.fround(number);
  // Halfway between two floats: mirroring the float at the number gives another float.
  const other = 2 * number - float;
  return float !== number && Math.fround(other) === other ? Number.NaN : float;
}

export const PAGE_BITS = 12;
export const PAGE_SIZE: number = 1 << PAGE_BITS;
const NO_KINDS = new Uint8Array(PAGE_SIZE);
const NO_NUMBERS = new Float64Array(0);

/**
 * Cache of term values as numbers, by the ids of a dictionary's shared terms. Expressions on
 * numbers read it instead of parsing lexical forms again. `StoredValues` fills it, one term at a
 * time, when a query first needs the value. Takes 9 bytes per term, in pages allocated on first
 * use.
 */
export class ValueColumn {
  /**
   * By page, then by position in the page. Pages without values are one shared array of zeros;
   * write through {@link set} only.
   */
  readonly kinds: Uint8Array[] = [];
  readonly numbers: Float64Array[] = [];
  /** For each datatype, by its term id: the number of its parser, or -1; see `parse-value.ts`. */
  readonly datatypes: Map<TermId, number> = new Map();
  byteLength = 0;

  /** Sets the value of a shared term. */
  set(id: TermId, kind: number, number: number): void {
    const page = id >>> PAGE_BITS;
    while (this.kinds.length <= page) {
      this.kinds.push(NO_KINDS);
      this.numbers.push(NO_NUMBERS);
    }
    if (this.kinds[page] === NO_KINDS) {
      this.kinds[page] = new Uint8Array(PAGE_SIZE);
      this.numbers[page] = new Float64Array(PAGE_SIZE);
      this.byteLength += PAGE_SIZE * 9;
    }
    this.kinds[page][id & (PAGE_SIZE - 1)] = kind;
    this.numbers[page][id & (PAGE_SIZE - 1)] = number;
  }
}

/** A {@link TermBytesSource} that caches the values of its shared terms. */
export interface ValueSource extends TermBytesSource {
  readonly values: ValueColumn;
  /** Returns whether a term belongs to the dictionary that all requests share. */
  isShared(id: TermId): boolean;
}
