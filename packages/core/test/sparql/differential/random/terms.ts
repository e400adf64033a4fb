/**
 * The terms that random data and queries are made of, in the syntax that N-Quads and SPARQL share.
 */

const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const NODES = ['a', 'b', 'c', 'd', 'e'].map((name) => `<http://e/${name}>`);
export const PREDICATES = ['p', 'q', 'r', 's'].map((name) => `<http://e/${name}>`);
export const GRAPHS = ['g1', 'g2', 'g3'].map((name) => `<http://e/${name}>`);
export const BLANK_NODES = ['_:x', '_:y', '_:z'];

/** A literal of an XSD type. */
export const typed = (lexical: string, type: string) => `"${lexical}"^^<${XSD}${type}>`;
const each = (type: string, ...lexical: readonly string[]) => lexical.map((one) => typed(one, type));

/**
 * Numbers, in families of equal and almost equal ones. Floating numbers are sums of powers of two:
 * adding them has no order, so that a SUM is the same for every engine. So is the decimal with 40
 * digits behind the point, which is 1 + 2^-40.
 */
const NUMBERS: readonly (readonly string[])[] = [
  [
    ...each('integer', '1', '01', '+1', '2', '3'),
    ...each('decimal', '1.0', '1.0000000000009094947017729282379150390625', '2.5'),
    ...each('double', '1', '2.0E0', '1.5e1'),
    ...each('float', '1.0', '2'),
    ...each('byte', '1', '-128'),
    ...each('unsignedInt', '7'),
  ],
  [
    ...each('integer', '0', '-1', '-7', '10'),
    ...each('decimal', '0.0', '-0.50', '0.5', '-1.5', '2.50'),
    ...each('double', '0.0', '-0.0', '-0', '-0.25', '-0.5', '1.5E-3'),
    ...each('float', '0.5', '-0.0', '-2.5'),
  ],
  [
    ...each('integer', '9007199254740992', '9007199254740993', '-123456789012345678901234567890'),
    ...each('long', '9007199254740993', '-9223372036854775808'),
    ...each('decimal', '9007199254740992.5', '9007199254740993.0'),
    ...each('double', '9007199254740992', '1048576', '2097152e0'),
  ],
  [...each('double', 'INF', '-INF', 'NaN', '1'), ...each('float', 'INF', '-INF', 'NaN', '1'), ...each('integer', '1')],
];

/**
 * Decimals that no double has: a sum of them with doubles depends on the order, so that they stand
 * in data without doubles.
 */
export const EXACT_NUMBERS: readonly string[] = [
  ...each('decimal', '1234567890123456789012345678901234567890.1', '0.1', '16777217.0000000001'),
  ...each('decimal', '-0.0000000000000000000000000000000000000001'),
];

const LONG = `${'long '.repeat(600)}end`;

const STRINGS: readonly (readonly string[])[] = [
  ['""', '"x"', '"xy"', '"XY"', '"xy"@en', '"xy"@EN', '"Xy"@en', '"x"@en-gb', '"x"@en-GB', '"y"@de', '""@de-AT-1996'],
  ['"1"', '"0"', '"true"', '"2.50"', '"2020-01-02T03:04:05Z"', '"<http://e/a>"', '"Ab c"', '"ab C"', '"Ab"@de', '"b"'],
  // Two of them are behind U+FFFD by code point, and before it by UTF-16 unit.
  ['"é𝒳"', '"É"', '"𝒳"', '"\uE000"', '"𝒳\uFFFD"', '"\uFFFD𝒳"', '"\uFFFD"', '"e\u0301"', '"𝒳𝒴"@en', '"ß İ ı"', '"Σς"'],
  ['"\\u0000"', '"a\\u0000b"', '"a\\nb\\tc\\"d\\\\e\\r"', `"!'(~)*"`, '"a b+c%20"', `"${LONG}"`, '"$1"', '"a.b"'],
];

const MOMENTS: readonly (readonly string[])[] = [
  [
    ...each('dateTime', '2020-01-02T03:04:05Z', '2020-01-02T05:04:05+02:00', '2020-01-02T03:04:05'),
    ...each('dateTime', '2020-01-02T03:04:05.000Z', '2020-01-02T03:04:05.0000000000000000001Z', '2020-01-02T04:00:00Z'),
    ...each('date', '2020-01-02', '2020-01-02Z'),
  ],
  [
    ...each('dateTime', '2020-02-29T12:00:00+14:00', '2020-02-28T12:00:00-14:00', '2020-02-29T02:00:00Z'),
    ...each('dateTime', '1999-12-31T23:59:59', '1999-12-31T24:00:00', '2000-01-01T00:00:00+00:30'),
    ...each('dateTime', '-0044-03-15T00:00:00Z', '2021-06-07T08:09:10.5Z', '2021-06-07T08:09:10.500+14:00'),
    ...each('gYear', '1999', '2000Z', '-0044'),
  ],
  [
    ...each('date', '2020-01-01+14:00', '2020-01-01-10:00', '2020-02-29', '2020-12-31-05:00'),
    ...each('gYearMonth', '2020-01', '2020-01-05:00'),
    ...each('gMonthDay', '--02-29', '--01-02Z'),
    ...each('gDay', '---31', '---02Z'),
    ...each('gMonth', '--01', '--12+01:00'),
  ],
  each('time', '03:04:05', '03:04:05Z', '24:00:00', '00:00:00', '05:04:05.25+02:00', '23:59:59.5-14:00'),
];

