import type * as RDF from '@rdfjs/types';
import { languageTagCase } from '../../model/language-tag.ts';
import { textBytes } from '../../model/memory-budget.ts';
import { dataFactory } from '../../model/term.ts';
import {
  RDF_DIR_LANG_STRING,
  RDF_LANG_STRING,
  XSD,
  XSD_BOOLEAN,
  XSD_DATE_TIME,
  XSD_DECIMAL,
  XSD_DOUBLE,
  XSD_INTEGER,
  XSD_STRING,
} from '../../model/vocabulary.ts';
import { DATATYPES, LexicalValue } from './datatypes.ts';
import { type DateTime, dateTimeText, epochSeconds } from './date-time.ts';
import { Decimal } from './decimal.ts';
import { type Duration, durationText } from './duration.ts';
import { nearestFloat } from './float-rounding.ts';
import { doubleText, floatText } from './number-text.ts';
import { KIND, type ValueKind } from './value-kind.ts';

/**
 * Result of an expression that failed: a type error or an unbound variable (SPARQL 1.1 section
 * 17.2). A value rather than an exception, so that hot code needs no `try`. `undefined` also means
 * "unbound" in a row, which section 17.2 makes an error when evaluated.
 */
export const ERROR = undefined;

/** The three components of a triple term. */
export class TripleParts {
  readonly subject: Value;
  readonly predicate: Value;
  readonly object: Value;

  constructor(subject: Value, predicate: Value, object: Value) {
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
  }
}

/**
 * An RDF term as seen by expressions: parsed once, then compared and computed with. One class with
 * the same fields for all kinds, so that code reading values stays monomorphic.
 */
export class Value {
  readonly kind: ValueKind;
  /** IRI of the datatype; empty for non-literals. */
  readonly datatype: string;
  /** Language tag in normalized case; empty if absent. */
  readonly language: string;
  /** Base direction of SPARQL 1.2; empty if absent. */
  readonly direction: 'ltr' | 'rtl' | '';
  /**
   * Numbers: the value or the nearest double. Booleans: 0 or 1. Dates and times: whole seconds
   * since the epoch, UTC if there is no time zone. Otherwise 0.
   */
  readonly number: number;
  /**
   * Integers and decimals: the exact value, or undefined if `number` is a safe integer and
   * therefore exact. Other structured kinds: their parts.
   */
  readonly exact: Decimal | DateTime | Duration | TripleParts | undefined;
  /** Text of the value; for computed values, created on first use. */
  private text: string | undefined;
  /** RDF term of the value; for computed values, created on first use. */
  private source: RDF.Term | undefined;

  constructor(
    kind: ValueKind,
    text: string | undefined,
    datatype: string,
    number: number,
    exact: Decimal | DateTime | Duration | TripleParts | undefined,
    language: string,
    direction: 'ltr' | 'rtl' | '',
    source: RDF.Term | undefined,
  ) {
    this.kind = kind;
    this.datatype = datatype;
    this.language = language;
    this.direction = direction;
    this.number = number;
    this.exact = exact;
    this.text = text;
    this.source = source;
  }

  /**
   * Lexical form of a literal (canonical if computed), the IRI, or the label of a blank node; empty
   * for a triple term.
   */
  get lexical(): string {
    return (this.text ??= canonicalText(this));
  }

  /** Length of the text in UTF-16 code units; 0 while there is no text yet. */
  get textLength(): number {
    return this.text === undefined ? 0 : this.text.length;
  }

  /** RDF term of the value: the original one, or a new one with the canonical lexical form. */
  get term(): RDF.Term {
    return (this.source ??= makeTerm(this));
  }
}

function canonicalText(value: Value): string {
  const { kind } = value;
  if (kind <= KIND.triple) return '';
  if (kind === KIND.boolean) return value.number === 1 ? 'true' : 'false';
  if (kind <= KIND.decimal) return value.exact === undefined ? String(value.number) : String(value.exact);
  if (kind === KIND.float) return floatText(value.number);
  if (kind === KIND.double) return doubleText(value.number);
  if (kind <= KIND.gMonth) return dateTimeText(kind, value.exact as DateTime);
  return durationText(kind, value.exact as Duration);
}

const DATATYPE_NODES = new Map<string, RDF.NamedNode>();

/**
 * Returns the node of a datatype. Cached for known datatypes only, because data may contain any
 * number of others.
 */
