import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../src/index.ts';
import { aggregateOf } from './naive/aggregates.ts';
import { castTo } from './naive/casts.ts';
import { areCompatible, equal, isNumber, truthOf } from './naive/comparison.ts';
import { Fraction } from './naive/fraction.ts';
import { STRICT_FUNCTIONS, type StrictFunction } from './naive/functions.ts';
import {
  boolean,
  decimal,
  floating,
  floatingText,
  integer,
  iri,
  isSimple,
  isString,
  type Meaning,
  meaningOf,
  numberOf,
  parse,
  string,
  stringLike,
  toDouble,
  typed,
  xsdType,
} from './naive/meaning.ts';
import { keyOf } from './naive/naive-dataset.ts';
import { type Semantics, SPECIFIED } from './naive/semantics.ts';

type Result = RDF.Term | undefined;

/** A way in which another engine computes expressions differently from the specification. */
export interface FunctionDeviation {
  readonly name: string;
  /** The text of the specification that proves it wrong or permits it, and what the engine does. */
  readonly reason: string;
  /** Implementations by function name; casts are `xsd:` and the type. */
  readonly functions?: Readonly<Record<string, StrictFunction>>;
  readonly truth?: Semantics['truth'];
  readonly aggregate?: Semantics['aggregate'];
  readonly spell?: Semantics['spell'];
  readonly constant?: Semantics['constant'];
}

// --- comparison

const hasValue = (meaning: Meaning) => meaning.kind !== 'unknown';

/**
 * Equality; undefined, which is an error, for ill-typed literals and for literals of two known
 * types that are not comparable.
 */
function equalOrError(one: RDF.Term, other: RDF.Term): boolean | undefined {
  if (one.termType !== 'Literal' || other.termType !== 'Literal') return equal(one, other);
  const left = meaningOf(one);
  const right = meaningOf(other);
  if (isIllTyped(one) || isIllTyped(other)) return undefined;
  if (isString(one) && isString(other)) {
    if (left.kind !== right.kind) return false;
    return left.kind === 'string' ? one.value.localeCompare(other.value) === 0 : equal(one, other);
  }
  const isSameKind = left.kind === right.kind || (isNumber(left) && isNumber(right));
  return isSameKind ? equal(one, other) : undefined;
}

/** Whether the lexical form is invalid for the datatype. */
const isIllTyped = (term: RDF.Term) =>
  term.termType === 'Literal' && xsdType(term.datatype.value) !== '' && !hasValue(meaningOf(term));

const tested = (truth: boolean | undefined): Result => (truth === undefined ? undefined : boolean(truth));

/** An order operator that compares strings by locale. */
function ordered(name: string, byLocale: (order: number) => boolean): StrictFunction {
  return ([one, other], context) =>
    isSimple(one) && isSimple(other)
      ? boolean(byLocale(one.value.localeCompare(other.value)))
      : STRICT_FUNCTIONS[name]([one, other], context);
}

// --- numbers

/** The exact number that the shortest decimal digits of a finite double denote. */
function asWritten(value: number): Fraction {
  const [mantissa, exponent = '0'] = String(value).split('e');
  const power = new Fraction(10n ** BigInt(exponent.replace(/^[+-]/, '')));
  const digits = Fraction.parse(mantissa);
  return exponent.startsWith('-') ? digits.over(power) : digits.times(power);
}

/** Digits after the point that Comunica's library for large numbers keeps in a quotient. */
const QUOTIENT_DIGITS = 20;

/**
 * Arithmetic on the decimal digits of doubles: 1 - 0.7 is 0.3. A zero keeps the sign of
 * `ofDoubles`.
 */
