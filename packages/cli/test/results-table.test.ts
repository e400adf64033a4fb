import type { SparqlSelectResults, SparqlValue } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { resultsTable } from '../src/results-table.ts';
import { termText } from '../src/term-text.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const literal = (value: string, more: object = {}): SparqlValue => ({ type: 'literal', value, ...more });

const TERMS: readonly { term: SparqlValue; text: string }[] = [
  { term: { type: 'uri', value: 'http://example.org/' }, text: '<http://example.org/>' },
  { term: { type: 'bnode', value: 'b0' }, text: '_:b0' },
  { term: literal('say "a\\b"'), text: '"say \\"a\\\\b\\""' },
  { term: literal('hej', { 'xml:lang': 'sv' }), text: '"hej"@sv' },
  { term: literal('007', { datatype: `${XSD}integer` }), text: '007' },
  { term: literal('seven', { datatype: `${XSD}integer` }), text: '"seven"^^xsd:integer' },
  { term: literal('1.50', { datatype: `${XSD}decimal` }), text: '1.50' },
  { term: literal('1', { datatype: `${XSD}boolean` }), text: '"1"^^xsd:boolean' },
  { term: literal('x', { datatype: 'http://example.org/t' }), text: '"x"^^<http://example.org/t>' },
  {
    term: {
      type: 'triple',
      value: { subject: { type: 'bnode', value: 's' }, predicate: { type: 'uri', value: 'p:p' }, object: literal('o') },
    },
    text: '<<( _:s <p:p> "o" )>>',
  },
];

describe('termText', () => {
  it.each(TERMS)('$text', ({ term, text }) => {
    expect(termText(term)).toBe(text);
  });
});

it('knows no variable that is not bound, whatever it is called', () => {
  const text =
    '{"head":{"vars":["__proto__","constructor"]},"results":{"bindings":[{},{"__proto__":{"type":"bnode","value":"b"}}]}}';
  const lines = resultsTable(JSON.parse(text) as SparqlSelectResults).split('\n');
  expect(lines.slice(2)).toEqual(['          |', '_:b       |', '2 rows', '']);
});

it('counts solutions without variables', () => {
  expect(resultsTable({ head: { vars: [] }, results: { bindings: [{}] } })).toBe('1 row\n');
});