const DURATIONS: readonly (readonly string[])[] = [
  [...each('dayTimeDuration', 'P1D', 'PT24H', '-PT0.5S', 'PT0S', 'P31D'), ...each('duration', 'P1D', 'PT0S')],
  [...each('yearMonthDuration', 'P1Y', 'P12M', '-P1M', 'P0M'), ...each('duration', 'P1Y', 'P1M', 'P30D')],
  [...each('duration', 'P1Y2M3DT4H5M6.7S'), ...each('dayTimeDuration', 'P1DT1M'), ...each('yearMonthDuration', 'P1M')],
];

const OTHERS: readonly (readonly string[])[] = [
  [...each('boolean', 'true', 'false', '1', '0'), '"true"', typed('1', 'integer')],
  // What its datatype has not.
  [
    ...each('integer', 'x1', ''),
    ...each('boolean', 'maybe'),
    ...each('dateTime', '2020-02-30T00:00:00Z'),
    ...each('byte', '128'),
    ...each('double', '1.0e', 'inf'),
  ],
  ['"v"^^<http://e/type>', '"w"^^<http://e/type>', '"1"^^<http://e/type>', '"v"^^<http://e/other>', '"v"'],
];

export type LiteralKind = 'number' | 'string' | 'moment' | 'duration' | 'other';
type Families = Readonly<Record<LiteralKind, readonly (readonly string[])[]>>;

const WEIGHTS: Readonly<Record<LiteralKind, number>> = { number: 5, string: 5, moment: 3, duration: 1, other: 2 };

/** Which terms and functions texts are made of. */
export class Vocabulary {
  /**
   * The engine also has more than SPARQL 1.1 says: dates of all types, durations, casts to them,
   * and what SPARQL 1.2 adds.
   */
  readonly isStandard: boolean;
  /** What SPARQL 1.2 adds: triple terms, strings with a direction. */
  readonly isNew: boolean;
  /** Literals by kind, in families whose members are easily mistaken for each other. */
  readonly families: Families;
  /** The same without the families. */
  readonly of: Readonly<Record<LiteralKind, readonly string[]>>;
  /** All of them. */
  readonly literals: readonly string[];
  /** How often data has each kind. */
  readonly kinds: readonly (readonly [weight: number, kind: LiteralKind])[];

  constructor(families: Families, { isStandard = false, isNew = false } = {}) {
    this.isStandard = isStandard;
    this.isNew = isNew;
    this.families = families;
    const kinds = Object.keys(families) as LiteralKind[];
    this.kinds = kinds.filter((kind) => families[kind].length > 0).map((kind) => [WEIGHTS[kind], kind]);
    const { number, string, moment, duration, other } = families;
    this.of = {
      number: number.flat(),
      string: string.flat(),
      moment: moment.flat(),
      duration: duration.flat(),
      other: other.flat(),
    };
    this.literals = [...Object.values(this.of).flat(), ...(isNew ? [...NEW_STRINGS, ...TRIPLE_TERMS] : [])];
  }
}

/** A number that has a value, and no infinite one. */
export const isPlainNumber = (literal: string): boolean => !/INF|NaN/.test(literal);

export const NEW_STRINGS: readonly string[] = ['"xy"@en--ltr', '"xy"@en--rtl', '"xy"@EN--ltr', '""@de--rtl'];
export const TRIPLE_TERMS: readonly string[] = [
  '<<( <http://e/a> <http://e/p> <http://e/b> )>>',
  `<<( <http://e/a> <http://e/p> ${typed('1', 'integer')} )>>`,
  `<<( <http://e/a> <http://e/p> ${typed('01', 'integer')} )>>`,
  '<<( <http://e/c> <http://e/q> <<( <http://e/a> <http://e/p> "x" )>> )>>',
];

const FAMILIES: Families = {
  number: NUMBERS,
  string: STRINGS,
  moment: MOMENTS,
  duration: DURATIONS,
  other: OTHERS,
};

/**
 * What every engine reads: years, milliseconds and numbers that JavaScript has, and of the dates
 * those that section 17.1 has. Tags are in lower case, since RDF 1.1 Concepts 3.3 lets an engine
 * write them so; and literals have the lexical forms of their types, unless nobody knows these.
 */
export function isPlain(literal: string): boolean {
  if (/\d{13}|T24:|"-0044|:\d\d\.\d*0|"@.*[A-Z]|"(?:128|inf|1\.0e|x1||maybe|2020-02-30.*)"\^\^/.test(literal))
    return false;
  return !/#(?:date|time|g[A-Z])/.test(literal) || literal.endsWith('#dateTime>');
}

function plain(families: Families): Families {
  const only = (kind: LiteralKind) =>
    families[kind].map((family) => family.filter(isPlain)).filter((family) => family.length > 0);
  return {
    number: only('number'),
    string: only('string'),
    moment: only('moment'),
    duration: [],
    other: only('other'),
  };
}

/** What the engine has beyond SPARQL 1.1 too. */
export const OURS = new Vocabulary(FAMILIES);
export const NEW = new Vocabulary(FAMILIES, { isNew: true });
/** What every engine for SPARQL 1.1 has. */
export const STANDARD = new Vocabulary(plain(FAMILIES), { isStandard: true });
