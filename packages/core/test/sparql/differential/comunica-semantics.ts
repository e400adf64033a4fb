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

/** A way in which another engine computes something else than the specification says. */
export interface FunctionDeviation {
  readonly name: string;
  /** What proves it wrong, or leaves it free. */
  readonly reason: string;
  /** By the names of functions, casts by `xsd:` and the type. */
  readonly functions?: Readonly<Record<string, StrictFunction>>;
  readonly truth?: Semantics['truth'];
  readonly aggregate?: Semantics['aggregate'];
  readonly spell?: Semantics['spell'];
  readonly constant?: Semantics['constant'];
}

// --- comparison

const hasValue = (meaning: Meaning) => meaning.kind !== 'unknown';

/**
 * Literals of two types that are both known are neither equal nor different, and neither is a
 * literal without a value.
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

/** Of a datatype that has no such lexical form. */
const isIllTyped = (term: RDF.Term) =>
  term.termType === 'Literal' && xsdType(term.datatype.value) !== '' && !hasValue(meaningOf(term));

const tested = (truth: boolean | undefined): Result => (truth === undefined ? undefined : boolean(truth));

/** An order operator that asks another alphabet. */
function ordered(name: string, byLocale: (order: number) => boolean): StrictFunction {
  return ([one, other], context) =>
    isSimple(one) && isSimple(other)
      ? boolean(byLocale(one.value.localeCompare(other.value)))
      : STRICT_FUNCTIONS[name]([one, other], context);
}

// --- numbers

/** The number that the digits of a finite double name, as JavaScript writes it. */
function asWritten(value: number): Fraction {
  const [mantissa, exponent = '0'] = String(value).split('e');
  const power = new Fraction(10n ** BigInt(exponent.replace(/^[+-]/, '')));
  const digits = Fraction.parse(mantissa);
  return exponent.startsWith('-') ? digits.over(power) : digits.times(power);
}

/** Digits behind the point that the library for large numbers keeps in a quotient. */
const QUOTIENT_DIGITS = 20;

/** Doubles by their digits: 1 - 0.7 is 0.3. Zero keeps the sign that doubles give it. */
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
 * With doubles, whatever the type; a decimal divided by zero is infinite or no number, which no
 * decimal is.
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

/** XSD 1.0 part 2, 3.2.3.2: a decimal has a point; and the zero of JavaScript has no sign. */
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

/** A text is read by JavaScript, or by a pattern that has no white space. */
function castOf(type: string, fits: RegExp): StrictFunction {
  return ([term]) => (isSimple(term) && !fits.test(term.value) ? undefined : castTo(type, term));
}

function floatingCast(type: 'float' | 'double'): StrictFunction {
  return ([term]) => {
    const number = numberOf(term);
    // A float is a double with another name.
    if (number?.kind === 'floating')
      return floating(type, Number.isFinite(number.value) ? Number(term.value) : number.value);
    if (!isSimple(term) || parse(type, term.value.trim())) return castTo(type, term);
    const value = Number(term.value);
    return Number.isNaN(value) ? undefined : floating(type, value);
  };
}

// --- strings

/** What is empty has no language, wherever it comes from. */
function cut(apply: (text: string, part: string) => string): StrictFunction {
  return ([one, other]) => {
    if (!isString(one) || !isString(other) || !areCompatible(one, other)) return undefined;
    const text = apply(one.value, other.value);
    return text === '' && other.value !== '' ? string('') : stringLike(text, one);
  };
}

/**
 * JavaScript's `slice`: it counts from the end where a position is negative, and wants integers.
 */
const slice: StrictFunction = ([text, start, length]) => {
  const [from, count] = [start, length].map((term) => (term === undefined ? undefined : numberOf(term)));
  const isInteger = (number: typeof from) => number?.kind === 'exact' && number.type === 'integer';
  if (!isString(text) || !isInteger(from) || (length && !isInteger(count))) return undefined;
  const begin = toDouble(from!) - 1;
  return stringLike([...text.value].slice(begin, count ? begin + toDouble(count) : undefined).join(''), text);
};

/** JavaScript's patterns and replacements. */
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

