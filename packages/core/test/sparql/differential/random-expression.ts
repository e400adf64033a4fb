import type { Random } from './random.ts';
import { LITERALS, NODES } from './random-dataset.ts';

/** Where expressions get their variables and patterns from. */
export interface ExpressionSource {
  readonly random: Random;
  /** Counts what the text uses. */
  use(feature: string): void;
  /** A variable with its question mark. */
  variable(): string;
  /** `{ ... }` for EXISTS, or undefined where it would nest too deep. */
  pattern(): string | undefined;
}

type Make = (make: Expressions) => string;
type Row = readonly [name: string, write: Make];

/** The functions by the kind of their result. Non-deterministic ones stand in something that is the same for all their values. */
const BOOLEANS: readonly Row[] = [
  ['=', (e) => `(${e.any()} = ${e.any()})`],
  ['!=', (e) => `(${e.any()} != ${e.any()})`],
  ['<', (e) => `(${e.any()} < ${e.any()})`],
  ['<=', (e) => `(${e.number()} <= ${e.any()})`],
  ['>', (e) => `(${e.any()} > ${e.any()})`],
  ['>=', (e) => `(${e.any()} >= ${e.number()})`],
  ['&&', (e) => `(${e.boolean()} && ${e.boolean()})`],
  ['||', (e) => `(${e.boolean()} || ${e.boolean()})`],
  ['!', (e) => `(! ${e.boolean()})`],
  ['IN', (e) => `(${e.any()} IN (${e.any()}, ${e.any()}))`],
  ['NOT IN', (e) => `(${e.any()} NOT IN (${e.any()}, ${e.any()}))`],
  ['BOUND', (e) => `BOUND(${e.variable()})`],
  ['ISIRI', (e) => `isIRI(${e.any()})`],
  ['ISBLANK', (e) => `isBlank(${e.any()})`],
  ['ISLITERAL', (e) => `isLiteral(${e.any()})`],
  ['ISNUMERIC', (e) => `isNumeric(${e.any()})`],
  ['SAMETERM', (e) => `sameTerm(${e.any()}, ${e.any()})`],
  ['LANGMATCHES', (e) => `langMatches(LANG(${e.any()}), ${e.random.pick(['"en"', '"*"', '"de"'])})`],
  ['CONTAINS', (e) => `CONTAINS(${e.string()}, ${e.string()})`],
  ['STRSTARTS', (e) => `STRSTARTS(${e.string()}, ${e.string()})`],
  ['STRENDS', (e) => `STRENDS(${e.string()}, ${e.string()})`],
  [
    'REGEX',
    (e) =>
      `REGEX(${e.string()}, ${e.random.pick(['"^x"', '"[0-9]+"', '"b| c"', '"X"', '"e/.$"'])}, ${e.random.pick(['""', '"i"'])})`,
  ],
  ['xsd:boolean', (e) => `<http://www.w3.org/2001/XMLSchema#boolean>(${e.any()})`],
  ['RAND', () => '(RAND() < 2)'],
  ['NOW', (e) => `(NOW() ${e.random.pick(['<', '>'])} ${e.any()})`],
  ['UUID', () => 'isIRI(UUID())'],
  ['STRUUID', () => '(STRLEN(STRUUID()) = 36)'],
  ['BNODE', (e) => e.random.pick(['isBlank(BNODE())', '(BNODE("l") = BNODE("l"))', 'sameTerm(BNODE(), BNODE())'])],
];

const NUMBERS: readonly Row[] = [
  ['+', (e) => `(${e.number()} + ${e.number()})`],
  ['-', (e) => `(${e.number()} - ${e.number()})`],
  ['*', (e) => `(${e.number()} * ${e.number()})`],
  ['/', (e) => `(${e.number()} / ${e.random.pick(['2', '4.0', '8', '0', '0.5'])})`],
  ['unary-', (e) => `(- ${e.number()})`],
  ['unary+', (e) => `(+ ${e.number()})`],
  ['ABS', (e) => `ABS(${e.number()})`],
  ['CEIL', (e) => `CEIL(${e.number()})`],
  ['FLOOR', (e) => `FLOOR(${e.number()})`],
  ['ROUND', (e) => `ROUND(${e.number()})`],
  ['STRLEN', (e) => `STRLEN(${e.string()})`],
  ['YEAR', (e) => `YEAR(${e.any()})`],
  ['MONTH', (e) => `MONTH(${e.any()})`],
  ['DAY', (e) => `DAY(${e.any()})`],
  ['HOURS', (e) => `HOURS(${e.dateTime()})`],
  ['MINUTES', (e) => `MINUTES(${e.dateTime()})`],
  ['SECONDS', (e) => `SECONDS(${e.dateTime()})`],
  ['xsd:integer', (e) => `<http://www.w3.org/2001/XMLSchema#integer>(${e.any()})`],
  ['xsd:decimal', (e) => `<http://www.w3.org/2001/XMLSchema#decimal>(${e.any()})`],
  ['xsd:double', (e) => `<http://www.w3.org/2001/XMLSchema#double>(${e.any()})`],
];

