import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RDF_FORMATS } from '../../src/formats/rdf-formats.ts';
import { ncNameStart } from '../../src/formats/xml-name.ts';
import { isAbsoluteIri } from '../../src/model/iri.ts';
import { dataFactory } from '../../src/model/term.ts';
import { ITS, XSD } from '../../src/model/vocabulary.ts';
import { ArraySource } from './array-source.ts';
import { lines, readDocument, writtenText } from './documents.ts';

const { namedNode, blankNode, literal, defaultGraph, quad } = dataFactory;

/** Any characters, with a leaning to those that mean something in one syntax or another. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(...'"\'\\\n\r\t\b\f<>{}|^`&;:.,@#_-()[]/?%=!*~$+ é\u00a0\u2028\u0000\u007f\u{1f600}'),
    maxLength: 12,
  }),
  fc.constantFrom(
    '"""',
    "'''",
    '\\u0041',
    '" .\n<urn:injected> <urn:p> <urn:o> .\n#',
    ']}',
    '__proto__',
    '@id',
    '\ue000p',
    '\ufeff',
    '\u0085',
  ),
);
const iri = fc
  .tuple(
    fc.constantFrom('http://ex/', 'http://ex/ns#', 'urn:', 'x:', 'http://ex/a.', 'http:', 'HTTP://ex/../', '_x:'),
    hostileText,
  )
  .map((parts) => parts.join(''))
  .filter(isAbsoluteIri)
  .map((value) => namedNode(value));
// The labels that a store gives out are ASCII.
const blank = fc.constantFrom('a', 'g1', 'b0', 'n3-0', 'x_1', '0', 'a.b').map((label) => blankNode(label));
const datatype = fc.oneof(
  fc.constantFrom('integer', 'decimal', 'double', 'boolean', 'string', 'date').map((name) => namedNode(XSD + name)),
  iri,
  fc.constant(namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON')),
);
const lexical = fc.oneof(
  hostileText,
  fc.stringMatching(/^[+-]?[0-9]{0,3}\.?[0-9]{0,3}([eE][+-]?[0-9]{1,2})?$/),
  fc.constantFrom('true', 'false', 'TRUE', 'INF', 'NaN', '1', '{}'),
);
const language = fc.constantFrom('en', 'EN-gb', 'de-AT-1996', 'x');
const plainLiteral = fc.oneof(
  fc.tuple(lexical, datatype).map(([value, type]) => literal(value, type)),
  fc.tuple(hostileText, language).map(([value, tag]) => literal(value, tag)),
);
const directedLiteral = fc
  .tuple(hostileText, language, fc.constantFrom('ltr' as const, 'rtl' as const))
  .map(([value, tag, direction]) => literal(value, { language: tag, direction }));
const type = fc.constant(namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type'));
const subject = fc.oneof(iri, blank);
const predicate = fc.oneof(iri, type);
const object = fc.oneof(iri, blank, plainLiteral);
const tripleTerm = fc
  .tuple(
    subject,
    predicate,
    fc.oneof(
      object,
      fc.tuple(subject, predicate, object).map((terms) => quad(...terms)),
    ),
  )
  .map((terms) => quad(...terms));
const graph = fc.oneof(fc.constant(defaultGraph()), iri, blank);
const prefixes = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      '',
      'ex',
      'a',
      'is',
      'of',
      'has',
      'id',
      'true',
      'prefix',
      'PREFIX',
      'graph',
      'x',
      '__proto__',
      'its',
    ),
    hostileText,
  ),
  fc.oneof(fc.constantFrom('http://ex/', 'http://ex/ns#', 'urn:', 'x:', 'http://ex/a.', ITS), hostileText),
  { noNullPrototype: false },
);

interface Limits {
  readonly tripleTerms: boolean;
  readonly directions: boolean;
  readonly holds?: (quad: RDF.Quad) => boolean;
}

/** What a format cannot represent, with the reason. Everything else must round-trip unchanged. */
const CANNOT_HOLD = new Map<string, Limits>([
  // No triple terms in JSON-LD 1.1; its conversion to RDF ignores base directions (JSON-LD 1.1 API
  // section 8.6.1).
  ['application/ld+json', { tripleTerms: true, directions: true }],
  // The predicates of RDF/XML are XML names, and its text has the characters of XML 1.0 alone.
  ['application/rdf+xml', { tripleTerms: false, directions: false, holds: rdfXmlHolds }],
]);

function rdfXmlHolds({ subject, predicate, object }: RDF.Quad): boolean {
  if (object.termType === 'Quad' && !rdfXmlHolds(object)) return false;
  const texts = [subject, predicate, object].flatMap((term) =>
    term.termType === 'Literal' ? [term.value, term.datatype.value] : [term.value],
  );
  // A store's labels of blank nodes begin with a letter.
  const labels = [subject, object].filter(({ termType }) => termType === 'BlankNode').map(({ value }) => value);
  const local = ncNameStart(predicate.value);
  return (
    local < predicate.value.length &&
    // A no-break space at the end of a namespace would be trimmed off.
    !/\s$/.test(predicate.value.slice(0, local)) &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 section 2.2 excludes them
    !texts.some((text) => /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) &&
    labels.every((label) => !/^[0-9]/.test(label))
  );
}

const rows = RDF_FORMATS.flatMap(({ name, mediaType, namedGraphs, read, write }) =>
  read && write ? [{ name, mediaType, namedGraphs, read, write }] : [],
);

describe.each(rows)('$name', ({ mediaType, namedGraphs, read, write }) => {
  it('reads its own output, for any data', async () => {
    const cannot = CANNOT_HOLD.get(mediaType);
    const prefix = /n-quads|n-triples/.test(mediaType) ? '' : 'd';
    const objects = [
      object,
      ...(cannot?.tripleTerms ? [] : [tripleTerm]),
      ...(cannot?.directions ? [] : [directedLiteral]),
    ];
    const quads = fc.array(
      fc
        .tuple(subject, predicate, fc.oneof(...objects), graph)
        .map((terms) => quad(...terms))
        .filter((row) => cannot?.holds?.(row) ?? true),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(quads, prefixes, fc.integer({ min: 1, max: 100 }), async (dataset, names, chunkSize) => {
        const text = await writtenText(write, new ArraySource(dataset), { prefixes: names });
        const expected = namedGraphs ? dataset : dataset.filter((row) => row.graph.termType === 'DefaultGraph');
        expect(lines(withPlainLabels(await readDocument(read, text, { chunkSize }), prefix))).toEqual(lines(expected));
      }),
      { numRuns: 300 },
    );
  });
});

/** The readers that hand over terms put a `d` before the labels of a document. */
function withPlainLabels(quads: readonly RDF.Quad[], prefix: string): RDF.Quad[] {
  const plain = <Term extends RDF.Term>(term: Term): Term => {
    if (term.termType === 'BlankNode') {
      expect(term.value.startsWith(prefix)).toBe(true);
      return blankNode(term.value.slice(prefix.length)) as RDF.Term as Term;
    }
    if (term.termType !== 'Quad') return term;
    const { subject, predicate, object } = term as RDF.Quad;
    return quad(plain(subject), plain(predicate), plain(object)) as RDF.Term as Term;
  };
  return quads.map((row) => quad(plain(row.subject), plain(row.predicate), plain(row.object), plain(row.graph)));
}
