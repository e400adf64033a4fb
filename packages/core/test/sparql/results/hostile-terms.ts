import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { isAbsoluteIri } from '../../../src/model/iri.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { XSD } from '../../../src/model/vocabulary.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;

/** Any characters, with a leaning to those that mean something in one syntax or another. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(...'"\'\\\n\r\t\b\f<>{}&;,:._ é\u0000\u0007\u007f\u0085\u2028\ufffe\u{1f600}'),
    maxLength: 8,
  }),
  fc.constantFrom(
    '',
    ' ',
    '  x  ',
    ']]>',
    '<![CDATA[',
    '&amp;',
    '&#0;',
    '","',
    '""',
    '\r\n',
    '\\u0041',
    '__proto__',
    '\ufeff',
    '_:b',
    '<x:y>',
  ),
);

const iri = fc
  .tuple(fc.constantFrom('http://ex/', 'urn:', 'x:'), hostileText)
  .map((parts) => parts.join(''))
  .filter(isAbsoluteIri)
  .map((value) => namedNode(value));
const blank = fc.constantFrom('a', 'g1', 'b0', 'b0000000000000000000000000z', 'x_1').map((label) => blankNode(label));
const datatype = fc.oneof(
  fc
    .constantFrom('integer', 'decimal', 'double', 'float', 'boolean', 'string', 'date')
    .map((name) => namedNode(XSD + name)),
  iri,
);
const lexical = fc.oneof(
  hostileText,
  fc.stringMatching(/^[+-]?[0-9]{0,3}\.?[0-9]{0,3}([eE][+-]?[0-9]{1,2})?$/),
  fc.constantFrom('true', 'false', 'INF', 'NaN', '01', '+1', '1.', '.5', '1e', '1 '),
);
const language = fc.constantFrom('en', 'EN-gb', 'de-AT-1996');
const anyLiteral = fc.oneof(
  fc.tuple(lexical, datatype).map(([value, type]) => literal(value, type)),
  fc.tuple(hostileText, language).map(([value, tag]) => literal(value, tag)),
  fc
    .tuple(hostileText, language, fc.constantFrom('ltr' as const, 'rtl' as const))
    .map(([value, tag, direction]) => literal(value, { language: tag, direction })),
);

/** Any term that a variable can be bound to, triple terms within triple terms included. */
export const hostileTerm: fc.Arbitrary<RDF.Term> = fc.letrec<{ term: RDF.Term; triple: RDF.Term }>((tie) => ({
  term: fc.oneof({ depthSize: 'small' }, iri, blank, anyLiteral, tie('triple')),
  triple: fc
    .tuple(fc.oneof(iri, blank), iri, tie('term'))
    .map(([subject, predicate, object]) => quad(subject, predicate, object as RDF.Quad_Object)),
})).term;

/** XML 1.0 section 2.2, production Char, character by character. */
export function isXmlText(text: string): boolean {
  return Array.from(text, (character) => character.codePointAt(0)!).every(
    (code) =>
      code === 0x9 ||
      code === 0xa ||
      code === 0xd ||
      (code >= 0x20 && code <= 0xd7ff) ||
      (code >= 0xe000 && code <= 0xfffd) ||
      code >= 0x10000,
  );
}

/** Whether every text within a term is XML text. */
export function isXmlTerm(term: RDF.Term): boolean {
  switch (term.termType) {
    case 'Quad':
      return [term.subject, term.predicate, term.object].every(isXmlTerm);
    case 'Literal':
      return isXmlText(term.value) && isXmlText(term.datatype.value);
    default:
      return isXmlText(term.value);
  }
}
