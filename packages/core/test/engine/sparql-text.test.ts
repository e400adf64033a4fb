import { HOSTILE_STRINGS, termKey } from '@rdf-worlds/testkit';
import type * as RDF from '@rdfjs/types';
// Of Comunica's dependencies: a parser that this library has no part in.
import { Parser } from '@traqula/parser-sparql-1-2';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBindings, toTerm } from '../../src/engine/term-value.ts';
import { dataFactory, type SparqlText, sparql, type TermValue } from '../../src/index.ts';

const { namedNode, blankNode, literal, quad, variable, defaultGraph } = dataFactory;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const parser = new Parser();

interface SyntaxTerm {
  readonly subType: string;
  readonly value: string;
  readonly langOrIri?: string | SyntaxTerm;
  readonly subject: SyntaxTerm;
  readonly predicate: SyntaxTerm;
  readonly object: SyntaxTerm;
}

function termOf(node: SyntaxTerm): RDF.Term {
  if (node.subType === 'namedNode') return namedNode(node.value);
  if (node.subType === 'triple')
    return quad(termOf(node.subject) as never, termOf(node.predicate) as never, termOf(node.object) as never);
  expect(node.subType).toBe('literal');
  if (node.langOrIri === undefined) return literal(node.value);
  if (typeof node.langOrIri !== 'string') return literal(node.value, namedNode(node.langOrIri.value));
  const [language, direction] = node.langOrIri.split('--');
  return literal(node.value, { language, direction: direction as 'ltr' | undefined });
}

/**
 * The object of the one triple that a query must consist of: anything else means that a value broke
 * out of its place.
 */
function objectOf(text: SparqlText): RDF.Term {
  const { where } = parser.parse(text.toString()) as unknown as {
    where: { patterns: { triples: { object: SyntaxTerm }[] }[] };
  };
  expect(where.patterns).toHaveLength(1);
  expect(where.patterns[0].triples).toHaveLength(1);
  return termOf(where.patterns[0].triples[0].object);
}

const written = (value: TermValue) => objectOf(sparql`SELECT * WHERE { <urn:s> <urn:p> ${value} }`);
const refused = (field?: string) =>
  expect.objectContaining({ code: 'INVALID_ARGUMENT', ...(field && { message: expect.stringContaining(field) }) });

const HOSTILE = [
  ...HOSTILE_STRINGS,
  '\\u0022 } ; DROP ALL #',
  '\\U00000022',
  '\\\\u005C"',
  '\\',
  '\\\\',
  '"""',
  "'''",
  '"^^<urn:x>',
  '"@en',
  '\u0008\u000b\u000c\u007f\u0085\u2028\u2029',
  '{}?$#',
];