function datatypeNode(iri: string): RDF.NamedNode {
  let node = DATATYPE_NODES.get(iri);
  if (node !== undefined) return node;
  node = dataFactory.namedNode(iri);
  if (DATATYPES.has(iri)) DATATYPE_NODES.set(iri, node);
  return node;
}

function makeTerm(value: Value): RDF.Term {
  switch (value.kind) {
    case KIND.iri:
      return dataFactory.namedNode(value.lexical);
    case KIND.blank:
      return dataFactory.blankNode(value.lexical);
    case KIND.string:
      return dataFactory.literal(value.lexical);
    case KIND.langString:
      return dataFactory.literal(value.lexical, { language: value.language, direction: value.direction });
    case KIND.triple: {
      const { subject, predicate, object } = value.exact as TripleParts;
      return dataFactory.quad(
        subject.term as RDF.Quad_Subject,
        predicate.term as RDF.Quad_Predicate,
        object.term as RDF.Quad_Object,
      );
    }
    default:
      return dataFactory.literal(value.lexical, datatypeNode(value.datatype));
  }
}

/** Approximate bytes of a value and its term, without the text. */
const VALUE_BYTES = 160;

/** Returns the approximate memory of a value; undefined stands for an error or unbound. */
export function valueBytes(value: Value | undefined): number {
  return value === undefined ? VALUE_BYTES : VALUE_BYTES + textBytes(value.textLength);
}

const SCRATCH = new LexicalValue();

/**
 * Returns the value of a term. Throws TypeError for a variable or the default graph, which are
 * caller errors.
 */
export function valueOfTerm(term: RDF.Term): Value {
  switch (term.termType) {
    case 'NamedNode':
      return new Value(KIND.iri, term.value, '', 0, undefined, '', '', term);
    case 'BlankNode':
      return new Value(KIND.blank, term.value, '', 0, undefined, '', '', term);
    case 'Literal':
      return valueOfLiteral(term);
    case 'Quad': {
      const parts = new TripleParts(valueOfTerm(term.subject), valueOfTerm(term.predicate), valueOfTerm(term.object));
      return new Value(KIND.triple, '', '', 0, parts, '', '', term);
    }
    default:
      throw new TypeError(`A ${term.termType} has no value.`);
  }
}

function valueOfLiteral(term: RDF.Literal): Value {
  const datatype = term.datatype.value;
  if (datatype === XSD_STRING) return new Value(KIND.string, term.value, XSD_STRING, 0, undefined, '', '', term);
  if (term.language !== '')
    return new Value(
      KIND.langString,
      term.value,
      term.direction ? RDF_DIR_LANG_STRING : RDF_LANG_STRING,
      0,
      undefined,
      languageTagCase(term.language),
      term.direction || '',
      term,
    );
  return typedValue(term.value, datatype, term);
}

/**
 * Returns the value of a typed literal; its kind is `other` if the datatype is unknown or the
 * lexical form is ill-formed.
 */
export function typedValue(lexical: string, datatype: string, source?: RDF.Term): Value {
  const known = DATATYPES.get(datatype);
  if (known === undefined || !known.read(lexical, SCRATCH))
    return new Value(KIND.other, lexical, datatype, 0, undefined, '', '', source);
  return new Value(known.kind, lexical, known.iri, SCRATCH.number, SCRATCH.exact, '', '', source);
}

/** Returns the RDF term of a value; see {@link Value.term}. */
export function termOfValue(value: Value): RDF.Term {
  return value.term;
}

export const TRUE = new Value(KIND.boolean, 'true', XSD_BOOLEAN, 1, undefined, '', '', undefined);
export const FALSE = new Value(KIND.boolean, 'false', XSD_BOOLEAN, 0, undefined, '', '', undefined);
export const EMPTY_STRING = new Value(KIND.string, '', XSD_STRING, 0, undefined, '', '', undefined);

export function booleanValue(value: boolean): Value {
  return value ? TRUE : FALSE;
}

export function iriValue(iri: string): Value {
  return new Value(KIND.iri, iri, '', 0, undefined, '', '', undefined);
}

export function blankValue(label: string): Value {
  return new Value(KIND.blank, label, '', 0, undefined, '', '', undefined);
}

export function stringValue(text: string): Value {
  return new Value(KIND.string, text, XSD_STRING, 0, undefined, '', '', undefined);
}

/** Requires `language` to be a valid language tag. */
export function langStringValue(text: string, language: string, direction: 'ltr' | 'rtl' | ''): Value {
  const datatype = direction === '' ? RDF_LANG_STRING : RDF_DIR_LANG_STRING;
  return new Value(KIND.langString, text, datatype, 0, undefined, languageTagCase(language), direction, undefined);
}

