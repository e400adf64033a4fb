import type { Random } from './random.ts';
import type { Expressions } from './random-expression.ts';
import { isPlain, OURS, type Vocabulary } from './terms.ts';

/** Writes a call. Most arguments are of a kind that fits; some are not, so that errors come up. */
export type WriteCall = (e: Expressions) => string;

/** How often to write a call, by the others of its table. */
type Row = readonly [weight: number, write: WriteCall];

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const PATTERNS = ['"^x"', '"[0-9]+"', '"b| c"', '"X"', '"e/.$"', '"(.)y"', '"."', '"[^a-c]x?"'];
const FLAGS = ['', ', "i"', ', ""', ', "s"', ', "x"', ', "q"', ', "mi"', ', "y"'];

const call = (name: string, ...args: readonly ((e: Expressions) => string)[]): Row => [
  1,
  (e) => `${name}(${args.map((one) => one(e)).join(', ')})`,
];
const infix = (operator: string, one: WriteCall, other: WriteCall): Row => [
  1,
  (e) => `(${one(e)} ${operator} ${other(e)})`,
];

const any: WriteCall = (e) => e.any();
const boolean: WriteCall = (e) => e.boolean();
const number: WriteCall = (e) => e.number();
const string: WriteCall = (e) => e.string();
const variable: WriteCall = (e) => e.variable();
const simple: WriteCall = (e) => `STR(${e.any()})`;
const moment: WriteCall = (e) => e.literal('moment');
const duration: WriteCall = (e) => e.literal('duration');
const withTime: WriteCall = (e) => e.literal('moment', (one) => /#(?:dateTime|time)>$/.test(one));
const dateTime: WriteCall = (e) => e.literal('moment', (one) => one.endsWith('#dateTime>'));
const tagged: WriteCall = (e) => e.literal('string', (one) => one.includes('"@'));
/** Kinds of operands that go together. */
const KINDS: readonly (readonly [weight: number, operand: WriteCall])[] = [
  [4, any],
  [5, number],
  [2, dateTime],
  [1, moment],
  [1, duration],
  [3, string],
];
/** Of two operands of a kind, so that they may well be equal, or in an order. */
const comparison = (operator: string): Row => [
  3,
  (e) => {
    const operand = e.random.weighted(KINDS);
    return `(${e.pair(() => [operand(e), operand(e)]).join(` ${operator} `)})`;
  },
];
const calculation = (operator: string): Row => [
  2,
  (e) => {
    const [one, other] = e.random.weighted<readonly [WriteCall, WriteCall]>([
      [6, [number, number]],
      [e.isStandard ? 0 : 1, [moment, duration]],
      [e.isStandard ? 0 : 1, [duration, operator === '*' ? number : duration]],
      [e.isStandard ? 0 : 1, [moment, moment]],
      [1, [any, any]],
    ]);
    const operands = e.isStandard ? [one(e), other(e)] : e.pair(() => [one(e), other(e)]);
    return `(${operands.join(` ${operator} `)})`;
  },
];
const onStrings = (name: string): Row => [
  1,
  (e) => `${name}(${e.pair(() => [e.string(), e.string()], 'string').join(', ')})`,
];
const constant =
  (...texts: readonly string[]): WriteCall =>
  (e) =>
    e.random.pick(texts);

/**
 * The functions by the kind of their result. Non-deterministic ones stand in something that is the
 * same for all their values.
 */
export const BOOLEANS: readonly Row[] = [
  ...['=', '!=', '<', '<=', '>', '>='].map(comparison),
  infix('&&', boolean, boolean),
  infix('||', boolean, boolean),
  [1, (e) => `(! ${e.boolean()})`],
  [1, (e) => `(${e.any()} IN (${e.list()}))`],
  [1.3, (e) => `(${e.any()} NOT IN (${e.list()}))`],
  call('BOUND', variable),
  call('isIRI', any),
  call('isURI', any),
  call('isBlank', any),
  call('isLiteral', any),
  call('isNumeric', any),
  call('sameTerm', any, any),
  call('langMatches', (e) => `LANG(${tagged(e)})`, constant('"en"', '"*"', '"de"', '"EN"', '"en-GB"', '"EN-gb"', '""')),
  onStrings('CONTAINS'),
  onStrings('STRSTARTS'),
  onStrings('STRENDS'),
  [1, (e) => `REGEX(${e.string()}, ${e.random.pick(PATTERNS)}${e.random.pick(FLAGS)})`],
  [1, () => '(RAND() < 2)'],
  [1, (e) => `(NOW() ${e.random.pick(['<', '>', '!='])} ${moment(e)})`],
  [1, () => 'isIRI(UUID())'],
  [1, () => '(STRLEN(STRUUID()) = 36)'],
  [1, constant('isBlank(BNODE())', '(BNODE("l") = BNODE("l"))', 'sameTerm(BNODE(), BNODE())')],
];

export const NUMERICS: readonly Row[] = [
  ...['+', '-', '*'].map(calculation),
  infix(
    '/',
    number,
    constant('2', '4.0', '8', '0', '0.5', '3', '-0.07', '3e0', '"3"^^<http://www.w3.org/2001/XMLSchema#float>'),
  ),
  [1, (e) => `(- ${e.number()})`],
  [1, (e) => `(+ ${e.number()})`],
  [1.5, call('ABS', number)[1]],
  call('CEIL', number),
  [1.5, call('FLOOR', number)[1]],
  call('ROUND', number),
  call('STRLEN', string),
  call('YEAR', moment),
  call('MONTH', moment),
  call('DAY', moment),
  call('HOURS', withTime),
  call('MINUTES', withTime),
  call('SECONDS', withTime),
];

export const STRINGLIKES: readonly Row[] = [
  call('STR', any),
  call('LANG', (e) => (e.random.chance(0.5) ? e.any() : e.literal('string'))),
  call(
    'SUBSTR',
    string,
    constant(
      '1',
      '2',
      '0',
      '2, 1',
      '1, 3',
      '-1, 3',
      '1.5, 2',
      '0.5e0',
      '"NaN"^^<http://www.w3.org/2001/XMLSchema#double>',
    ),
  ),
  call('UCASE', (e) => (e.random.chance(0.5) ? e.string() : e.literal('string'))),
  call('LCASE', (e) => (e.random.chance(0.5) ? e.string() : e.literal('string'))),
  call('CONCAT', string, string),
  [0.5, (e) => `CONCAT(${Array.from({ length: e.random.between(0, 3) }, () => e.string()).join(', ')})`],
  onStrings('STRBEFORE'),
  onStrings('STRAFTER'),
  [
    1.5,
    (e) =>
      `REPLACE(${e.string()}, ${e.random.pick(PATTERNS)}, ${e.random.pick(['"z"', '"<$0>"', '"$1$1"', '"\\\\$"', '""'])}${e.random.pick(FLAGS)})`,
  ],
  call('ENCODE_FOR_URI', (e) => (e.random.chance(0.4) ? e.string() : e.literal('string'))),
  call('MD5', simple),
  call('SHA1', simple),
  call('SHA256', simple),
  call('SHA384', simple),
  call('SHA512', simple),
  call('TZ', moment),
  [1.5, call('STRLANG', (e) => e.literal('string'), constant('"en"', '"EN"', '"de-AT"', '"no tag"'))[1]],
];

const DATATYPES = ['<http://e/type>', `<${XSD}string>`, `<${XSD}integer>`, `<${XSD}double>`];

const OTHERS: readonly Row[] = [
  call('DATATYPE', (e) => (e.random.chance(0.5) ? e.any() : e.string())),
  [
    1,
    (e) =>
      `${e.random.pick(['IRI', 'URI'])}(${e.random.pick(['STR(<http://e/a>)', 'CONCAT("http://e/", LCASE("B"))', `STR(${e.variable()})`, '"c"', '"../é?q#f"', '"a b"'])})`,
  ],
  [
    1.5,
    call(
      'STRDT',
      (e) => (e.random.chance(0.3) ? e.random.pick(['"7"', '"1.50"', '"-0"']) : e.literal('string')),
      constant(...DATATYPES),
    )[1],
  ],
  call('IF', boolean, any, any),
  call('COALESCE', any, any),
  [1.5, call('TIMEZONE', moment)[1]],
];

/** Texts for casts, that their types have or nearly have. */
const CAST_TEXTS: readonly string[] = ['"1"', '" 0 "', '"-7"', '"2.50"', '"1e1"', '"true"', '"INF"', '"\\t12\\n"'];
const CAST_TERMS: readonly string[] = [...OURS.of.number, 'true', 'false', '1e3', '-1.9', '254.99'];

const lexicalForms = (type: string, terms: readonly string[]): string[] =>
  terms.filter((term) => term.endsWith(`#${type}>`)).map((term) => term.slice(0, term.lastIndexOf('^^')));

function cast(type: string, terms: readonly string[]): Row {
  const texts = lexicalForms(type, OURS.literals);
  return [
    1.4,
    (e) => {
      const fitting = (some: readonly string[]) => (e.isStandard ? some.filter(isPlain) : some);
      const argument = e.random.weighted<() => string>([
        [e.isDrill ? 1 : 2, () => e.any()],
        [e.isDrill ? 2 : 3, () => e.random.pick(fitting([...texts, ...(texts.length > 2 ? [] : CAST_TEXTS)]))],
        [e.isDrill ? 7 : 5, () => e.random.pick(fitting(terms))],
      ]);
      return `<${XSD}${type}>(${argument()})`;
    },
  ];
}

/** Values on both sides of the types' bounds. */
const NEGATIVE = ['-1', '-7', '"-100"', '-1.5', '-9e2', '"-128"', '-129', '0', '"\\t-3 "', '1'];
const POSITIVE = ['1', '7', '"100"', '254.9', '9e1', '"255"', '256', '0', '" 3\\n"', '-1', 'true'];
const INTEGERS: readonly (readonly [types: readonly string[], terms: readonly string[]])[] = [
  [['nonPositiveInteger', 'negativeInteger'], NEGATIVE],
  [
    ['byte', 'short', 'int', 'long'],
    [...NEGATIVE, ...POSITIVE],
  ],
  [['unsignedByte', 'unsignedShort', 'unsignedInt', 'unsignedLong'], POSITIVE],
  [['nonNegativeInteger', 'positiveInteger'], POSITIVE],
];
const { moment: MOMENTS, duration: DURATIONS, string: STRINGS } = OURS.of;
const dateTimes = MOMENTS.filter((one) => one.endsWith('#dateTime>'));
const dates = MOMENTS.filter((one) => /#date(?:Time)?>$/.test(one));
const times = MOMENTS.filter((one) => /#(?:dateT|t)ime>$/.test(one));

/** By datatype (section 17.5). */
const CASTS: readonly Row[] = [
  ...['boolean', 'decimal', 'float', 'double', 'integer'].map((type) => cast(type, CAST_TERMS)),
  cast('string', [...CAST_TERMS, ...dateTimes, ...STRINGS, '<http://e/a>']),
  cast('dateTime', dateTimes),
];

/** And those that the engine has beyond it. */
const OWN_CASTS: readonly Row[] = [
  ...INTEGERS.flatMap(([types, terms]) => types.map((type) => cast(type, terms))),
  cast('string', [...MOMENTS, ...DURATIONS]),
  ...['dateTime', 'date', 'gYear', 'gYearMonth', 'gMonthDay', 'gDay', 'gMonth'].map((type) => cast(type, dates)),
  cast('dateTimeStamp', dates),
  cast('time', times),
  ...['dayTimeDuration', 'yearMonthDuration', 'duration'].map((type) => cast(type, DURATIONS)),
];

const triple: WriteCall = (e) => e.triple();

/** What SPARQL 1.2 adds. */
const NEW_FUNCTIONS: readonly Row[] = [
  call('LANGDIR', any),
  call('hasLANG', any),
  call('hasLANGDIR', any),
  [
    2,
    call(
      'STRLANGDIR',
      (e) => e.oneOf(['"x"', '"xy"', '""']),
      constant('"en"', '"EN"', '"de-AT"', '"no tag"'),
      constant('"ltr"', '"rtl"', '"rtl"', '"up"'),
    )[1],
  ],
  call('isTRIPLE', triple),
  call('SUBJECT', triple),
  call('PREDICATE', triple),
  call('OBJECT', triple),
  call(
    'TRIPLE',
    (e) => e.node(),
    (e) => e.node(),
    any,
  ),
];

const STANDARD_FUNCTIONS: readonly Row[] = [...BOOLEANS, ...NUMERICS, ...STRINGLIKES, ...OTHERS, ...CASTS];
const OUR_FUNCTIONS: readonly Row[] = [...STANDARD_FUNCTIONS, ...OWN_CASTS];
/** Few texts have these, so that those have many of them. */
const ALL_FUNCTIONS: readonly Row[] = [
  ...OUR_FUNCTIONS,
  ...NEW_FUNCTIONS.map(([weight, write]): Row => [weight * 16, write]),
];

/**
 * Returns about `count` different functions. If the vocabulary has those of SPARQL 1.2, each of
 * these is included twice, because few texts may use them.
 */
export function drilledFunctions(random: Random, { isStandard, isNew }: Vocabulary, count: number): WriteCall[] {
  const always = isNew ? [...NEW_FUNCTIONS, ...NEW_FUNCTIONS] : [];
  const others = [...(isStandard ? STANDARD_FUNCTIONS : OUR_FUNCTIONS)];
  while (others.length > Math.max(0, count - always.length)) others.splice(random.between(0, others.length - 1), 1);
  return [...always, ...others].map(([, write]) => write);
}

/** Every function that a vocabulary has, each about as often as every other. */
export function functionsOf({ isStandard, isNew }: Vocabulary): readonly Row[] {
  if (isStandard) return STANDARD_FUNCTIONS;
  return isNew ? ALL_FUNCTIONS : OUR_FUNCTIONS;
}