function byDigits(name: '+' | '-' | '*' | '/', one: number, other: number, ofDoubles: number): number {
  if (![one, other, ofDoubles].every(Number.isFinite) || ofDoubles === 0) return ofDoubles;
  const [left, right] = [asWritten(one), asWritten(other)];
  switch (name) {
    case '+':
      return Number(left.plus(right).toString());
    case '-':
      return Number(left.minus(right).toString());
    case '*':
      return Number(left.times(right).toString());
    case '/':
      return Number(left.over(right).roundedTo(QUOTIENT_DIGITS).toString());
  }
}

/**
 * Arithmetic with doubles for all types. A decimal divided by zero gives `INF.0` or `NaN.0`, which
 * are not lexical forms of a decimal.
 */
function withDoubles(name: '+' | '-' | '*' | '/', apply: (one: number, other: number) => number): StrictFunction {
  return ([one, other], context) => {
    const [left, right] = [numberOf(one), numberOf(other)];
    if (!left || !right) return STRICT_FUNCTIONS[name]([one, other], context);
    const doubles = [toDouble(left), toDouble(right)] as const;
    const value = byDigits(name, ...doubles, apply(...doubles));
    if (left.kind === 'exact' && right.kind === 'exact') {
      if (Number.isFinite(value)) {
        if (name !== '/' && left.type === 'integer' && right.type === 'integer') return integer(BigInt(value));
        return decimal(asWritten(value));
      }
      if (left.type === 'integer' && right.type === 'integer') return undefined;
      return typed(Number.isNaN(value) ? 'NaN.0' : value < 0 ? '-INF.0' : 'INF.0', 'decimal');
    }
    const type = left.type === 'double' || right.type === 'double' ? 'double' : 'float';
    return typed(floatingText('double', value), type);
  };
}

/** Rewrites a number in the canonical form of XSD 1.0. */
const rewritten: StrictFunction = ([one]) => {
  const number = numberOf(one);
  if (!number) return undefined;
  if (number.kind === 'floating') return floating(number.type, number.value);
  return number.type === 'integer' ? integer(number.value.floor()) : decimal(number.value);
};

const again: (name: string, ...call: Parameters<StrictFunction>) => Result = (name, args, context) => {
  const right = STRICT_FUNCTIONS[name](args, context);
  return right && rewritten([right], context);
};

/** Adds a point to decimals (XSD 1.0 part 2, 3.2.3.2), and drops the sign of a zero. */
function spell(term: RDF.Term): RDF.Term {
  if (term.termType !== 'Literal' || term.language !== '') return term;
  switch (xsdType(term.datatype.value)) {
    case 'decimal':
      return /^-?\d+$/.test(term.value) ? typed(`${term.value}.0`, 'decimal') : term;
    case 'double':
    case 'float':
      return term.value === '-0.0E0' ? typed('0.0E0', xsdType(term.datatype.value)) : term;
    default:
      return term;
  }
}

/** A cast that accepts only strings that match a pattern. */
function castOf(type: string, fits: RegExp): StrictFunction {
  return ([term]) => (isSimple(term) && !fits.test(term.value) ? undefined : castTo(type, term));
}

function floatingCast(type: 'float' | 'double'): StrictFunction {
  return ([term]) => {
    const number = numberOf(term);
    // Floats are doubles internally, so the lexical form is read with the precision of a double.
    if (number?.kind === 'floating')
      return floating(type, Number.isFinite(number.value) ? Number(term.value) : number.value);
    if (!isSimple(term) || parse(type, term.value.trim())) return castTo(type, term);
    const value = Number(term.value);
    return Number.isNaN(value) ? undefined : floating(type, value);
  };
}

// --- strings

/** STRBEFORE or STRAFTER, of which an empty result loses its language tag. */
function cut(apply: (text: string, part: string) => string): StrictFunction {
  return ([one, other]) => {
    if (!isString(one) || !isString(other) || !areCompatible(one, other)) return undefined;
    const text = apply(one.value, other.value);
    return text === '' && other.value !== '' ? string('') : stringLike(text, one);
  };
}

