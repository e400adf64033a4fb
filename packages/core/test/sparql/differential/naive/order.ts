import type * as RDF from '@rdfjs/types';
import { compareCodePoints } from './comparison.ts';
import { Fraction } from './fraction.ts';
import { type Meaning, meaningOf, type NumberMeaning } from './meaning.ts';
import { instantOf, MOMENT_TYPES } from './moment.ts';
import { spanSeconds } from './span.ts';

/**
 * The order of ORDER BY, MIN and MAX. Section 15.1 says: unbound, blank nodes, IRIs, literals, and
 * `<` where it is defined. The rest is ours and documented in `ordering.ts`: kinds of literals one
 * after the other, numbers by their exact values, and the terms of equal values by what they are
 * written as.
 */
export function compareTerms(one: RDF.Term | undefined, other: RDF.Term | undefined): number {
  if (!one || !other) return Number(one !== undefined) - Number(other !== undefined);
  const rank = rankOf(one) - rankOf(other);
  if (rank !== 0) return rank;
  if (one.termType === 'Quad' && other.termType === 'Quad') {
    return (
      compareTerms(one.subject, other.subject) ||
      compareTerms(one.predicate, other.predicate) ||
      compareTerms(one.object, other.object)
    );
  }
  if (one.termType !== 'Literal' || other.termType !== 'Literal') return compareCodePoints(one.value, other.value);
  return (
    compareMeanings(one, meaningOf(one), other, meaningOf(other)) ||
    compareCodePoints(one.datatype.value, other.datatype.value) ||
    compareCodePoints(one.value, other.value) ||
    compareCodePoints(one.language, other.language) ||
    compareCodePoints(one.direction ?? '', other.direction ?? '')
  );
}

function rankOf(term: RDF.Term): number {
  switch (term.termType) {
    case 'BlankNode':
      return 0;
    case 'NamedNode':
      return 1;
    case 'Quad':
      return 40;
  }
  const meaning = meaningOf(term as RDF.Literal);
  switch (meaning.kind) {
    case 'exact':
    case 'floating':
      return 2;
    case 'moment':
      return 10 + MOMENT_TYPES.indexOf(meaning.type);
    case 'span':
      return 20;
    case 'boolean':
      return 21;
    case 'string':
      return 22;
    case 'langString':
      return 23;
    case 'unknown':
      return 24;
  }
}

function compareMeanings(one: RDF.Literal, left: Meaning, other: RDF.Literal, right: Meaning): number {
  switch (left.kind) {
    case 'exact':
    case 'floating':
      return compareExactly(left, right as NumberMeaning);
    case 'moment':
      return instantOf(left.value).compare(instantOf((right as typeof left).value));
    case 'span': {
      const { value } = right as typeof left;
      return spanSeconds(left.value).compare(spanSeconds(value)) || Math.sign(Number(left.value.months - value.months));
    }
    case 'boolean':
      return Number(left.value) - Number((right as typeof left).value);
    case 'unknown':
      return 0;
    default:
      return compareCodePoints(one.value, other.value);
  }
}

/** By exact value; NaN is the least, then minus infinity. */
function compareExactly(one: NumberMeaning, other: NumberMeaning): number {
  const [left, right] = [one, other].map((number) => {
    if (number.kind === 'exact') return number.value;
    return Number.isFinite(number.value) ? Fraction.ofDouble(number.value) : number.value;
  });
  if (left instanceof Fraction && right instanceof Fraction) return left.compare(right);
  const place = (value: Fraction | number) =>
    value instanceof Fraction ? 1 : Number.isNaN(value) ? -1 : value > 0 ? 2 : 0;
  return place(left) - place(right);
}
