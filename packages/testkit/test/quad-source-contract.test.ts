import { dataFactory } from '@rdf-worlds/core';
import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  type QuadBatch,
  type QuadCursor,
  type QuadSource,
} from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../test/turn.ts';
import { type MakeQuadSource, naiveDataset, quadSourceContract, registerContract } from '../src/index.ts';
import { firstFailedCase } from './first-failed-case.ts';

/**
 * Blank nodes of different worlds are different: they get labels of their own, as a store gives
 * them.
 */
function separated(worlds: readonly (readonly RDF.Quad[])[]): RDF.Quad[][] {
  const rename = (world: number) => {
    const term = (old: RDF.Term): RDF.Term => {
      if (old.termType === 'BlankNode') return dataFactory.blankNode(`w${world}b${old.value}`);
      return old.termType === 'Quad' ? quad(old) : old;
    };
    const quad = (old: RDF.BaseQuad): RDF.Quad =>
      dataFactory.quad(
        term(old.subject) as RDF.Quad_Subject,
        term(old.predicate) as RDF.Quad_Predicate,
        term(old.object) as RDF.Quad_Object,
        term(old.graph) as RDF.Quad_Graph,
      );
    return quad;
  };
  return worlds.map((quads, world) => quads.map(rename(world)));
}

const make: MakeQuadSource = async (worlds) => ({ source: naiveDataset(separated(worlds)) });

describe('the contract of a quad source, on the naive model', () => {
  registerContract(quadSourceContract(make), it);
});

/** A source with some of its members replaced. */
function altered(source: QuadSource, changes: (source: QuadSource) => Partial<QuadSource>): QuadSource {
  const members: QuadSource = {
    terms: source.terms,
    graphs: source.graphs,
    count: (...pattern) => source.count(...pattern),
    estimate: (...pattern) => source.estimate(...pattern),
    cursor: () => source.cursor(),
    dataset: (...graphs) => altered(source.dataset(...graphs), changes),
    merged: () => altered(source.merged(), changes),
  };
  return { ...members, ...changes(source) };
}

function alteredCursor(source: QuadSource, next: (cursor: QuadCursor, batch: QuadBatch) => number): () => QuadCursor {
  return () => {
    const cursor = source.cursor();
    return { seek: (...pattern) => cursor.seek(...pattern), next: (batch) => next(cursor, batch) };
  };
}

/** Mistakes that a store could make; each must be noticed by some case. */
const MISTAKES: Readonly<Record<string, (source: QuadSource) => Partial<QuadSource>>> = {
  'counts one too many': (source) => ({ count: (...pattern) => source.count(...pattern) + 1 }),
  'estimates too low': (source) => ({ estimate: (...pattern) => source.estimate(...pattern) >> 1 }),
  'forgets a graph': (source) => ({ graphs: source.graphs.slice(1) }),
  'lists graphs in no order': (source) => ({ graphs: source.graphs.slice().reverse() }),
  'takes the default graph for a named one': (source) => ({
    count: (s, p, o, g) => source.count(s, p, o, g === ANY_NAMED_GRAPH ? NO_TERM : g),
  }),
  'ignores FROM': (source) => ({ dataset: () => source }),
  'forgets FROM NAMED': (source) => ({ dataset: (defaultGraphs) => source.dataset(defaultGraphs, []) }),
  'merges the named graphs only': (source) => ({ merged: () => source.dataset([...source.graphs], []) }),
  'gives a batch backwards': (source) => ({
    cursor: alteredCursor(source, (cursor, batch) => {
      const length = cursor.next(batch);
      for (const column of [batch.subject, batch.predicate, batch.object, batch.graph])
        column.subarray(0, length).reverse();
      return length;
    }),
  }),
  'ends with a batch that is not full': (source) => {
    return {
      cursor: () => {
        const cursor = source.cursor();
        let ended = false;
        return {
          seek(...pattern) {
            ended = false;
            cursor.seek(...pattern);
          },
          next(batch) {
            if (ended) {
              batch.length = 0;
              return 0;
            }
            ended = batch.capacity < 10;
            return cursor.next(batch);
          },
        };
      },
    };
  },
  'forgets the length of a batch': (source) => ({
    cursor: alteredCursor(source, (cursor, batch) => {
      const length = cursor.next(batch);
      batch.length = batch.capacity;
      return length;
    }),
  }),
  'shares one cursor': (source) => {
    const cursor = source.cursor();
    return { cursor: () => cursor };
  },
  'merges the graphs of a pattern': (source) => ({
    cursor: alteredCursor(source, (cursor, batch) => {
      const length = cursor.next(batch);
      batch.graph.fill(DEFAULT_GRAPH, 0, length);
      return length;
    }),
  }),
};

describe('the contract of a quad source notices a store that', () => {
  for (const [name, changes] of inTurn(Object.entries(MISTAKES), 3)) {
    it(name, async () => {
      const broken: MakeQuadSource = async (worlds) => ({
        source: altered(naiveDataset(separated(worlds)), changes),
      });
      expect(await firstFailedCase(quadSourceContract(broken))).toBeDefined();
    });
  }

  it('takes equal labels of two worlds for one node', async () => {
    const broken: MakeQuadSource = async (worlds) => ({ source: naiveDataset(worlds) });
    expect(await firstFailedCase(quadSourceContract(broken))).toBeDefined();
  });

  it('gives a triple of two worlds twice', async () => {
    const broken: MakeQuadSource = async (worlds) => {
      const source = naiveDataset(separated(worlds));
      const all = source.match(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
      const twice = alteredCursor(source, (cursor, batch) => {
        const length = cursor.next(batch);
        if (length === 0 || length === batch.capacity || all.length < 2) return length;
        for (const column of [batch.subject, batch.predicate, batch.object, batch.graph])
          column[length] = column[length - 1];
        batch.length = length + 1;
        return length + 1;
      });
      return { source: altered(source, () => ({ cursor: twice })) };
    };
    expect(await firstFailedCase(quadSourceContract(broken))).toBeDefined();
  });
});
