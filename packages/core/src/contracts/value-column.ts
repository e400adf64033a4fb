import type { TermBytesSource } from './term-bytes.ts';
import type { TermId } from './term-source.ts';

/**
 * What a {@link ValueColumn} knows of a term. Values of one {@link COMPARABLE} class are ordered by
 * their numbers; equal numbers mean equal values, unless {@link hasFraction}.
 */
export const VALUE = {
  /** Not read yet. */
  unread: 0,
  /**
   * No number stands for its value: it is no literal, ill-formed, NaN, an xsd:float, too long ...
   */
  opaque: 1,
  /** The number is 0 or 1. */
  boolean: 2,
  /**
   * The number is the seconds since 1970-01-01T00:00:00Z at which the date begins. The time zone is
   * UTC or absent, as of the next two.
   */
  date: 3,
  /** The number is the seconds since 1970-01-01T00:00:00Z. */
  dateTime: 4,
  /** As `dateTime`, without the fraction of the second, which is not 0. */
  dateTimeFraction: 5,
  /** As the three before, with another time zone. */
  zonedDate: 6,
  zonedDateTime: 7,
  zonedDateTimeFraction: 8,
  /** An xsd:double other than NaN. */
  double: 9,
  /** An xsd:integer or a type derived from it; the number is a safe integer and thus exact. */
  integer: 10,
  /**
   * An xsd:decimal of at most {@link MAX_DECIMAL_DIGITS} digits; the number is the nearest double.
   * Its scale, the number of its fraction digits, is added to the kind.
   */
  decimal: 11,
} as const;

/** From a kind of dates and times to that with another time zone than UTC. */
export const ZONED: number = VALUE.zonedDate - VALUE.date;

/** Whether the number of a kind leaves out the fraction of a second. */
export function hasFraction(kind: number): boolean {
  return kind === VALUE.dateTimeFraction || kind === VALUE.zonedDateTimeFraction;
}

/**
 * Decimals of up to this many digits have different nearest doubles if they differ (IEEE 754: 15
 * decimal digits survive a round trip), so comparing doubles is exact.
 */
export const MAX_DECIMAL_DIGITS = 15;
/** The units of a decimal, its digits without the point, are below this. */
export const MAX_UNITS: number = 10 ** MAX_DECIMAL_DIGITS;
/** Powers of ten up to this one are exact doubles. */
export const MAX_SCALE = 22;

/** By kind: the class of values that it can be compared with; 0 for none. */
export const COMPARABLE: Uint8Array = new Uint8Array(VALUE.decimal + MAX_SCALE + 1).fill(4);
COMPARABLE[VALUE.unread] = 0;
COMPARABLE[VALUE.opaque] = 0;
COMPARABLE[VALUE.boolean] = 1;
for (const zone of [0, ZONED]) {
  COMPARABLE[VALUE.date + zone] = 2;
  COMPARABLE[VALUE.dateTime + zone] = 3;
  COMPARABLE[VALUE.dateTimeFraction + zone] = 3;
}
/** The class of numbers in {@link COMPARABLE}. */
export const NUMERIC = 4;

export const PAGE_BITS = 12;
export const PAGE_SIZE: number = 1 << PAGE_BITS;
const NO_KINDS = new Uint8Array(PAGE_SIZE);
const NO_NUMBERS = new Float64Array(0);

/**
 * The values of the shared terms of a dictionary as numbers, by term id: read once, when a query
 * first needs them, and then for all later queries. Takes 9 bytes per term, in pages that are
 * allocated when a term of theirs is read. Who reads the terms decides what their kinds are; see
 * `StoredValues`.
 */
export class ValueColumn {
  /**
   * By page, then by position in the page. Pages without values are all zero; do not write them.
   */
  readonly kinds: Uint8Array[] = [];
  readonly numbers: Float64Array[] = [];
  /** What the reader of the terms knows about datatypes, by term id. */
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

/** A {@link TermBytesSource} whose shared terms have a column of values. */
export interface ValueSource extends TermBytesSource {
  readonly values: ValueColumn;
  /** Returns whether a term belongs to the dictionary that all requests share. */
  isShared(id: TermId): boolean;
}