/** Each was seen, and decided for the reason beside it. */
export const FUNCTION_DEVIATIONS: readonly FunctionDeviation[] = [
  {
    name: 'equality of literals without a common type',
    reason:
      'Section 17.3.1 lets an implementation replace a type error: here 1 = true is false, where Comunica keeps the error of 17.4.1.7. An ill-typed literal equals itself there.',
    functions: {
      '=': ([one, other]) => tested(equalOrError(one, other)),
      '!=': ([one, other]) => {
        const same = equalOrError(one, other);
        return tested(same === undefined ? undefined : !same);
      },
    },
  },
  {
    name: 'strings in the order of a language',
    reason: 'Section 17.3 with XPath F&O 7.3.1: strings compare by code points; Comunica asks localeCompare.',
    functions: {
      '<': ordered('<', (order) => order === -1),
      '>': ordered('>', (order) => order === 1),
      '<=': ordered('<=', (order) => order !== 1),
      '>=': ordered('>=', (order) => order !== -1),
    },
  },
  {
    name: 'arithmetic of doubles',
    reason:
      'XPath F&O 4.2: decimals are exact and "division by zero" is an error for them (err:FOAR0001); floats round to floats. Comunica has doubles for all, and computes with the digits that they are written with.',
    functions: {
      '+': withDoubles('+', (one, other) => one + other),
      '-': withDoubles('-', (one, other) => one - other),
      '*': withDoubles('*', (one, other) => one * other),
      '/': withDoubles('/', (one, other) => one / other),
    },
  },
  {
    name: 'numbers are written anew',
    reason:
      'Section 17 leaves open how a number that is the same is written: +?x is ?x, and ABS(?x) of what is positive.',
    functions: {
      'unary+': rewritten,
      CEIL: (args, context) => again('CEIL', args, context),
      FLOOR: (args, context) => again('FLOOR', args, context),
      ROUND: (args, context) => again('ROUND', args, context),
      ABS: (args, context) => again('ABS', args, context),
    },
  },
  {
    name: 'decimals with a point, zeros without a sign',
    reason:
      'XSD 1.1 part 2, E.1: the canonical form of 1.0 is 1, and -0.0E0 is one of two zeros; Comunica has those of XSD 1.0.',
    spell,
  },
  {
    name: 'strings with a language are neither true nor false',
    reason:
      'Section 17.2.2: "a plain literal", which may have a language (RDF 2004, 6.5), is true when it is not empty.',
    truth: (term) => (term?.termType === 'Literal' && term.language !== '' ? undefined : truthOf(term)),
  },
  {
    name: 'errors in aggregates',
    reason:
      'Section 18.5.1: ListEval keeps errors, of which COUNT and SAMPLE take no notice (18.5.1.2, 18.5.1.8), which are the least for MIN and MAX (18.5.1.5, 15.1), and which make SUM, AVG and GROUP_CONCAT errors, as does STR of a blank node (17.4.2.5); Comunica leaves out those of unbound variables, and with another one has no value for any aggregate; nor has MIN or MAX of IRIs or blank nodes, which 18.5.1.5 orders as ORDER BY does.',
    aggregate: (aggregate, all, lacks) => {
      if (all.some((value, at) => value === undefined && !lacks[at])) return undefined;
      const isExtreme = aggregate.function === 'MIN' || aggregate.function === 'MAX';
      if (isExtreme && all.some((value) => value !== undefined && value.termType !== 'Literal')) return undefined;
      const values = all.filter((value) => value !== undefined);
      // A sum begins with its first number.
      const isSum = aggregate.function === 'SUM' && new Set(values.map(keyOf)).size === 1;
      return isSum && (aggregate.distinct || values.length === 1) && numberOf(values[0])
        ? values[0]
        : aggregateOf(aggregate, values);
    },
  },
  {
    name: 'casts of texts',
    reason:
      'Section 17.5 with XPath F&O 17.1.1: any lexical form, after white space around it went away; Comunica knows no sign of an integer, no white space, and takes "" for 0.',
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
    name: 'a zero as a string has no sign',
    reason: 'XPath F&O 17.1.2: "TV will be "0" or "-0" respectively"',
    functions: {
      'xsd:string': ([term]) => {
        const number = numberOf(term);
        return number?.kind === 'floating' && number.value === 0 ? string('0') : castTo('string', term);
      },
    },
  },
  {
    name: 'ill-typed literals',
    reason:
      'Sections 17.4.2.4 and 17.4.2.6: isNumeric of any term is true or false, and LANG of any literal without a tag is ""; Comunica has errors where the datatype lacks the lexical form.',
    functions: {
      ISNUMERIC: ([term], context) =>
        isIllTyped(term) && !/#(?:dateTime|boolean)$/.test((term as RDF.Literal).datatype.value)
          ? undefined
          : STRICT_FUNCTIONS['ISNUMERIC']([term], context),
      LANG: ([term], context) => (isIllTyped(term) ? undefined : STRICT_FUNCTIONS['LANG']([term], context)),
    },
  },
  {
    name: 'any tag',
    reason: 'Section 17.4.2.11 with RDF 1.1 Concepts 3.3: a language tag is well-formed (BCP 47); Comunica takes any.',
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
      'RFC 4647 section 3.3.1: a range matches when "it exactly equals the tag"; Comunica finds no match for an empty one.',
    functions: {
      LANGMATCHES: (args, context) => {
        const right = STRICT_FUNCTIONS['LANGMATCHES'](args, context);
        return right && (args[1] as RDF.Literal).value === '' ? boolean(false) : right;
      },
    },
  },
  {
    name: 'ENCODE_FOR_URI of reserved characters',
    reason:
      'XPath F&O 6.2: all but the unreserved characters of RFC 3986 are escaped; Comunica uses encodeURI, which leaves the reserved ones.',
    functions: { ENCODE_FOR_URI: ([text]) => (isString(text) ? string(encodeURI(text.value)) : undefined) },
  },
  {
    name: 'an empty part of a string with a language',
    reason:
      'Sections 17.4.3.9 and 17.4.3.10: what was found is like the first argument, also when nothing is before or behind it.',
    functions: {
      STRBEFORE: cut((text, part) => text.slice(0, Math.max(0, text.indexOf(part)))),
      STRAFTER: cut((text, part) => text.slice(text.indexOf(part)).slice(part.length)),
    },
  },
  {
    name: 'SUBSTR by slice',
    reason:
      'Section 17.4.3.3 with XPath F&O 7.4.3: positions before the first hold nothing, and doubles are rounded; Comunica counts from the end, and wants integers.',
    functions: { SUBSTR: slice },
  },
  {
    name: 'REPLACE by replaceAll',
    reason:
      'XPath F&O 7.6.3: "\\\\$" stands for a dollar sign, $1 without a group for nothing; Comunica has the rules of JavaScript.',
    functions: { REPLACE: replace },
  },
  {
    name: 'IRIs are not looked at',
    reason:
      'Section 17.4.2.8 with RFC 3986 section 4.2: anything that is not a reference is an error; Comunica resolves any text.',
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

/** The specification with all of these deviations. */
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