/** Returns a string with the language and direction of another string, if any. */
export function stringLike(text: string, like: Value): Value {
  return like.kind === KIND.string ? stringValue(text) : langStringValue(text, like.language, like.direction);
}

/** Returns an xsd:integer; `value` must be a safe integer. */
export function integerValue(value: number): Value {
  return new Value(KIND.integer, undefined, XSD_INTEGER, value + 0, undefined, '', '', undefined);
}

/** Returns an xsd:decimal, or a value of the given datatype; integer types require a scale of 0. */
export function exactValue(value: Decimal, kind: ValueKind = KIND.decimal, datatype: string = XSD_DECIMAL): Value {
  const isSmall = value.scale === 0 && typeof value.units === 'number';
  return new Value(kind, undefined, datatype, value.toNumber(), isSmall ? undefined : value, '', '', undefined);
}

export function doubleValue(value: number): Value {
  return new Value(KIND.double, undefined, XSD_DOUBLE, value, undefined, '', '', undefined);
}

/** Rounds to single precision. */
export function floatValue(value: number): Value {
  return new Value(KIND.float, undefined, `${XSD}float`, Math.fround(value), undefined, '', '', undefined);
}

const DATE_TIME_TYPES: ReadonlyMap<ValueKind, string> = new Map(
  [...DATATYPES.values()]
    .filter(({ kind }) => kind >= KIND.dateTime && kind <= KIND.duration)
    .map(({ kind, iri }) => [kind, iri]),
);

/** Returns a value of a kind from `dateTime` to `gMonth`. */
export function dateTimeValue(
  parts: DateTime,
  kind: ValueKind = KIND.dateTime,
  datatype = DATE_TIME_TYPES.get(kind) ?? XSD_DATE_TIME,
): Value {
  return new Value(kind, undefined, datatype, epochSeconds(parts), parts, '', '', undefined);
}

/** Returns a value of a kind from `dayTimeDuration` to `duration`. */
export function durationValue(parts: Duration, kind: ValueKind): Value {
  return new Value(kind, undefined, DATE_TIME_TYPES.get(kind)!, parts.wholeSeconds, parts, '', '', undefined);
}

export function tripleValue(subject: Value, predicate: Value, object: Value): Value {
  return new Value(KIND.triple, '', '', 0, new TripleParts(subject, predicate, object), '', '', undefined);
}

export function isNumeric(value: Value): boolean {
  return value.kind >= KIND.integer && value.kind <= KIND.double;
}

export function isString(value: Value): boolean {
  return value.kind === KIND.string || value.kind === KIND.langString;
}

/** Returns the exact value of an integer or decimal. */
export function decimalOfValue(value: Value): Decimal {
  return (value.exact as Decimal | undefined) ?? new Decimal(value.number + 0, 0);
}

/** Converts a number to a float (XPath F&O 17.1.3.1), rounding once from its exact value. */
export function floatOfValue(value: Value): number {
  return nearestFloat(value.number, () => value.exact as Decimal | undefined);
}

/** Whether two values are the same RDF term (section 17.4.1.8, RDF 1.1 Concepts 3.3). */
export function isSameTerm(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind) return false;
  if (left.kind === KIND.triple) {
    const a = left.exact as TripleParts;
    const b = right.exact as TripleParts;
    return isSameTerm(a.subject, b.subject) && isSameTerm(a.predicate, b.predicate) && isSameTerm(a.object, b.object);
  }
  return (
    left.lexical === right.lexical &&
    left.datatype === right.datatype &&
    left.language === right.language &&
    left.direction === right.direction
  );
}

/**
 * Returns a string that two values share exactly if they are the same term: for DISTINCT and
 * grouping without ids.
 */
export function termKey(value: Value): string {
  switch (value.kind) {
    case KIND.iri:
      return `<${value.lexical}`;
    case KIND.blank:
      return `_${value.lexical}`;
    case KIND.string:
      return `"${value.lexical}`;
    // Tags, directions and IRIs contain no space.
    case KIND.langString:
      return `@${value.language}--${value.direction} ${value.lexical}`;
    case KIND.triple: {
      const { subject, predicate, object } = value.exact as TripleParts;
      // Length prefixes separate the parts unambiguously.
      const keys = [termKey(subject), termKey(predicate), termKey(object)];
      return `(${keys.map((key) => `${key.length}:${key}`).join('')}`;
    }
    default:
      return `^${value.datatype} ${value.lexical}`;
  }
}