describe('a value in a sparql text is one term', () => {
  it.each(HOSTILE)('the string %j', (text) => {
    for (const value of [
      text,
      literal(text),
      literal(text, 'en-GB'),
      literal(text, namedNode('urn:type')),
      quad(namedNode('urn:a'), namedNode('urn:b'), literal(text)),
    ]) {
      expect(termKey(written(value))).toBe(termKey(typeof value === 'string' ? literal(value) : value));
    }
  });

  it('any string', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc
        .array(fc.constantFrom('\\', '"', "'", 'u', 'U', '0022', '005C', '\n', '\r', '{', '}', '#', '>', '^^', '@'), {
          maxLength: 12,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (value) => {
        if (value.isWellFormed()) expect(written(value).value).toBe(value);
        else expect(() => written(value)).toThrow(refused());
      }),
      { numRuns: 400 },
    );
  });

  it('any IRI, or it is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (tail) => {
        const node = namedNode(`urn:${tail}`);
        let text: SparqlText;
        try {
          text = sparql`SELECT * WHERE { <urn:s> <urn:p> ${node} }`;
        } catch (error) {
          expect(error).toEqual(refused());
          // biome-ignore lint/suspicious/noControlCharactersInRegex: what IRIREF forbids
          expect(!tail.isWellFormed() || /[<>"{}|^`\\\u0000-\u0020]/.test(tail)).toBe(true);
          return;
        }
        expect(objectOf(text)).toEqual(node);
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    [true, literal('true', namedNode(`${XSD}boolean`))],
    [0, literal('0', namedNode(`${XSD}integer`))],
    [-5, literal('-5', namedNode(`${XSD}integer`))],
    [Number.MAX_SAFE_INTEGER, literal('9007199254740991', namedNode(`${XSD}integer`))],
    [12345678901234567890n, literal('12345678901234567890', namedNode(`${XSD}integer`))],
    [new Date(0), literal('1970-01-01T00:00:00.000Z', namedNode(`${XSD}dateTime`))],
    [Number.NaN, literal('NaN', namedNode(`${XSD}double`))],
    [Number.POSITIVE_INFINITY, literal('INF', namedNode(`${XSD}double`))],
    [Number.NEGATIVE_INFINITY, literal('-INF', namedNode(`${XSD}double`))],
    [literal('x', 'EN'), literal('x', 'EN')],
    [literal('01', namedNode(`${XSD}integer`)), literal('01', namedNode(`${XSD}integer`))],
    [literal('x', { language: 'ar', direction: 'rtl' }), literal('x', { language: 'ar', direction: 'rtl' })],
  ])('%s', (value, expected) => {
    expect(termKey(written(value))).toBe(termKey(expected));
  });

  it.each([0.1, -1.5, 1e21, -1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, -0])(
    'the number %s, whose lexical form is an xsd:double',
    (value) => {
      const term = written(value) as RDF.Literal;
      expect(term.datatype.value).toBe(`${XSD}double`);
      // XSD 1.1 Datatypes 3.3.5.2
      expect(term.value).toMatch(/^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([Ee][+-]?[0-9]+)?$/);
      expect(Number(term.value)).toBe(value);
    },
  );

  it.each(['0000-01-01', '-000001-06-15', '-002021-01-01', '+012345-01-01', '+275760-09-13', '9999-12-31'])(
    'the day %s, whose lexical form is an xsd:dateTime',
    (day) => {
      const { value } = written(new Date(`${day}T00:00:00.000Z`));
      // XSD 1.1 Datatypes 3.3.7.1: no plus sign, and no more than four digits when the first is 0.
      expect(value).toMatch(/^-?([1-9][0-9]{3,}|0[0-9]{3})-[0-9]{2}-[0-9]{2}T00:00:00\.000Z$/);
      expect(value.replace('-', '')).toContain(String(Math.abs(new Date(`${day}T00:00:00.000Z`).getUTCFullYear())));
    },
  );

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['an object', {}],
    ['an array', ['x']],
    ['a function', () => 'x'],
    ['a symbol', Symbol('x')],
    ['an invalid date', new Date(Number.NaN)],
    ['a blank node', blankNode('b')],
    ['a blank node in a triple term', quad(namedNode('urn:a'), namedNode('urn:b'), blankNode('c'))],
    ['a variable', variable('x } ; DROP ALL')],
    ['the default graph', defaultGraph()],
    ['a lone surrogate', '\ud83d'],
    ['a literal with a lone surrogate', literal('\ude00', 'en')],
    ['a relative IRI', namedNode('x')],
    ['an IRI with a bracket', namedNode('urn:x> <urn:y')],
    ['a language with a line end', literal('x', 'en\n.')],
    ['a language with a space', literal('x', 'en } ; DROP ALL #')],
    ['a direction that is none', literal('x', { language: 'en', direction: 'rtl } ; DROP ALL #' as never })],
    ['a relative datatype', literal('x', namedNode('t'))],
    ['a datatype with a bracket', literal('x', namedNode('urn:t> <urn:y'))],
  ])('but %s is refused', (_, value) => {
    expect(() => sparql`SELECT * WHERE { <urn:s> <urn:p> ${value as never} }`).toThrow(refused());
  });

  it('names the value that is wrong', () => {
    expect(() => sparql`SELECT ${namedNode('urn:x')} ${undefined as never}`).toThrow(refused('value 2'));
  });
});

describe('a sparql text', () => {
  it('goes into another one as it is', () => {
    const pattern = sparql`?s ?p ${'x'}`;
    expect(sparql`SELECT * { ${pattern} }`.toString()).toBe('SELECT * { ?s ?p "x" }');
    expect(sparql``.toString()).toBe('');
  });

  it('cannot be forged by an object of the same form', () => {
    const forged = { toString: () => '} ; DROP ALL #', text: '} ; DROP ALL #' };
    expect(() => sparql`SELECT * { ${forged as never} }`).toThrow(refused());
  });

  it('reads backslashes as JavaScript does, and rejects invalid escapes', () => {
    expect(sparql`"\\n"`.toString()).toBe('"\\n"');
    // A tagged template gives undefined for these.
    expect(() => sparql`FILTER(REGEX(?x, "\u"))`).toThrow(refused());
  });
});

describe('values', () => {
  it('are terms of the same kind for bindings', () => {
    const day = new Date(0);
    const bindings = toBindings(
      new Map<string, unknown>([
        ['a', 'x'],
        ['?b', 1],
        ['$c', day],
        ['__proto__', namedNode('urn:x')],
      ]),
    )!;
    expect([...bindings.keys()]).toEqual(['a', 'b', 'c', '__proto__']);
    expect(bindings.get('a')).toEqual(literal('x'));
    expect(bindings.get('b')).toEqual(toTerm(1, 'b'));
    expect(bindings.get('__proto__')).toEqual(namedNode('urn:x'));
    const own = toBindings(JSON.parse('{"__proto__": "x", "constructor": 5}'))!;
    expect([...own.keys()]).toEqual(['__proto__', 'constructor']);
    expect(toBindings(undefined)).toBeUndefined();
  });

  it('that are not RDF terms are rejected with the name of their variable', () => {
    expect(() => toBindings({ good: 1, bad: undefined })).toThrow(refused('bindings.bad'));
    expect(() => toBindings(new Map([['?bad', null]]))).toThrow(refused('bindings.bad'));
  });
});
