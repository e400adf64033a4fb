import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { Parser } from 'n3';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { rowsMatch } from '../src/row-matching.ts';
import { quadRows } from '../src/term-cells.ts';

const quads = (text: string) => new Parser({ format: 'application/trig' }).parse(text) as RDF.Quad[];
const match = (left: string, right: string) => rowsMatch(quadRows(quads(left)), quadRows(quads(right)));

describe('rowsMatch', () => {
  const cases: readonly [string, string[][], string[][], boolean][] = [
    ['nothing', [], [], true],
    ['ground rows in another order', [['<a>'], ['<b>']], [['<b>'], ['<a>']], true],
    ['a row more often', [['<a>'], ['<a>']], [['<a>']], false],
    ['other multiplicities', [['<a>'], ['<a>'], ['<b>']], [['<a>'], ['<b>'], ['<b>']], false],
    ['other labels', [['_:x', '<a>']], [['_:y', '<a>']], true],
    ['one node for two', [['_:x'], ['_:x']], [['_:x'], ['_:y']], false],
    ['two nodes for one', [['_:x', '_:y']], [['_:x', '_:x']], false],
    ['a node against an IRI', [['_:x']], [['<x>']], false],
    ['unbound against bound', [['']], [['<x>']], false],
    [
      'labels that are swapped across rows',
      [
        ['_:x', '<a>'],
        ['_:y', '<b>'],
        ['_:x', '_:y'],
      ],
      [
        ['_:y', '<a>'],
        ['_:x', '<b>'],
        ['_:y', '_:x'],
      ],
      true,
    ],
    [
      'an edge turned round',
      [
        ['_:x', '_:y'],
        ['_:x', '<a>'],
      ],
      [
        ['_:y', '_:x'],
        ['_:x', '<a>'],
      ],
      false,
    ],
  ];
  it.each(cases)('%s', (_, left, right, expected) => {
    expect(rowsMatch(left, right)).toBe(expected);
    expect(rowsMatch(right, left)).toBe(expected);
  });

  const edge = (from: number, to: number) => `_:n${from} <urn:p> _:n${to} .`;
  const ring = (nodes: number[]) =>
    nodes.map((node, index) => edge(node, nodes[(index + 1) % nodes.length])).join('\n');

  it('tells one ring of six from two rings of three, where refinement alone sees no difference', () => {
    expect(match(ring([1, 2, 3, 4, 5, 6]), ring([1, 2, 3]) + ring([4, 5, 6]))).toBe(false);
    expect(match(ring([1, 2, 3]) + ring([4, 5, 6]), ring([1, 3, 5]) + ring([2, 6, 4]))).toBe(true);
  });

  it('pairs many interchangeable nodes without trying their permutations', () => {
    const rows = Array.from({ length: 60 }, (_, index) => [`_:b${index}`, '<a>']);
    expect(rowsMatch(rows, rows.slice().reverse())).toBe(true);
  });

  const term = fc.oneof(
    fc.constantFrom('<urn:a>', '<urn:b>'),
    fc.nat(3).map((label) => `_:n${label}`),
  );
  const graph = fc.array(fc.tuple(term, fc.constantFrom('<urn:p>', '<urn:q>'), term), { maxLength: 7 });
  const text = (triples: readonly (readonly string[])[]) => triples.map((triple) => `${triple.join(' ')} .`).join('\n');

  it('agrees with rdf-isomorphic on small graphs', () => {
    fc.assert(
      fc.property(graph, graph, (left, right) => {
        expect(match(text(left), text(right))).toBe(isomorphic(quads(text(left)), quads(text(right))));
      }),
      { numRuns: 300 },
    );
  });

  it('knows a graph again with its nodes renamed and its triples shuffled', () => {
    fc.assert(
      fc.property(graph, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (triples, names) => {
        const renamed = text([...triples].reverse()).replace(/_:n(\d)/g, (_, label) => `_:n${names[Number(label)]}`);
        expect(match(text(triples), renamed)).toBe(true);
      }),
    );
  });
});
