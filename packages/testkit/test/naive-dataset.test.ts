import { dataFactory } from '@rdf-worlds/core';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, QuadBatch } from '@rdf-worlds/core/plugin';
import { describe, expect, it } from 'vitest';
import { NaiveTermSource, NaiveUpdateView, naiveDataset, quadKey, randomQuads, SeededRandom } from '../src/index.ts';
import { shortQuads, shortTerm } from '../src/sparql/short-quads.ts';

const lines = (dataset: Iterable<Parameters<typeof quadKey>[0]>) => [...dataset].map((quad) => quadKey(quad)).sort();

describe('naiveDataset', () => {
  const worlds = [shortQuads('a p b', 'a p c g', 'a p b'), shortQuads('a p b', 'd p e g', 'd p e h')];

  it('merges worlds and counts every quad once, but estimates each world', () => {
    const dataset = naiveDataset(worlds, { emptyGraphs: [shortTerm('empty')] });
    expect(dataset.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM)).toBe(4);
    expect(dataset.count(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH)).toBe(1);
    expect(dataset.count(NO_TERM, NO_TERM, NO_TERM, ANY_NAMED_GRAPH)).toBe(3);
    expect(dataset.estimate(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH)).toBe(2);
    expect(dataset.graphs.length).toBe(3);
  });

  it('gives quads in the order of the unbound positions', () => {
    const dataset = naiveDataset([randomQuads(1, { graphs: 0 })]);
    const [subject, predicate, object] = dataset.match(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH)[7];
    const columns = (pattern: [number, number, number], ...positions: number[]) =>
      dataset.match(...pattern, DEFAULT_GRAPH).map((row) => positions.map((position) => row[position]));
    const ascending = (rows: number[][]) =>
      rows.every((row, index) => index === 0 || compare(rows[index - 1], row) < 0);
    const compare = (left: number[], right: number[]): number => {
      const at = left.findIndex((id, index) => id !== right[index]);
      return at < 0 ? 0 : left[at] - right[at];
    };
    expect(ascending(columns([0, 0, 0], 0, 1, 2))).toBe(true);
    expect(ascending(columns([subject, 0, 0], 1, 2))).toBe(true);
    expect(ascending(columns([0, predicate, 0], 2, 0))).toBe(true);
    expect(ascending(columns([0, 0, object], 0, 1))).toBe(true);
  });

  it('fills batches, and seeks again', () => {
    const cursor = naiveDataset(worlds).cursor();
    const batch = new QuadBatch(3);
    cursor.seek(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
    expect([cursor.next(batch), cursor.next(batch), cursor.next(batch)]).toEqual([3, 1, 0]);
    cursor.seek(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH);
    expect([cursor.next(batch), batch.length, cursor.next(batch)]).toEqual([1, 1, 0]);
  });

  it('makes the dataset of FROM and FROM NAMED', () => {
    const dataset = naiveDataset(worlds);
    const id = (name: string) => dataset.terms.intern(shortTerm(name));
    expect(lines(dataset.dataset([id('g'), id('none')], [id('h')]))).toEqual(
      shortQuads('a p c', 'd p e', 'd p e h')
        .map((quad) => quadKey(quad))
        .sort(),
    );
    expect([...dataset.dataset([], [id('h')]).graphs]).toEqual([id('h')]);
  });
});

describe('NaiveTermSource', () => {
  it('knows terms by what they are', () => {
    const terms = new NaiveTermSource();
    const id = terms.intern(dataFactory.literal('x', 'EN'));
    expect(terms.find(dataFactory.literal('x', 'en'))).toBe(id);
    expect(terms.find(dataFactory.literal('x'))).toBe(NO_TERM);
    expect(terms.find(dataFactory.defaultGraph())).toBe(DEFAULT_GRAPH);
    expect(terms.kind(id)).toBe('literal');
    expect(terms.blankNode()).not.toBe(terms.blankNode());
    expect(() => terms.term(NO_TERM)).toThrow(RangeError);
    expect(() => terms.intern(dataFactory.variable('x'))).toThrow(TypeError);
  });
});

describe('NaiveUpdateView', () => {
  it('drops, deletes, creates, then inserts, in the target alone', async () => {
    const view = new NaiveUpdateView([shortQuads('a p 1', 'a p 2 g', 'a p 3 h'), shortQuads('b p 1')]);
    const id = (name: string) => view.source.terms.intern(shortTerm(name));
    const columns = (...rows: string[][]) => ({
      length: rows.length,
      subject: Uint32Array.from(rows.map((row) => id(row[0]))),
      predicate: Uint32Array.from(rows.map((row) => id(row[1]))),
      object: Uint32Array.from(rows.map((row) => id(row[2]))),
      graph: Uint32Array.from(rows.map((row) => (row[3] ? id(row[3]) : DEFAULT_GRAPH))),
    });
    await view.apply({
      droppedGraphs: [id('g'), id('h')],
      createdGraphs: [id('g')],
      deleted: columns(['a', 'p', '1'], ['b', 'p', '1']),
      inserted: columns(['a', 'p', '1'], ['a', 'p', '9', 'i']),
    });
    expect(lines(view.target)).toEqual(lines(shortQuads('a p 1', 'a p 9 i')));
    expect([...view.targetGraphs].sort()).toEqual([id('g'), id('i')].sort());
    expect(view.hasTargetGraph(id('h'))).toBe(false);
    expect(lines(view.source)).toEqual(lines(shortQuads('a p 1', 'a p 9 i', 'b p 1')));
  });
});

describe('randomQuads', () => {
  it('gives the same quads for the same seed, and others for another', () => {
    expect(lines(randomQuads(5))).toEqual(lines(randomQuads(5)));
    expect(lines(randomQuads(5))).not.toEqual(lines(randomQuads(6)));
  });

  it('mixes what can be mixed', () => {
    const quads = randomQuads(1, { length: 2000, tripleTerms: true });
    const types = (terms: { termType: string }[]) => [...new Set(terms.map((term) => term.termType))].sort();
    expect(types(quads.map((quad) => quad.subject))).toEqual(['BlankNode', 'NamedNode']);
    expect(types(quads.map((quad) => quad.object))).toEqual(['BlankNode', 'Literal', 'NamedNode', 'Quad']);
    expect(types(quads.map((quad) => quad.graph))).toEqual(['BlankNode', 'DefaultGraph', 'NamedNode']);
  });

  it('keeps away from what is not asked for', () => {
    const quads = randomQuads(1, { length: 500, blankNodes: false, graphs: 0 });
    expect(quads.some((quad) => quadKey(quad).includes('_:'))).toBe(false);
    expect(quads.every((quad) => quad.graph.termType === 'DefaultGraph')).toBe(true);
  });
});

describe('SeededRandom', () => {
  it('is even enough', () => {
    const random = new SeededRandom(3);
    const counts = new Array<number>(10).fill(0);
    for (let round = 0; round < 10_000; round++) counts[random.below(10)]++;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
