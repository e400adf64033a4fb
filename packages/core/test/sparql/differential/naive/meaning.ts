import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../../src/index.ts';
import { Fraction } from './fraction.ts';
import { MOMENT_TYPES, type Moment, type MomentType, momentText, parseMoment } from './moment.ts';
import { parseSpan, SPAN_TYPES, type Span, type SpanType, spanText } from './span.ts';

export const XSD = 'http://www.w3.org/2001/XMLSchema#';
const RDF_NAMESPACE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/**
 * What a literal means: the value that its datatype maps its lexical form to. `unknown`: there is
 * none, or we do not know the datatype.
 */
export type Meaning =
  | { readonly kind: 'exact'; readonly type: 'integer' | 'decimal'; readonly value: Fraction }
  | { readonly kind: 'floating'; readonly type: 'float' | 'double'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'string' | 'langString' | 'unknown' }
  | { readonly kind: 'moment'; readonly type: MomentType; readonly value: Moment }
  | { readonly kind: 'span'; readonly type: SpanType; readonly value: Span };

export type NumberMeaning = Extract<Meaning, { kind: 'exact' | 'floating' }>;

/** XSD 1.1 part 2, 3.4.13 to 3.4.25: the least and the greatest value. */
export const INTEGER_TYPES: Readonly<Record<string, readonly [least?: bigint, greatest?: bigint]>> = {
  integer: [],
  long: [-(2n ** 63n), 2n ** 63n - 1n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  short: [-(2n ** 15n), 2n ** 15n - 1n],
  byte: [-128n, 127n],
  nonNegativeInteger: [0n],
  positiveInteger: [1n],
  nonPositiveInteger: [undefined, 0n],
  negativeInteger: [undefined, -1n],
  unsignedLong: [0n, 2n ** 64n - 1n],
  unsignedInt: [0n, 2n ** 32n - 1n],
  unsignedShort: [0n, 2n ** 16n - 1n],
  unsignedByte: [0n, 255n],
};

export function isInRange(type: string, value: bigint): boolean {
  const [least, greatest] = INTEGER_TYPES[type];
  return (least === undefined || value >= least) && (greatest === undefined || value <= greatest);
}

const FLOATING = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const INFINITIES: Readonly<Record<string, number>> = { INF: Infinity, '+INF': Infinity, '-INF': -Infinity, NaN: NaN };

/** The value of a lexical form in an XSD type, undefined when there is none. */
export function parse(type: string, text: string): Meaning | undefined {
  if (type in INTEGER_TYPES) {
    if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
    const value = Fraction.parse(text);
    return isInRange(type, value.floor()) ? { kind: 'exact', type: 'integer', value } : undefined;
  }
  switch (type) {
    case 'string':
      return { kind: 'string' };
    case 'boolean':
      return /^(?:true|false|[01])$/.test(text) ? { kind: 'boolean', value: /true|1/.test(text) } : undefined;
    case 'decimal':
      return /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text)
        ? { kind: 'exact', type: 'decimal', value: Fraction.parse(text) }
        : undefined;
    case 'double':
    case 'float': {
      const value = FLOATING.test(text) ? Number(text) : INFINITIES[text];
      if (value === undefined) return undefined;
      if (type === 'double' || !FLOATING.test(text)) return { kind: 'floating', type, value };
      return { kind: 'floating', type, value: value === 0 ? value : nearestFloat(fractionOf(text)) };
    }
  }
  // XSD 1.1 part 2, 3.4.28: a dateTime that has a time zone.
  if (type === 'dateTimeStamp') {
    const value = parseMoment('dateTime', text);
    return value?.zone === undefined ? undefined : { kind: 'moment', type: 'dateTime', value };
  }
  for (const one of MOMENT_TYPES) {
    const value = one === type && parseMoment(one, text);
    if (value) return { kind: 'moment', type: one, value };
  }
  for (const one of SPAN_TYPES) {
    const value = one === type && parseSpan(one, text);
    if (value) return { kind: 'span', type: one, value };
  }
  return undefined;
}

/** Of a number with an exponent. */
function fractionOf(text: string): Fraction {
  const [digits, exponent = '0'] = text.split(/e/i);
  const power = BigInt(exponent.replace('+', ''));
  const scale = power < 0n ? new Fraction(1n, 10n ** -power) : new Fraction(10n ** power);
  return Fraction.parse(digits).times(scale);
}

