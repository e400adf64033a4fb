import { createHash } from 'node:crypto';
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../../src/index.ts';
import { areCompatible, compare, equal } from './comparison.ts';
import { Fraction } from './fraction.ts';
import {
  boolean,
  decimal,
  hasLanguage,
  integer,
  iri,
  isIri,
  isSimple,
  isString,
  LANG_STRING_TYPES,
  meaningOf,
  moment,
  numberOf,
  span,
  string,
  stringLike,
  toDouble,
} from './meaning.ts';
import { type Moment, type MomentType, momentAt, zoneText } from './moment.ts';
import { keyOf } from './naive-dataset.ts';
import { absolute, arithmetic, negated, plus, rounded } from './operators.ts';

type Term = RDF.Term;
type Result = Term | undefined;

/** What functions look at besides their arguments. */
export interface FunctionContext {
  readonly now: Date;
  readonly baseIri: string | undefined;
}

/** A function whose arguments all have values; undefined is an error. */
export type StrictFunction = (args: readonly Term[], context: FunctionContext) => Result;

const isLiteral = (term: Term): term is RDF.Literal => term.termType === 'Literal';
const test = (value: boolean | undefined): Result => (value === undefined ? undefined : boolean(value));
const order = (fits: (order: number) => boolean): StrictFunction => {
  return ([one, other]) => {
    const result = compare(one, other);
    return result === undefined ? undefined : boolean(fits(result));
  };
};
const characters = (text: string) => Array.from(text);

/** Two strings that go together (section 17.4.3.1.2). */
function onStrings(apply: (one: RDF.Literal, other: RDF.Literal) => Result): StrictFunction {
  return ([one, other]) =>
    isString(one) && isString(other) && areCompatible(one, other) ? apply(one, other) : undefined;
}

function onText(apply: (text: string) => string): StrictFunction {
  return ([term]) => (isString(term) ? stringLike(apply(term.value), term) : undefined);
}

function hash(algorithm: string): StrictFunction {
  return ([term]) => (isSimple(term) ? string(createHash(algorithm).update(term.value).digest('hex')) : undefined);
}

function onMoment(types: readonly MomentType[], apply: (value: Moment) => Result): StrictFunction {
  return ([term]) => {
    const meaning = isLiteral(term) ? meaningOf(term) : undefined;
    return meaning?.kind === 'moment' && types.includes(meaning.type) ? apply(meaning.value) : undefined;
  };
}

const ALL_MOMENTS: readonly MomentType[] = [
  'dateTime',
  'date',
  'time',
  'gYear',
  'gYearMonth',
  'gMonthDay',
  'gDay',
  'gMonth',
];

/**
 * XPath's patterns are JavaScript's as far as the random queries go; `x` drops white space, `q`
 * takes everything literally.
 */
function patternOf(pattern: Term, flags: Term | undefined, more = ''): RegExp | undefined {
  if (!isSimple(pattern) || (flags && !isSimple(flags))) return undefined;
  const letters = flags?.value ?? '';
  if (/[^smixq]/.test(letters)) return undefined;
  let source = pattern.value;
  if (letters.includes('q')) source = source.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  else if (letters.includes('x')) source = source.replace(/[\t\n\r ]/g, '');
  return new RegExp(source, `u${more}${[...new Set(letters)].filter((letter) => 'ism'.includes(letter)).join('')}`);
}

/**
 * Section 17.4.3.3; XPath F&O 7.4.3: positions p with round(start) <= p < round(start) +
 * round(length).
 */
function substring([source, start, length]: readonly Term[]): Result {
  const first = numberOf(start);
  const count = length && numberOf(length);
  if (!isString(source) || !first || (length && !count)) return undefined;
  const from = Math.round(toDouble(first));
  const to = count ? from + Math.round(toDouble(count)) : Infinity;
  const kept = characters(source.value).filter((_, at) => at + 1 >= from && at + 1 < to);
  return stringLike(kept.join(''), source);
}

/** Section 17.4.3.15; XPath F&O 5.6.4. */
function replace([source, pattern, replacement, flags]: readonly Term[]): Result {
  const compiled = patternOf(pattern, flags, 'g');
  if (!compiled || !isString(source) || !isSimple(replacement)) return undefined;
  if (compiled.test('')) return undefined;
  const isLiteral = flags?.value.includes('q');
  const groupCount = new RegExp(`${compiled.source}|`, compiled.flags).exec('')!.length - 1;
  compiled.lastIndex = 0;
  if (!isLiteral && /\$(?![0-9])|\\(?![\\$])/.test(replacement.value.replace(/\\[\\$]/g, ''))) return undefined;
  const text = source.value.replace(compiled, (...groups: unknown[]) =>
    isLiteral
      ? replacement.value
      : replacement.value.replace(
          /\\([\\$])|\$([0-9])/g,
          (_, escaped, group) => escaped ?? (Number(group) <= groupCount ? String(groups[Number(group)] ?? '') : ''),
        ),
  );
  return stringLike(text, source);
}