/** SUBSTR by `slice`: counts negative positions from the end, and accepts only integers. */
const slice: StrictFunction = ([text, start, length]) => {
  const [from, count] = [start, length].map((term) => (term === undefined ? undefined : numberOf(term)));
  const isInteger = (number: typeof from) => number?.kind === 'exact' && number.type === 'integer';
  if (!isString(text) || !isInteger(from) || (length && !isInteger(count))) return undefined;
  const begin = toDouble(from!) - 1;
  return stringLike([...text.value].slice(begin, count ? begin + toDouble(count) : undefined).join(''), text);
};

/** REPLACE with JavaScript's rules for patterns and replacement strings. */
const replace: StrictFunction = ([text, pattern, replacement, flags]) => {
  if (!isString(text) || !isSimple(pattern) || !isSimple(replacement) || (flags && !isSimple(flags))) return undefined;
  let letters = flags?.value ?? '';
  if (!/^[imsxq]*$/.test(letters) || new Set(letters).size < letters.length) return undefined;
  let source = pattern.value;
  if (letters.includes('q')) letters = letters.replace(/[msx]/g, '');
  if (letters.includes('x')) source = source.replace(/[\t\n\r ]/g, '');
  const isLiteral = letters.includes('q');
  if (isLiteral) source = source.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const by = isLiteral ? replacement.value : replacement.value.replaceAll('$0', () => '$&');
  try {
    const compiled = new RegExp(source, `gu${letters.replace(/[qx]/g, '')}`);
    return stringLike(text.value.replaceAll(compiled, by), text);
  } catch {
    return undefined;
  }
};

/**
 * The known deviations of expressions. Each was observed and decided by the text in its `reason`.
 */
