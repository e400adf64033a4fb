/**
 * Kinds of values, as in {@link Value.kind}. Code relies on the order: all kinds from `string` on
 * except `triple` are literals; `integer` to `double` are numeric, from narrow to wide; `dateTime`
 * to `gMonth` hold a {@link DateTime}; `dayTimeDuration` to `duration` hold a {@link Duration}.
 */
export const KIND = {
  blank: 0,
  iri: 1,
  /** Not a literal. */
  triple: 2,
  /** xsd:string, including simple literals (RDF 1.1 Concepts 3.3). */
  string: 3,
  /** A string with a language tag and possibly a direction. */
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
  /** A literal with an unknown datatype or an ill-formed lexical form. */
  other: 21,
} as const;

export type ValueKind = (typeof KIND)[keyof typeof KIND];
