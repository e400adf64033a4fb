import { describe, expect, it } from 'vitest';
import { namesItsDataset, sparqlForm } from '../src/sparql-text.ts';

describe('sparqlForm', () => {
  it.each([
    ['', 'blank'],
    [' \n\t ', 'blank'],
    ['SELECT * {}', 'select'],
    ['select*{}', 'select'],
    ['ASK{}', 'ask'],
    ['CONSTRUCT WHERE {}', 'construct'],
    ['DESCRIBE <urn:a>', 'construct'],
    ['# INSERT\nSELECT * {}', 'select'],
    ['# SELECT\r\nINSERT DATA {}', 'update'],
    ['PREFIX select: <urn:insert> INSERT DATA {}', 'update'],
    ['PREFIX : <http://e/#SELECT> DELETE WHERE {}', 'update'],
    ['BASE <http://e/#x> PREFIX ask: <urn:a> # SELECT\n ASK {}', 'ask'],
    ['VERSION "1.2" SELECT * {}', 'select'],
    ['WITH<urn:g>DELETE{}WHERE{}', 'update'],
    ['PREFIX a: <urn:a>', 'update'],
    ['# nothing but a comment', 'update'],
    ['\\u0049NSERT DATA {}', 'update'],
    ['\\u0053ELECT * {}', 'select'],
    ['SELEC * {}', 'select'],
    ['{}', 'update'],
  ])('%j is %s', (text, form) => {
    expect(sparqlForm(text)).toBe(form);
  });

  it.each(['LOAD', 'CLEAR', 'DROP', 'CREATE', 'ADD', 'MOVE', 'COPY', 'INSERT', 'DELETE'])(
    '%s begins an update',
    (word) => {
      expect(sparqlForm(`${word.toLowerCase()} <urn:a>`)).toBe('update');
    },
  );
});

describe('namesItsDataset', () => {
  it.each([
    ['INSERT {} USING <urn:g> WHERE {}', true],
    ['INSERT {} using named<urn:g> WHERE {}', true],
    ['INSERT DATA {} ; with <urn:g> DELETE {} WHERE {}', true],
    ['INSERT DATA { <urn:USING> <urn:p> "USING" }', false],
    ["INSERT DATA { <urn:s> <urn:p> '''it's USING \\''' WITH''' }", false],
    ['INSERT DATA { <urn:s> <urn:p> """WITH "" USING""" }', false],
    ['INSERT { ?using ?with "x"@with } WHERE { ?using with:using ?with # USING\n }', false],
    ['INSERT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?o < 5 && ?o > 3) }', false],
    ['INSERT { ?s ?p ?o } WHERE { FILTER(?o<5) } ; WITH <urn:g> DELETE WHERE {}', true],
    ['INSERT DATA { <urn:s> <urn:p> "never closed USING', false],
  ])('%j: %s', (text, expected) => {
    expect(namesItsDataset(text)).toBe(expected);
  });

  it('reads a long text to its end', () => {
    // In steps that grow with the square of it this would not end before the test does.
    expect(namesItsDataset(`INSERT DATA { <urn:s> <urn:p> "${'a\\"<'.repeat(250_000)}" }`)).toBe(false);
    expect(namesItsDataset('<'.repeat(500_000))).toBe(false);
  });
});
