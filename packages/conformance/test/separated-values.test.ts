import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { expectSameRows } from '../src/answer-comparison.ts';
import { readCsv, readTsv, rowsAsCsv, rowsAsTsv } from '../src/separated-values.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const typed = (value: string, type: string) => dataFactory.literal(value, dataFactory.namedNode(XSD + type));
const answer = {
  type: 'bindings' as const,
  variables: ['s', 'o'],
  solutions: [
    new Map<string, RDF.Term>([
      ['s', dataFactory.namedNode('urn:a')],
      ['o', dataFactory.literal('x,"y"')],
    ]),
    new Map<string, RDF.Term>([['s', dataFactory.blankNode('k')]]),
    new Map<string, RDF.Term>([
      ['s', dataFactory.namedNode('urn:a')],
      ['o', typed('1.0E6', 'double')],
    ]),
    new Map<string, RDF.Term>([
      ['s', dataFactory.namedNode('urn:a')],
      ['o', typed('4', 'integer')],
    ]),
  ],
};

describe('readCsv', () => {
  it('reads quoted fields, empty fields and both line ends', () => {
    expect(readCsv('s,o\r\n"a,""b""\r\nc",\nx,y')).toEqual({
      variables: ['s', 'o'],
      rows: [
        ['a,"b"\r\nc', ''],
        ['x', 'y'],
      ],
    });
  });

  it('refuses anything that is not CSV', () => {
    expect(() => readCsv('s\r\n"open')).toThrow(/malformed/);
  });

  it('compares with solutions by their strings', () => {
    const { rows } = readCsv('s,o\r\nurn:a,"x,""y"""\r\n_:b0,\r\nurn:a,1.0E6\r\nurn:a,4\r\n');
    expect(() => expectSameRows(rowsAsCsv(answer, answer.variables), rows, { ordered: true })).not.toThrow();
  });
});

describe('readTsv', () => {
  it('compares with solutions by their terms', () => {
    const { variables, rows } = readTsv('?s\t?o\n<urn:a>\t"x,\\"y\\""\n_:b0\t\n<urn:a>\t1.0E6\n<urn:a>\t4\n');
    expect(variables).toEqual(['s', 'o']);
    expect(() => expectSameRows(rowsAsTsv(answer, answer.variables), rows, { ordered: true })).not.toThrow();
  });

  it('tells a number from a string', () => {
    const { rows } = readTsv('?s\t?o\n<urn:a>\t"x,\\"y\\""\n_:b0\t\n<urn:a>\t1.0E6\n<urn:a>\t"4"\n');
    expect(() => expectSameRows(rowsAsTsv(answer, answer.variables), rows, { ordered: true })).toThrow(
      /missing <urn:a> "4"\^\^<.*string>/,
    );
  });
});