/** Section 17.4.2.8: relative to the base by RFC 3986, which URL does for `http:`. */
function iriOf([term]: readonly Term[], { baseIri }: FunctionContext): Result {
  if (isIri(term)) return term;
  if (!isSimple(term)) return undefined;
  const reference = term.value;
  const isAbsolute = /^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference);
  // RFC 3986 section 4.2: no colon in the first segment of a relative path.
  if (!isAbsolute && /^[^/?#]*:/.test(reference)) return undefined;
  if (/[^\u0021-\u{10ffff}]|[<>"{}|^`\\]/u.test(reference) || (!isAbsolute && baseIri === undefined)) return undefined;
  return iri(isAbsolute ? reference : resolved(reference, baseIri!));
}

/**
 * `URL` resolves, but also encodes what is not ASCII, which an IRI keeps: such characters travel as
 * placeholders.
 */
function resolved(reference: string, base: string): string {
  const kept: string[] = [];
  const safe = reference.replace(/[^\u0021-\u007e]/gu, (character) => `~${kept.push(character)}~`);
  return new URL(safe, base).href.replace(/~(\d+)~/g, (_, number) => kept[Number(number) - 1]);
}

/** Section 17.4.2.11; the tag as BCP 47 has it. */
function withLanguage([text, tag, direction]: readonly Term[]): Result {
  if (!isSimple(text) || !isSimple(tag) || !/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(tag.value)) return undefined;
  if (!direction) return dataFactory.literal(text.value, tag.value);
  if (!isSimple(direction) || (direction.value !== 'ltr' && direction.value !== 'rtl')) return undefined;
  return dataFactory.literal(text.value, { language: tag.value, direction: direction.value });
}

function partOfTriple(part: 'subject' | 'predicate' | 'object'): StrictFunction {
  return ([term]) => (term.termType === 'Quad' ? term[part] : undefined);
}

/**
 * By the name that the algebra has: anything that is not a form of its own (see `expressions.ts`).
 * Sections 17.3 and 17.4, and those of SPARQL 1.2.
 */
export const STRICT_FUNCTIONS: Readonly<Record<string, StrictFunction>> = {
  '=': ([one, other]) => test(equal(one, other)),
  '!=': ([one, other]) => {
    const same = equal(one, other);
    return same === undefined ? undefined : boolean(!same);
  },
  '<': order((result) => result < 0),
  '>': order((result) => result > 0),
  '<=': order((result) => result <= 0),
  '>=': order((result) => result >= 0),
  '+': ([one, other]) => arithmetic('+', one, other),
  '-': ([one, other]) => arithmetic('-', one, other),
  '*': ([one, other]) => arithmetic('*', one, other),
  '/': ([one, other]) => arithmetic('/', one, other),
  'unary-': ([one]) => negated(one),
  'unary+': ([one]) => plus(one),
  ABS: ([one]) => absolute(one),
  CEIL: ([one]) => rounded(one, (value) => -value.negated().floor(), Math.ceil),
  FLOOR: ([one]) => rounded(one, (value) => value.floor(), Math.floor),
  ROUND: ([one]) => rounded(one, (value) => value.plus(new Fraction(1n, 2n)).floor(), Math.round),

  SAMETERM: ([one, other]) => boolean(keyOf(one) === keyOf(other)),
  ISIRI: ([one]) => boolean(isIri(one)),
  ISBLANK: ([one]) => boolean(one.termType === 'BlankNode'),
  ISLITERAL: ([one]) => boolean(isLiteral(one)),
  ISNUMERIC: ([one]) => boolean(numberOf(one) !== undefined),
  ISTRIPLE: ([one]) => boolean(one.termType === 'Quad'),
  STR: ([one]) => (isIri(one) || isLiteral(one) ? string(one.value) : undefined),
  LANG: ([one]) => (isLiteral(one) ? string(one.language) : undefined),
  LANGDIR: ([one]) => (isLiteral(one) ? string(one.direction ?? '') : undefined),
  HASLANG: ([one]) => boolean(hasLanguage(one)),
  HASLANGDIR: ([one]) => boolean(hasLanguage(one) && Boolean(one.direction)),
  DATATYPE: ([one]) => (isLiteral(one) ? one.datatype : undefined),
  IRI: iriOf,
  STRDT: ([text, type]) =>
    isSimple(text) && isIri(type) && !LANG_STRING_TYPES.includes(type.value)
      ? dataFactory.literal(text.value, type)
      : undefined,
  STRLANG: withLanguage,
  STRLANGDIR: withLanguage,
  LANGMATCHES: ([tag, range]) => {
    if (!isSimple(tag) || !isSimple(range)) return undefined;
    // RFC 4647 section 3.3.1
    const [language, wanted] = [tag.value.toLowerCase(), range.value.toLowerCase()];
    if (wanted === '*') return boolean(language !== '');
    return boolean(wanted === '' ? language === '' : `${language}-`.startsWith(`${wanted}-`));
  },
  UUID: () => iri('urn:uuid:00000000-0000-4000-8000-000000000000'),
  STRUUID: () => string('00000000-0000-4000-8000-000000000000'),
  RAND: () => decimal(new Fraction(1n, 2n)),
  TRIPLE: ([subject, predicate, object]) =>
    (isIri(subject) || subject.termType === 'BlankNode') && isIri(predicate)
      ? dataFactory.quad(subject, predicate, object as RDF.Quad_Object)
      : undefined,
  SUBJECT: partOfTriple('subject'),
  PREDICATE: partOfTriple('predicate'),
  OBJECT: partOfTriple('object'),

  STRLEN: ([one]) => (isString(one) ? integer(characters(one.value).length) : undefined),
  SUBSTR: substring,
  UCASE: onText((text) => text.toUpperCase()),
  LCASE: onText((text) => text.toLowerCase()),
  STRSTARTS: onStrings((one, other) => boolean(one.value.indexOf(other.value) === 0)),
  STRENDS: onStrings((one, other) => boolean(one.value.slice(one.value.length - other.value.length) === other.value)),
  CONTAINS: onStrings((one, other) => boolean(one.value.split(other.value).length > 1 || other.value === '')),
  STRBEFORE: onStrings((one, other) => {
    const at = one.value.indexOf(other.value);
    return at < 0 ? string('') : stringLike(one.value.slice(0, at), one);
  }),
  STRAFTER: onStrings((one, other) => {
    const at = one.value.indexOf(other.value);
    return at < 0 ? string('') : stringLike(one.value.slice(at + other.value.length), one);
  }),
  CONCAT: (args) => {
    if (!args.every(isString)) return undefined;
    const text = args.map(({ value }) => value).join('');
    const tags = new Set(args.map(({ language, direction }) => `${language.toLowerCase()} ${direction || ''}`));
    return tags.size === 1 ? stringLike(text, args[0] as RDF.Literal) : string(text);
  },
  ENCODE_FOR_URI: ([one]) => {
    if (!isString(one)) return undefined;
    const bytes = [...Buffer.from(one.value)];
    return string(
      bytes
        .map((byte) => {
          const character = String.fromCharCode(byte);
          if (/[A-Za-z0-9._~-]/.test(character)) return character;
          return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
        })
        .join(''),
    );
  },
  REGEX: ([text, pattern, flags]) => {
    const compiled = patternOf(pattern, flags);
    return compiled && isString(text) ? boolean(compiled.test(text.value)) : undefined;
  },
  REPLACE: replace,
  MD5: hash('md5'),
  SHA1: hash('sha1'),
  SHA256: hash('sha256'),
  SHA384: hash('sha384'),
  SHA512: hash('sha512'),

  NOW: (_, { now }) => moment('dateTime', momentAt(new Fraction(BigInt(now.getTime()), 1000n), 0)),
  YEAR: onMoment(['dateTime', 'date', 'gYear', 'gYearMonth'], ({ year }) => integer(year)),
  MONTH: onMoment(['dateTime', 'date', 'gYearMonth', 'gMonthDay', 'gMonth'], ({ month }) => integer(month)),
  DAY: onMoment(['dateTime', 'date', 'gMonthDay', 'gDay'], ({ day }) => integer(day)),
  HOURS: onMoment(['dateTime', 'time'], ({ hour }) => integer(hour)),
  MINUTES: onMoment(['dateTime', 'time'], ({ minute }) => integer(minute)),
  SECONDS: onMoment(['dateTime', 'time'], ({ second }) => decimal(second)),
  TIMEZONE: onMoment(ALL_MOMENTS, ({ zone }) =>
    zone === undefined ? undefined : span('dayTimeDuration', { months: 0n, seconds: new Fraction(BigInt(zone * 60)) }),
  ),
  TZ: onMoment(ALL_MOMENTS, ({ zone }) => string(zoneText(zone))),
};