const STRINGS: readonly Row[] = [
  ['STR', (e) => `STR(${e.any()})`],
  ['LANG', (e) => `LANG(${e.any()})`],
  ['SUBSTR', (e) => `SUBSTR(${e.string()}, ${e.random.pick(['1', '2', '0', '2, 1', '1, 3'])})`],
  ['UCASE', (e) => `UCASE(${e.string()})`],
  ['LCASE', (e) => `LCASE(${e.string()})`],
  ['CONCAT', (e) => `CONCAT(${e.string()}, ${e.string()})`],
  ['STRBEFORE', (e) => `STRBEFORE(${e.string()}, ${e.string()})`],
  ['STRAFTER', (e) => `STRAFTER(${e.string()}, ${e.string()})`],
  [
    'REPLACE',
    (e) =>
      `REPLACE(${e.string()}, ${e.random.pick(['"x"', '"[a-e]$"', '"(.)y"'])}, ${e.random.pick(['"z"', '"<$0>"'])})`,
  ],
  ['ENCODE_FOR_URI', (e) => `ENCODE_FOR_URI(${e.string()})`],
  ['MD5', (e) => `MD5(${e.string()})`],
  ['SHA1', (e) => `SHA1(${e.string()})`],
  ['SHA256', (e) => `SHA256(${e.string()})`],
  ['SHA384', (e) => `SHA384(${e.string()})`],
  ['SHA512', (e) => `SHA512(${e.string()})`],
  ['TZ', (e) => `TZ(${e.dateTime()})`],
  ['xsd:string', (e) => `<http://www.w3.org/2001/XMLSchema#string>(${e.any()})`],
  ['STRLANG', (e) => `STRLANG(${e.string()}, "en")`],
];

const OTHERS: readonly Row[] = [
  ['DATATYPE', (e) => `DATATYPE(${e.any()})`],
  [
    'IRI',
    (e) =>
      `IRI(${e.random.pick(['STR(<http://e/a>)', 'CONCAT("http://e/", LCASE("B"))', `STR(${e.variable()})`, '"c"'])})`,
  ],
  [
    'STRDT',
    (e) => `STRDT(${e.string()}, ${e.random.pick(['<http://e/type>', '<http://www.w3.org/2001/XMLSchema#integer>'])})`,
  ],
  ['IF', (e) => `IF(${e.boolean()}, ${e.any()}, ${e.any()})`],
  ['COALESCE', (e) => `COALESCE(${e.any()}, ${e.any()})`],
  ['TIMEZONE', (e) => `TIMEZONE(${e.dateTime()})`],
  ['xsd:dateTime', (e) => `<http://www.w3.org/2001/XMLSchema#dateTime>(${e.any()})`],
];

/** The names of the functions, for the histogram. */
export const FUNCTION_NAMES: readonly string[] = [...BOOLEANS, ...NUMBERS, ...STRINGS, ...OTHERS].map(([name]) => name);

/** Writes random expressions: most of their parts are of a kind that fits, some are not, so that errors come up. */
export class Expressions {
  readonly random: Random;
  private readonly source: ExpressionSource;
  private depth = 0;

  constructor(source: ExpressionSource) {
    this.source = source;
    this.random = source.random;
  }

  condition(): string {
    return this.boolean();
  }

  any(): string {
    return this.random.weighted<() => string>([
      [6, () => this.variable()],
      [2, () => this.random.pick(LITERALS)],
      [1, () => this.random.pick(NODES)],
      [
        this.depth > 1 ? 0 : 3,
        () =>
          this.call(
            this.random.weighted([
              [3, NUMBERS],
              [3, STRINGS],
              [2, BOOLEANS],
              [2, OTHERS],
            ]),
          ),
      ],
    ])();
  }

  boolean(): string {
    const { random } = this;
    if (this.depth < 2 && random.chance(this.depth === 0 ? 0.35 : 0.1)) {
      const pattern = this.source.pattern();
      const negated = random.chance(0.5);
      if (pattern) {
        this.source.use(negated ? 'NOT EXISTS' : 'EXISTS');
        return `${negated ? 'NOT EXISTS' : 'EXISTS'} ${pattern}`;
      }
    }
    if (this.depth > 1)
      return random.weighted<() => string>([
        [4, () => `BOUND(${this.variable()})`],
        [3, () => `isIRI(${this.variable()})`],
        [1, () => 'true'],
      ])();
    return this.call(BOOLEANS);
  }

  number(): string {
    return this.random.weighted<() => string>([
      [5, () => this.variable()],
      [3, () => this.random.pick(['1', '2', '0', '2.5', '1.5e0', '-3', '10'])],
      [this.depth > 1 ? 0 : 2, () => this.call(NUMBERS)],
    ])();
  }

  string(): string {
    return this.random.weighted<() => string>([
      [2, () => this.variable()],
      [4, () => `STR(${this.variable()})`],
      [3, () => this.random.pick(['"x"', '"xy"', '"y"', '"e/"', '""', '"xy"@en', '"é𝒳"', '"Ab c"'])],
      [this.depth > 1 ? 0 : 2, () => this.call(STRINGS)],
    ])();
  }

  dateTime(): string {
    return this.random.chance(0.5)
      ? this.variable()
      : this.random
          .pick(['2020-01-02T03:04:05Z', '2021-06-07T08:09:10.5-05:00', '1999-12-31T23:59:59'])
          .replace(/.*/su, '"$&"^^<http://www.w3.org/2001/XMLSchema#dateTime>');
  }

  variable(): string {
    return this.source.variable();
  }

  private call(rows: readonly Row[]): string {
    const [name, write] = this.random.pick(rows);
    this.source.use(name);
    this.depth++;
    const text = write(this);
    this.depth--;
    return text;
  }
}
