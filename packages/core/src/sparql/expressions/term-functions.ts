import { isAbsoluteIri, resolveIri } from '../../model/iri.ts';
import { isLanguageTag } from '../../model/language-tag.ts';
import { DEFAULT_REQUEST_LIMITS, limitExceeded } from '../../model/request-limits.ts';
import { RDF_DIR_LANG_STRING, RDF_LANG_STRING } from '../../model/vocabulary.ts';
import type { EvaluationContext } from './compiled-expression.ts';
import { binary, binaryTest, type FunctionRow, form, textMaker, unary, unaryTest } from './function-row.ts';
import { valueOperand } from './operand.ts';
import {
  EMPTY_STRING,
  iriValue,
  isNumeric,
  langStringValue,
  stringValue,
  type TripleParts,
  tripleValue,
  typedValue,
  type Value,
} from './value.ts';
import { KIND } from './value-kind.ts';

function isLiteral(value: Value): boolean {
  return value.kind >= KIND.string;
}

/** Section 17.4.2.5: defined for literals and IRIs only. */
function str(value: Value): Value | undefined {
  if (value.kind === KIND.string) return value;
  return value.kind === KIND.iri || isLiteral(value) ? stringValue(value.lexical) : undefined;
}

/** Section 17.4.2.6. */
function lang(value: Value): Value | undefined {
  if (!isLiteral(value)) return undefined;
  return value.language === '' ? EMPTY_STRING : stringValue(value.language);
}

/** SPARQL 1.2: returns the base direction, or an empty string. */
function langdir(value: Value): Value | undefined {
  if (!isLiteral(value)) return undefined;
  return value.direction === '' ? EMPTY_STRING : stringValue(value.direction);
}

/** Section 17.4.2.7. */
function datatype(value: Value): Value | undefined {
  return isLiteral(value) ? iriValue(value.datatype) : undefined;
}

/**
 * Section 17.4.2.8: resolves a simple literal against the base; returns an IRI unchanged. The
 * result must be an absolute IRI.
 */
function iri(value: Value, { baseIri, limits = DEFAULT_REQUEST_LIMITS }: EvaluationContext): Value | undefined {
  if (value.kind === KIND.iri) return value;
  if (value.kind !== KIND.string) return undefined;
  // As in a text: a longer one would take tens of milliseconds to resolve and check.
  if (value.lexical.length > limits.maxIriLength) throw limitExceeded('maxIriLength', limits);
  const resolved = baseIri === undefined ? value.lexical : resolveIri(value.lexical, baseIri);
  return isAbsoluteIri(resolved) ? iriValue(resolved) : undefined;
}

const iriRow = textMaker(
  form(1, 1, (parts, context) => {
    const { evaluate } = parts[0];
    return valueOperand((row) => {
      const value = evaluate(row);
      return value === undefined ? undefined : iri(value, context);
    }, parts);
  }),
);

/**
 * Section 17.4.2.9: with an argument, returns the same node for the same string within one
 * solution.
 */
const bnode = form(0, 1, (parts, context) => {
  if (parts.length === 0)
    return valueOperand((row) => context.blankNode(undefined, row), parts, { deterministic: false });
  const { evaluate } = parts[0];
  return valueOperand(
    (row) => {
      const label = evaluate(row);
      return label?.kind === KIND.string ? context.blankNode(label.lexical, row) : undefined;
    },
    parts,
    { deterministic: false },
  );
});

/** Section 17.4.2.10. A language string requires a language, so its datatypes are errors here. */
function strdt(lexical: Value, type: Value): Value | undefined {
  if (lexical.kind !== KIND.string || type.kind !== KIND.iri) return undefined;
  if (type.lexical === RDF_LANG_STRING || type.lexical === RDF_DIR_LANG_STRING) return undefined;
  return typedValue(lexical.lexical, type.lexical);
}

/** Section 17.4.2.11. */
function strlang(lexical: Value, tag: Value): Value | undefined {
  if (lexical.kind !== KIND.string || tag.kind !== KIND.string || !isLanguageTag(tag.lexical)) return undefined;
  return langStringValue(lexical.lexical, tag.lexical, '');
}

