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
 * The result of an expression that went wrong: a type error, an unbound variable (SPARQL 1.1
 * section 17.2). It is a value and not an exception, so that hot code has no `try`; `undefined`
 * also stands for "unbound" in a row, which section 17.2 makes an error when evaluated.
 */
export const ERROR = undefined;

/** The three values of a triple term. */
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
 * An RDF term as expressions see it: parsed once, then compared and computed with. One class with
 * one set of fields for all kinds, so that every place that reads a value sees one shape.
 */
export class Value {
  readonly kind: ValueKind;
  /** The datatype's IRI; empty for what is no literal. */
  readonly datatype: string;
  /** The language tag as written; empty without one. */
  readonly language: string;
  /** The base direction of SPARQL 1.2; empty without one. */
  readonly direction: 'ltr' | 'rtl' | '';
  /**
   * Of a number its value, or the double nearest to it; of a boolean 0 or 1; of a dateTime and its
   * like whole seconds since the epoch, UTC unless it says otherwise; else 0.
   */
  readonly number: number;
  /**
   * Of an integer or decimal its exact value, but undefined where `number` is a safe integer and
   * thereby exact; of the other structured kinds their parts.
   */
  readonly exact: Decimal | DateTime | Duration | TripleParts | undefined;
  /** Undefined until somebody asks for the lexical form of a computed value. */
  private text: string | undefined;
  /** Undefined until somebody asks for the term of a computed value. */
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
   * The lexical form of a literal (canonical when computed), the IRI, the label of a blank node;
   * empty for a triple term.
   */
  get lexical(): string {
    return (this.text ??= canonicalText(this));
  }

  /** The length of its text in UTF-16 units, as far as there is one. */
  get textLength(): number {
    return this.text === undefined ? 0 : this.text.length;
  }

  /**
   * The RDF term: the one that the value came from, or a new one with the canonical lexical form.
   */
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

/** One node for each known datatype; others come from data and may be many. */
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

/** What a value and its term take besides the text. */
const VALUE_BYTES = 160;

/** About the memory of a value; undefined is an error or unbound. */
export function valueBytes(value: Value | undefined): number {
  return value === undefined ? VALUE_BYTES : VALUE_BYTES + textBytes(value.textLength);
}

const SCRATCH = new LexicalValue();

/**
 * The value of a term. A variable or the default graph has none: giving one is a defect of the
 * caller.
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
 * The value of a literal with a datatype, of kind `other` when the datatype is unknown or has no
 * such lexical form.
 */
export function typedValue(lexical: string, datatype: string, source?: RDF.Term): Value {
  const known = DATATYPES.get(datatype);
  if (known === undefined || !known.read(lexical, SCRATCH))
    return new Value(KIND.other, lexical, datatype, 0, undefined, '', '', source);
  return new Value(known.kind, lexical, known.iri, SCRATCH.number, SCRATCH.exact, '', '', source);
}

/** The RDF term of a value: see {@link Value.term}. */
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

/** `language` must be a language tag. */
export function langStringValue(text: string, language: string, direction: 'ltr' | 'rtl' | ''): Value {
  const datatype = direction === '' ? RDF_LANG_STRING : RDF_DIR_LANG_STRING;
  return new Value(KIND.langString, text, datatype, 0, undefined, languageTagCase(language), direction, undefined);
}

/** A string like another: with its language and direction, if it has them. */
export function stringLike(text: string, like: Value): Value {
  return like.kind === KIND.string ? stringValue(text) : langStringValue(text, like.language, like.direction);
}

/** An xsd:integer; `value` must be a safe integer. */
export function integerValue(value: number): Value {
  return new Value(KIND.integer, undefined, XSD_INTEGER, value + 0, undefined, '', '', undefined);
}

/** An xsd:decimal, or with another datatype a value of that; an integer type needs a scale of 0. */
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

/** A value of a kind between `dateTime` and `gMonth`. */
export function dateTimeValue(
  parts: DateTime,
  kind: ValueKind = KIND.dateTime,
  datatype = DATE_TIME_TYPES.get(kind) ?? XSD_DATE_TIME,
): Value {
  return new Value(kind, undefined, datatype, epochSeconds(parts), parts, '', '', undefined);
}

/** A value of a kind between `dayTimeDuration` and `duration`. */
export function durationValue(parts: Duration, kind: ValueKind): Value {
  return new Value(kind, undefined, DATE_TIME_TYPES.get(kind)!, 0, parts, '', '', undefined);
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

/** The exact value of an integer or decimal. */
export function decimalOfValue(value: Value): Decimal {
  return (value.exact as Decimal | undefined) ?? new Decimal(value.number + 0, 0);
}

/** A number as a float (XPath F&O 17.1.3.1): rounded once, from its exact value. */
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
 * A text that two values share exactly when they are the same term: for DISTINCT and grouping
 * without ids.
 */
export function termKey(value: Value): string {
  switch (value.kind) {
    case KIND.iri:
      return `<${value.lexical}`;
    case KIND.blank:
      return `_${value.lexical}`;
    case KIND.string:
      return `"${value.lexical}`;
    // No tag, direction or IRI holds a space.
    case KIND.langString:
      return `@${value.language}--${value.direction} ${value.lexical}`;
    case KIND.triple: {
      const { subject, predicate, object } = value.exact as TripleParts;
      // Lengths keep the parts apart, whatever is in them.
      const keys = [termKey(subject), termKey(predicate), termKey(object)];
      return `(${keys.map((key) => `${key.length}:${key}`).join('')}`;
    }
    default:
      return `^${value.datatype} ${value.lexical}`;
  }
}
