import { stripVTControlCharacters } from 'node:util';
import type { SparqlSelectResults, SparqlValue } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { ShortNames } from '../src/prefixes.ts';
import { MEASURED_ROWS, type ResultsTableOptions, resultsTable } from '../src/results-table.ts';
import { termText } from '../src/term-text.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const literal = (value: string, more: object = {}): SparqlValue => ({ type: 'literal', value, ...more });

const NAMES = new ShortNames({
  ex: 'http://example.org/ns#',
  exa: 'http://example.org/ns#a',
  '': 'urn:empty:',
  foaf: 'urn:other-foaf:',
});

const TERMS: readonly { term: SparqlValue; text: string }[] = [
  { term: { type: 'uri', value: 'http://example.org/' }, text: '<http://example.org/>' },
  { term: { type: 'uri', value: 'http://example.org/ns#name' }, text: 'ex:name' },
  { term: { type: 'uri', value: 'http://example.org/ns#' }, text: 'ex:' },
  // The longest namespace that fits; a name that needs escapes stays an IRI.
  { term: { type: 'uri', value: 'http://example.org/ns#abc' }, text: 'exa:bc' },
  { term: { type: 'uri', value: 'http://example.org/ns#b/c' }, text: '<http://example.org/ns#b/c>' },
  { term: { type: 'uri', value: 'http://example.org/ns#b.' }, text: '<http://example.org/ns#b.>' },
  { term: { type: 'uri', value: 'http://example.org/ns#-b' }, text: '<http://example.org/ns#-b>' },
  { term: { type: 'uri', value: 'urn:empty:x' }, text: ':x' },
  // Well known, unless the query says otherwise.
  { term: { type: 'uri', value: 'http://www.w3.org/2000/01/rdf-schema#label' }, text: 'rdfs:label' },
  { term: { type: 'uri', value: 'http://xmlns.com/foaf/0.1/name' }, text: '<http://xmlns.com/foaf/0.1/name>' },
  { term: { type: 'bnode', value: 'b0' }, text: '_:b0' },
  { term: literal('say "a\\b"'), text: '"say \\"a\\\\b\\""' },
  { term: literal('hej', { 'xml:lang': 'sv' }), text: '"hej"@sv' },
  { term: literal('a', { 'xml:lang': 'ar', 'its:dir': 'rtl' }), text: '"a"@ar--rtl' },
  { term: literal('x', { datatype: 'http://example.org/ns#t' }), text: '"x"^^ex:t' },
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
    expect(termText(term, NAMES)).toBe(text);
  });
});

/** The table of a result that arrives in pieces of a few characters. */
async function tableOf(answer: unknown, options?: ResultsTableOptions): Promise<string> {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  let table = '';
  for await (const part of resultsTable(text.match(/.{1,7}/gs)!, options)) table += part;
  return table;
}

it('knows no variable that is not bound, whatever it is called', async () => {
  const text =
    '{"head":{"vars":["__proto__","constructor"]},"results":{"bindings":[{},{"__proto__":{"type":"bnode","value":"b"}}]}}';
  const lines = (await tableOf(text)).split('\n');
  expect(lines.slice(2)).toEqual(['          |', '_:b       |', '2 rows', '']);
});

it('counts solutions without variables, and writes answers of ASK', async () => {
  expect(await tableOf({ head: { vars: [] }, results: { bindings: [{}] } })).toBe('1 row\n');
  expect(await tableOf({ head: { vars: ['s'] }, results: { bindings: [] } })).toBe('s\n-\n0 rows\n');
  expect(await tableOf({ head: {}, boolean: true })).toBe('true\n');
});

it('writes IRIs by the prefixes of the query, in a terminal cut and in colours', async () => {
  const answer: SparqlSelectResults = {
    head: { vars: ['s', 'o'] },
    results: {
      bindings: [
        {
          s: { type: 'uri', value: 'http://example.org/a/rather/long/iri/that/ends/in/what/matters' },
          o: { type: 'uri', value: 'http://example.org/ns#name' },
        },
        { s: { type: 'bnode', value: 'b' }, o: literal('A text that is longer than the terminal is wide') },
      ],
    },
  };
  const plain = await tableOf(answer, { prefixes: { ex: 'http://example.org/ns#' }, style: { width: 40 } });
  expect(plain.split('\n')).toEqual(
    [
      's                  | o                  ',
      '-------------------+-------------------',
      '<http://e…matters> | ex:name',
      '_:b                | "A text that is l…',
      '2 rows',
      '',
    ].map((line) => line.trimEnd()),
  );
  const painted = await tableOf(answer, {
    prefixes: { ex: 'http://example.org/ns#' },
    style: { width: 40, colors: true },
  });
  expect(painted).toContain('\u001b[36mex:name\u001b[39m');
  expect(painted).toContain('\u001b[35m_:b\u001b[39m');
  expect(stripVTControlCharacters(painted)).toBe(plain);
});

it('holds only the rows that determine the widths, however many arrive', async () => {
  const row = (i: number) =>
    `${i > 0 ? ',' : ''}{"n":{"type":"literal","value":"${i}"},"o":{"type":"bnode","value":"b"}}`;
  let read = 0;
  const pieces = function* () {
    yield '{"head":{"vars":["n","o"]},"results":{"bindings":[';
    for (; read < 20_000; read++) yield row(read);
    yield ']}}';
  };
  let mostHeld = 0;
  let mostBehind = 0;
  let written = 0;
  let last = '';
  const onHeld = (rows: number) => {
    mostHeld = Math.max(mostHeld, rows);
  };
  for await (const text of resultsTable(pieces(), { onHeld })) {
    written += text.split('\n').length - 1;
    // Two lines are the head.
    mostBehind = Math.max(mostBehind, read - (written - 2));
    last = text;
  }
  expect([mostHeld, last, written]).toEqual([MEASURED_ROWS, '20000 rows\n', 20_003]);
  expect(mostBehind).toBeLessThanOrEqual(MEASURED_ROWS);
});

it('a wide cell after the measured rows is cut only for a terminal', async () => {
  const wide = 'x'.repeat(30);
  const bindings = Array.from({ length: MEASURED_ROWS + 1 }, (_, i) => ({
    n: { type: 'literal', value: i < MEASURED_ROWS ? 'y' : wide },
    o: { type: 'bnode', value: 'b' },
  }));
  const answer = { head: { vars: ['n', 'o'] }, results: { bindings } };
  expect((await tableOf(answer)).split('\n').at(-3)).toBe(`"${wide}" | _:b`);
  expect((await tableOf(answer, { style: { width: 40 } })).split('\n').at(-3)).toBe('"x\u2026 | _:b');
});