const strlangdir: FunctionRow = form(3, 3, (parts) => {
  const [first, second, third] = parts.map((part) => part.evaluate);
  return valueOperand((row) => {
    const lexical = first(row);
    const tag = second(row);
    const direction = third(row);
    if (lexical?.kind !== KIND.string || tag?.kind !== KIND.string || direction?.kind !== KIND.string) return undefined;
    if (!isLanguageTag(tag.lexical)) return undefined;
    return direction.lexical === 'ltr' || direction.lexical === 'rtl'
      ? langStringValue(lexical.lexical, tag.lexical, direction.lexical)
      : undefined;
  }, parts);
});

/** Section 17.4.3.13 LANGMATCHES: basic filtering of RFC 4647 section 3.3.1. */
function langMatches(tag: Value, range: Value): boolean | undefined {
  if (tag.kind !== KIND.string || range.kind !== KIND.string) return undefined;
  if (range.lexical === '*') return tag.lexical !== '';
  const language = tag.lexical.toLowerCase();
  const wanted = range.lexical.toLowerCase();
  return language === wanted || (wanted !== '' && language.startsWith(`${wanted}-`));
}

/** Creates a row for a function that returns a new UUID for each call. */
function uuidRow(make: (uuid: string) => Value): FunctionRow {
  return form(0, 0, (parts, context: EvaluationContext) =>
    valueOperand(() => make(context.uuid()), parts, { deterministic: false }),
  );
}

/**
 * SPARQL 1.2: creates a triple term. The subject must be an IRI or a blank node, the predicate an
 * IRI (RDF 1.2 Concepts 3.1).
 */
const triple = form(3, 3, (parts) => {
  const [first, second, third] = parts.map((part) => part.evaluate);
  return valueOperand((row) => {
    const subject = first(row);
    const predicate = second(row);
    const object = third(row);
    if (subject === undefined || predicate === undefined || object === undefined) return undefined;
    const isSubject = subject.kind === KIND.iri || subject.kind === KIND.blank;
    return isSubject && predicate.kind === KIND.iri ? tripleValue(subject, predicate, object) : undefined;
  }, parts);
});

function partOfTriple(part: keyof TripleParts): FunctionRow {
  return unary((value) => (value.kind === KIND.triple ? (value.exact as TripleParts)[part] : undefined));
}

/** Section 17.4.2, and the SPARQL 1.2 functions on triple terms and directions. */
export const TERM_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['ISIRI', unaryTest((value) => value.kind === KIND.iri)],
  ['ISURI', unaryTest((value) => value.kind === KIND.iri)],
  ['ISBLANK', unaryTest((value) => value.kind === KIND.blank)],
  ['ISLITERAL', unaryTest(isLiteral)],
  ['ISNUMERIC', unaryTest(isNumeric)],
  ['STR', unary(str)],
  ['LANG', unary(lang)],
  ['LANGDIR', unary(langdir)],
  ['HASLANG', unaryTest((value) => value.language !== '')],
  ['HASLANGDIR', unaryTest((value) => value.direction !== '')],
  ['DATATYPE', unary(datatype)],
  ['IRI', iriRow],
  ['URI', iriRow],
  ['BNODE', bnode],
  ['STRDT', binary(strdt)],
  ['STRLANG', binary(strlang)],
  ['STRLANGDIR', strlangdir],
  ['LANGMATCHES', binaryTest(langMatches)],
  ['UUID', uuidRow((uuid) => iriValue(`urn:uuid:${uuid}`))],
  ['STRUUID', uuidRow(stringValue)],
  ['TRIPLE', triple],
  ['SUBJECT', partOfTriple('subject')],
  ['PREDICATE', partOfTriple('predicate')],
  ['OBJECT', partOfTriple('object')],
  ['ISTRIPLE', unaryTest((value) => value.kind === KIND.triple)],
];
