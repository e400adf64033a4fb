import { dataFactory } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { expectSameAnswer } from '../src/answer-comparison.ts';
import { answerFromResultSet, answerFromXml } from '../src/expected-answer.ts';
import { ManifestGraph } from '../src/manifest-graph.ts';
import { answerFromJson, type QueryAnswer } from '../src/query-answer.ts';
import { isOrdered } from '../src/query-order.ts';

const json = (vars: string[], ...bindings: Record<string, { type: string; value: string; datatype?: string }>[]) =>
  answerFromJson({ head: { vars }, results: { bindings } } as never);
const iri = (value: string) => ({ type: 'uri', value });
const integer = (value: string) => ({
  type: 'literal',
  value,
  datatype: 'http://www.w3.org/2001/XMLSchema#integer',
});

const compare = (actual: QueryAnswer, expected: QueryAnswer, ordered = false) =>
  expectSameAnswer(actual, expected, { ordered });

describe('expectSameAnswer', () => {
  it('compares solutions as a bag, and as a sequence when ordered', () => {
    const ab = json(['x'], { x: iri('urn:a') }, { x: iri('urn:b') });
    const ba = json(['x'], { x: iri('urn:b') }, { x: iri('urn:a') });
    expect(() => compare(ab, ba)).not.toThrow();
    expect(() => compare(ab, ba, true)).toThrow(/order/);
    expect(() => compare(ab, json(['x'], { x: iri('urn:a') }))).toThrow('expected 1 rows, got 2; unexpected <urn:b>');
  });

  it('compares the lexical forms of integers, not their values', () => {
    expect(() => compare(json(['x'], { x: integer('1') }), json(['x'], { x: integer('01') }))).toThrow(/missing "01"/);
  });

  it('compares decimals by value', () => {
    const decimal = (value: string) => ({ ...integer(value), datatype: 'http://www.w3.org/2001/XMLSchema#decimal' });
    expect(() => compare(json(['x'], { x: decimal('2.0') }), json(['x'], { x: decimal('2') }))).not.toThrow();
    expect(() => compare(json(['x'], { x: decimal('2.0') }), json(['x'], { x: decimal('2.01') }))).toThrow(
      /^expected 1 rows, got 1; missing "2.01"/,
    );
  });

  it('tells unbound from bound, and other variables', () => {
    expect(() => compare(json(['x', 'y'], { x: iri('urn:a') }), json(['y', 'x'], { x: iri('urn:a') }))).not.toThrow();
    expect(() => compare(json(['x']), json(['x', 'y']))).toThrow('expected the variables x y, got x');
    expect(() => compare(json(['x'], {}), json(['x'], { x: iri('urn:a') }))).toThrow(/unexpected UNDEF/);
  });

  it('does not take one kind of answer for another', () => {
    expect(() => compare({ type: 'boolean', value: true }, json([]))).toThrow(/type bindings, got boolean/);
    expect(() => compare({ type: 'boolean', value: true }, { type: 'boolean', value: false })).toThrow(
      /expected false/,
    );
  });

  it('compares the quads of CONSTRUCT by isomorphism', () => {
    const quads = (...labels: string[]): QueryAnswer => ({
      type: 'quads',
      quads: labels.map((label) =>
        dataFactory.quad(dataFactory.blankNode(label), dataFactory.namedNode('urn:p'), dataFactory.literal('x')),
      ),
    });
    expect(() => compare(quads('a', 'a'), quads('b'))).not.toThrow();
    expect(() => compare(quads('a', 'c'), quads('b'))).toThrow(/expected 1 rows, got 2/);
  });
});

describe('the readers of expected results', () => {
  const xml = (body: string) =>
    `<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/><variable name="y"/></head>${body}</sparql>`;

  it('read SPARQL XML, JSON and rs: result sets alike', async () => {
    const fromXml = await answerFromXml(
      xml(`<results><result><binding name="x"><literal datatype="http://www.w3.org/2001/XMLSchema#integer">1</literal></binding></result>
           <result><binding name="x"><bnode>z</bnode></binding><binding name="y"><uri>urn:a</uri></binding></result></results>`),
    );
    const fromJson = json(['x', 'y'], { x: integer('1') }, { x: { type: 'bnode', value: 'q' }, y: iri('urn:a') });
    const graph = new ManifestGraph(
      `PREFIX rs: <http://www.w3.org/2001/sw/DataAccess/tests/result-set#>
       <urn:set> a rs:ResultSet ; rs:resultVariable "x", "y" ;
         rs:solution [ rs:index 2 ; rs:binding [ rs:variable "x" ; rs:value _:n ], [ rs:variable "y" ; rs:value <urn:a> ] ],
                     [ rs:index 1 ; rs:binding [ rs:variable "x" ; rs:value 1 ] ] .`,
      'urn:base:',
    );
    const fromGraph = answerFromResultSet(graph, dataFactory.namedNode('urn:set'));
    expect(() => compare(fromXml, fromJson, true)).not.toThrow();
    expect(() => compare(fromGraph, fromJson, true)).not.toThrow();
  });

  it('read booleans', async () => {
    expect(await answerFromXml(xml('<boolean>true</boolean>'))).toEqual({ type: 'boolean', value: true });
    expect(answerFromJson({ head: { vars: [] }, boolean: false })).toEqual({ type: 'boolean', value: false });
  });
});

describe('isOrdered', () => {
  it.each([
    ['SELECT * { ?s ?p ?o } ORDER BY ?s', true],
    ['SELECT * { ?s ?p ?o }\norder  by DESC(?s) LIMIT 1', true],
    ['SELECT * { { SELECT * { ?s ?p ?o } ORDER BY ?s LIMIT 2 } }', false],
    ['SELECT * { ?s ?p "}" } # ORDER BY ?s', false],
    ['PREFIX e: <http://e.org/#order> SELECT * { ?s ?p "ORDER BY" }', false],
    ['PREFIX e: <http://e.org/#> SELECT * { ?s ?p "}" } ORDER BY ?s', true],
  ])('%s: %s', (query, expected) => {
    expect(isOrdered(query)).toBe(expected);
  });
});
