/**
 * What a value is, as {@link Value.kind}. The order is used: everything from `string` on but
 * `triple` is a literal, `integer` to `double` are the numbers with the wider type behind the
 * narrower one, `dateTime` to `gMonth` hold a {@link DateTime}, `dayTimeDuration` to `duration` a
 * {@link Duration}.
 */
export const KIND = {
  blank: 0,
  iri: 1,
  /** Not a literal. */
  triple: 2,
  /** xsd:string, which simple literals are (RDF 1.1 Concepts 3.3). */
  string: 3,
  /** With a language tag, and perhaps a direction. */
  langString: 4,
  boolean: 5,
  /** xsd:integer and the types derived from it. */
  integer: 6,
  decimal: 7,
  float: 8,
  double: 9,
  dateTime: 10,
  date: 11,
  time: 12,
  gYear: 13,
  gYearMonth: 14,
  gMonthDay: 15,
  gDay: 16,
  gMonth: 17,
  dayTimeDuration: 18,
  yearMonthDuration: 19,
  duration: 20,
  /** A literal of an unknown datatype, or one whose lexical form its datatype does not have. */
  other: 21,
} as const;

export type ValueKind = (typeof KIND)[keyof typeof KIND];