export const FUNCTION_DEVIATIONS: readonly FunctionDeviation[] = [
  {
    name: 'equality of incomparable literals',
    reason:
      'Section 17.3.1 lets an implementation return a value where an operator would raise a type error. Here `1 = true` is false, and an ill-typed literal equals itself. Comunica raises the error of section 17.4.1.7 in both cases.',
    functions: {
      '=': ([one, other]) => tested(equalOrError(one, other)),
      '!=': ([one, other]) => {
        const same = equalOrError(one, other);
        return tested(same === undefined ? undefined : !same);
      },
    },
  },
  {
    name: 'order of strings',
    reason:
      'Section 17.3 with XPath F&O 7.3.1: strings are compared by code points. Comunica compares them with `localeCompare`.',
    functions: {
      '<': ordered('<', (order) => order === -1),
      '>': ordered('>', (order) => order === 1),
      '<=': ordered('<=', (order) => order !== 1),
      '>=': ordered('>=', (order) => order !== -1),
    },
  },
  {
    name: 'arithmetic of decimals, floats and doubles',
    reason:
      'XPath F&O 4.2: decimals are exact, "division by zero" is an error for them (err:FOAR0001), and results of float arithmetic are rounded to floats. Comunica computes with doubles whatever the type, and takes each double as the decimal digits that it is written with: `1 - 0.7e0` is exactly 0.3.',
    functions: {
      '+': withDoubles('+', (one, other) => one + other),
      '-': withDoubles('-', (one, other) => one - other),
      '*': withDoubles('*', (one, other) => one * other),
      '/': withDoubles('/', (one, other) => one / other),
    },
  },
  {
    name: 'lexical forms of unchanged numbers',
    reason:
      'Section 17 leaves open the lexical form of a number that an operation returns unchanged, such as `+?x`, or `ABS(?x)` of a positive number. Comunica writes it in canonical form.',
    functions: {
      'unary+': rewritten,
      CEIL: (args, context) => again('CEIL', args, context),
      FLOOR: (args, context) => again('FLOOR', args, context),
      ROUND: (args, context) => again('ROUND', args, context),
      ABS: (args, context) => again('ABS', args, context),
    },
  },
  {
    name: 'canonical forms of decimals and zeros',
    reason:
      'XSD 1.1 part 2, E.1: the canonical form of the decimal 1.0 is `1`, and `-0.0E0` is one of two zeros. Comunica uses the canonical forms of XSD 1.0, `1.0` and `0.0E0`.',
    spell,
  },
  {
    name: 'effective boolean values of language-tagged strings',
    reason:
      'Section 17.2.2: "a plain literal", which may have a language tag (RDF 2004, 6.5), is true unless it is empty. In Comunica, a string with a language tag has no effective boolean value.',
    truth: (term) => (term?.termType === 'Literal' && term.language !== '' ? undefined : truthOf(term)),
  },
  {
    name: 'errors in aggregates',
    reason:
      'Section 18.5.1: ListEval keeps errors. COUNT and SAMPLE ignore them (18.5.1.2, 18.5.1.8); they are the least value for MIN and MAX (18.5.1.5, 15.1); SUM, AVG and GROUP_CONCAT become errors, GROUP_CONCAT also for a blank node, since STR of one is an error (17.4.2.5). Comunica ignores errors from unbound variables, and with any other error the aggregate has no value. MIN and MAX of IRIs or blank nodes have no value either, although 18.5.1.5 orders these as ORDER BY does.',
    aggregate: (aggregate, all, lacks) => {
      if (all.some((value, at) => value === undefined && !lacks[at])) return undefined;
      const isExtreme = aggregate.function === 'MIN' || aggregate.function === 'MAX';
      if (isExtreme && all.some((value) => value !== undefined && value.termType !== 'Literal')) return undefined;
      const values = all.filter((value) => value !== undefined);
      // A sum starts with its first value instead of 0, so a single number keeps its lexical form.
      const isSum = aggregate.function === 'SUM' && new Set(values.map(keyOf)).size === 1;
      return isSum && (aggregate.distinct || values.length === 1) && numberOf(values[0])
        ? values[0]
        : aggregateOf(aggregate, values);
    },
  },
  {
    name: 'casts from strings',
    reason:
      'Section 17.5 with XPath F&O 17.1.1: a cast accepts every lexical form of the type, and white space around it. Comunica refuses an integer with a sign, and white space except in casts to xsd:float and xsd:double, which read "" as 0.',
    functions: {
      'xsd:integer': castOf('integer', /^\d+$/),
      'xsd:decimal': castOf('decimal', /^[+-]?\d+(?:\.\d+)?$/),
      'xsd:boolean': castOf('boolean', /^(?:true|false|0|1)$/),
      'xsd:dateTime': castOf('dateTime', /^\S+$/),
      'xsd:float': floatingCast('float'),
      'xsd:double': floatingCast('double'),
    },
  },
  {
    name: 'negative zero cast to a string',
    reason: 'XPath F&O 17.1.2: "TV will be "0" or "-0" respectively". Comunica casts both zeros to "0".',
    functions: {
      'xsd:string': ([term]) => {
        const number = numberOf(term);
        return number?.kind === 'floating' && number.value === 0 ? string('0') : castTo('string', term);
      },
    },
  },
  {
    name: 'isNumeric and LANG of ill-typed literals',
    reason:
      'Sections 17.4.2.4 and 17.4.2.6: isNumeric returns true or false for every term, and LANG returns "" for every literal without a language tag. Comunica raises an error if the lexical form is invalid for the datatype.',
    functions: {
      ISNUMERIC: ([term], context) =>
        isIllTyped(term) && !/#(?:dateTime|boolean)$/.test((term as RDF.Literal).datatype.value)
          ? undefined
          : STRICT_FUNCTIONS['ISNUMERIC']([term], context),
      LANG: ([term], context) => (isIllTyped(term) ? undefined : STRICT_FUNCTIONS['LANG']([term], context)),
    },
  },
  {
    name: 'malformed language tags in STRLANG',
    reason:
      'Section 17.4.2.11 with RDF 1.1 Concepts 3.3: a language tag must be well-formed (BCP 47). Comunica accepts any string that is not empty.',
    functions: {
      STRLANG: ([text, tag]) =>
        isSimple(text) && isSimple(tag) && tag.value !== ''
          ? dataFactory.literal(text.value, tag.value.toLowerCase())
          : undefined,
    },
  },
  {
    name: 'the empty language range',
    reason:
      'RFC 4647 section 3.3.1: a range matches when "it exactly equals the tag", so the empty range matches the empty tag. In Comunica, the empty range matches nothing.',
    functions: {
      LANGMATCHES: (args, context) => {
        const right = STRICT_FUNCTIONS['LANGMATCHES'](args, context);
        return right && (args[1] as RDF.Literal).value === '' ? boolean(false) : right;
      },
    },
  },
  {
    name: 'reserved characters in ENCODE_FOR_URI',
    reason:
      'XPath F&O 6.2: all characters except the unreserved ones of RFC 3986 are escaped. Comunica uses `encodeURI`, which leaves the reserved characters unescaped.',
    functions: { ENCODE_FOR_URI: ([text]) => (isString(text) ? string(encodeURI(text.value)) : undefined) },
  },
  {
    name: 'empty results of STRBEFORE and STRAFTER',
    reason:
      'Sections 17.4.3.9 and 17.4.3.10: after a match, the result has the language tag of the first argument, even if it is empty. Comunica returns "" without a language tag.',
    functions: {
      STRBEFORE: cut((text, part) => text.slice(0, Math.max(0, text.indexOf(part)))),
      STRAFTER: cut((text, part) => text.slice(text.indexOf(part)).slice(part.length)),
    },
  },
  {
    name: 'positions in SUBSTR',
    reason:
      'Section 17.4.3.3 with XPath F&O 7.4.3: positions before the first character select nothing, and doubles are rounded. Comunica uses `slice`, which counts such positions from the end of the string, and refuses decimals and doubles.',
    functions: { SUBSTR: slice },
  },
  {
    name: 'replacement strings in REPLACE',
    reason:
      'XPath F&O 7.6.3: `\\$` stands for a dollar sign, and `$1` for the empty string if the pattern has no group. Comunica follows the rules of `replaceAll` in JavaScript.',
    functions: { REPLACE: replace },
  },
  {
    name: 'invalid arguments of IRI',
    reason:
      'Section 17.4.2.8 with RFC 3986 section 4.2: a string that is not an IRI reference is an error. Comunica resolves any string.',
    functions: {
      IRI: (args, context) => {
        const right = STRICT_FUNCTIONS['IRI'](args, context);
        const [term] = args;
        if (right || !isSimple(term)) return right;
        const isAbsolute = /^[^/?#]*:/.test(term.value);
        return iri(isAbsolute ? term.value : `${context.baseIri ?? ''}${term.value}`);
      },
    },
  },
];

const CHANGED: Readonly<Record<string, StrictFunction>> = Object.assign(
  {},
  ...FUNCTION_DEVIATIONS.map(({ functions }) => functions),
);
const changed = <Name extends 'truth' | 'aggregate' | 'spell'>(name: Name) =>
  FUNCTION_DEVIATIONS.map((one) => one[name]).find((one) => one !== undefined);

/** The semantics of the specification with all of these deviations applied. */
export const COMUNICA_SEMANTICS: Semantics = {
  call: (name) => CHANGED[name] ?? SPECIFIED.call(name),
  cast: (name, argument) => {
    const own = CHANGED[`xsd:${xsdType(name)}`];
    return own ? own([argument], { now: new Date(0), baseIri: undefined }) : SPECIFIED.cast(name, argument);
  },
  truth: changed('truth') ?? SPECIFIED.truth,
  aggregate: changed('aggregate') ?? SPECIFIED.aggregate,
  spell: changed('spell') ?? SPECIFIED.spell,
};
