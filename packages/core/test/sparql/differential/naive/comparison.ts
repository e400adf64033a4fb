import type * as RDF from '@rdfjs/types';
import { ZERO } from './fraction.ts';
import { type Meaning, meaningOf, type NumberMeaning, toDouble, toFloat } from './meaning.ts';
import { instantOf } from './moment.ts';
import { keyOf } from './naive-dataset.ts';

/** Section 17.2.2; undefined is an error. */
export function truthOf(term: RDF.Term | undefined): boolean | undefined {
  if (term?.termType !== 'Literal') return undefined;
  const meaning = meaningOf(term);
  switch (meaning.kind) {
    case 'boolean':
      return meaning.value;
    // SPARQL 1.2 section 17.2.2: strings with a language have none, and literals that are not valid
    // neither.
    case 'string':
      return term.value !== '';
    case 'exact':
      return meaning.value.compare(ZERO) !== 0;
    case 'floating':
      return meaning.value !== 0 && !Number.isNaN(meaning.value);
    default:
      return undefined;
  }
}

/**
 * The operator `=`. Undefined is an error: of a literal without a known value that is not the same
 * term (section 17.4.1.7).
 */
export function equal(one: RDF.Term, other: RDF.Term): boolean | undefined {
  if (one.termType === 'Quad' && other.termType === 'Quad') {
    const parts = [
      equal(one.subject, other.subject),
      equal(one.predicate, other.predicate),
      equal(one.object, other.object),
    ];
    return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
  }
  if (one.termType !== 'Literal' || other.termType !== 'Literal') return keyOf(one) === keyOf(other);
  const left = meaningOf(one);
  const right = meaningOf(other);
  // Only strings with a language have a language (the suite of SPARQL 1.0, open-eq-08).
  if ((left.kind === 'langString') !== (right.kind === 'langString')) return false;
  if (left.kind === 'unknown' || right.kind === 'unknown') return keyOf(one) === keyOf(other) ? true : undefined;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  if (left.kind === 'span' && right.kind === 'span') {
    return left.value.months === right.value.months && left.value.seconds.compare(right.value.seconds) === 0;
  }
  if (left.kind === 'langString' && right.kind === 'langString') {
    return one.value === other.value && sameLanguage(one, other);
  }
  // Values of two different types that we know are two different values (section 17.3.1 lets us say
  // so).
  if (left.kind !== right.kind) return false;
  if (left.kind === 'boolean') return left.value === (right as typeof left).value;
  if (left.kind === 'moment') {
    const { type, value } = right as typeof left;
    return left.type === type && instantOf(left.value).compare(instantOf(value)) === 0;
  }
  return one.value === other.value;
}

export function sameLanguage(one: RDF.Literal, other: RDF.Literal): boolean {
  return (
    one.language.toLowerCase() === other.language.toLowerCase() && (one.direction || '') === (other.direction || '')
  );
}

/** The order of `<`: negative, zero, positive; NaN when there is none; undefined for an error. */
export function compare(one: RDF.Term, other: RDF.Term): number | undefined {
  if (one.termType !== 'Literal' || other.termType !== 'Literal') return undefined;
  const left = meaningOf(one);
  const right = meaningOf(other);
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (left.kind !== right.kind) return undefined;
  if (left.kind === 'string') return compareCodePoints(one.value, other.value);
  if (left.kind === 'boolean') return Number(left.value) - Number((right as typeof left).value);
  if (left.kind === 'moment') {
    const { type, value } = right as typeof left;
    // XPath F&O has no order for the types that hold less than a date or a time.
    if (type !== left.type || !['dateTime', 'date', 'time'].includes(type)) return undefined;
    return instantOf(left.value).compare(instantOf(value));
  }
  if (left.kind === 'span') {
    const { type, value } = right as typeof left;
    if (type !== left.type || type === 'duration') return undefined;
    return Number(left.value.months - value.months) || left.value.seconds.compare(value.seconds);
  }
  return undefined;
}

export const isNumber = (meaning: Meaning): meaning is NumberMeaning =>
  meaning.kind === 'exact' || meaning.kind === 'floating';

/**
 * XPath 2.0 appendix B.1: as doubles if one is a double, as floats if one is a float, else exactly.
 */
function compareNumbers(one: NumberMeaning, other: NumberMeaning): number {
  if (one.kind === 'exact' && other.kind === 'exact') return one.value.compare(other.value);
  const isDouble = one.type === 'double' || other.type === 'double';
  const [left, right] = [one, other].map(isDouble ? toDouble : toFloat);
  return left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN;
}

export function compareCodePoints(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => Array.from(text, (character) => character.codePointAt(0)!));
  const at = left.findIndex((point, index) => point !== right[index]);
  if (at < 0) return left.length - right.length;
  return left[at] - (right[at] ?? -1);
}

/** Section 17.4.3.1.2, argument compatibility. */
export function areCompatible(one: RDF.Literal, other: RDF.Literal): boolean {
  return other.language === '' || (one.language !== '' && sameLanguage(one, other));
}