/**
 * XSD 1.1 part 2, 3.3.4: rounded once, to the nearest float; of two the one whose last bit is 0.
 */
export function nearestFloat(value: Fraction): number {
  const near = Math.fround(value.toDouble());
  if (near === 0 || !Number.isFinite(near)) return near;
  const bits = new DataView(new ArrayBuffer(4));
  bits.setFloat32(0, near);
  const pattern = bits.getInt32(0);
  const candidates = [pattern, pattern - 1, pattern + 1].map((one) => {
    bits.setInt32(0, one);
    const float = bits.getFloat32(0);
    const distance = Number.isFinite(float) ? Fraction.ofDouble(float).minus(value) : undefined;
    return { float, isEven: one % 2 === 0, distance: distance && (distance.top < 0n ? distance.negated() : distance) };
  });
  const [first, ...others] = candidates;
  let best = first;
  for (const one of others) {
    const order = one.distance ? one.distance.compare(best.distance!) : 1;
    if (order < 0 || (order === 0 && one.isEven)) best = one;
  }
  return best.float;
}

/** The part of an XSD datatype's IRI behind the #, empty for others. */
export function xsdType(iri: string): string {
  return iri.startsWith(XSD) ? iri.slice(XSD.length) : '';
}

export function meaningOf({ value, datatype, language }: RDF.Literal): Meaning {
  if (language !== '') return { kind: 'langString' };
  return parse(xsdType(datatype.value), value) ?? { kind: 'unknown' };
}

/** Undefined for anything that is not a number. */
export function numberOf(term: RDF.Term): NumberMeaning | undefined {
  const meaning = term.termType === 'Literal' ? meaningOf(term) : undefined;
  return meaning?.kind === 'exact' || meaning?.kind === 'floating' ? meaning : undefined;
}

export const toDouble = (number: NumberMeaning): number =>
  number.kind === 'exact' ? number.value.toDouble() : number.value;
export const toFloat = (number: NumberMeaning): number =>
  number.kind === 'exact' ? nearestFloat(number.value) : Math.fround(number.value);

// --- new terms, with the canonical lexical form

export const isIri = (term: RDF.Term): term is RDF.NamedNode => term.termType === 'NamedNode';
export const isString = (term: RDF.Term): term is RDF.Literal => isSimple(term) || hasLanguage(term);
export const isSimple = (term: RDF.Term): term is RDF.Literal =>
  term.termType === 'Literal' && term.datatype.value === `${XSD}string`;
export const hasLanguage = (term: RDF.Term): term is RDF.Literal => term.termType === 'Literal' && term.language !== '';

export const iri = (value: string): RDF.Term => dataFactory.namedNode(value);
export const string = (value: string): RDF.Term => dataFactory.literal(value);
export const typed = (value: string, type: string): RDF.Term =>
  dataFactory.literal(value, dataFactory.namedNode(XSD + type));
export const boolean = (value: boolean): RDF.Term => typed(String(value), 'boolean');
export const integer = (value: bigint | number, type = 'integer'): RDF.Term => typed(String(value), type);
export const decimal = (value: Fraction): RDF.Term => typed(value.toString(), 'decimal');
export const moment = (type: MomentType, value: Moment): RDF.Term => typed(momentText(type, value), type);
export const span = (type: SpanType, value: Span): RDF.Term => typed(spanText(type, value), type);

/** A string with the language and direction of another. */
export function stringLike(value: string, like: RDF.Literal): RDF.Term {
  if (like.language === '') return string(value);
  return dataFactory.literal(value, { language: like.language, direction: like.direction ?? '' });
}

export function floating(type: 'float' | 'double', value: number): RDF.Term {
  return typed(floatingText(type, type === 'float' ? Math.fround(value) : value), type);
}

/**
 * XSD 1.1 part 2, E.1: the fewest digits that tell the number from its neighbours, one of them
 * before the point.
 */
export function floatingText(type: 'float' | 'double', value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  const [digits, exponent] = shortest(type, value).split('e');
  const sign = Object.is(value, -0) ? '-' : '';
  return `${sign}${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

export function shortest(type: 'float' | 'double', value: number): string {
  if (type === 'double') return value.toExponential();
  const texts = Array.from({ length: 10 }, (_, digits) => value.toExponential(digits));
  return texts.find((text) => Math.fround(Number(text)) === value) ?? texts[9];
}

export const LANG_STRING_TYPES: readonly string[] = ['langString', 'dirLangString'].map((name) => RDF_NAMESPACE + name);
