import { defaultVectorIndex } from '@rdf-worlds/core';
import type { DocSet } from '@rdf-worlds/core/plugin';

/** The rows that a search may return. */
export interface VectorFilter {
  readonly docs: DocSet;
  /** 1 for each permitted row. */
  readonly isAllowed: Uint8Array;
}

export interface VectorSystem {
  readonly name: string;
  set(row: number, vector: Float32Array): void;
  /** Returns the nearest rows, nearest first. */
  search(query: Float32Array, limit: number, filter: VectorFilter | undefined): Promise<readonly number[]>;
}

export interface VectorSystemKind {
  readonly name: string;
  open(dimensions: number, count: number): Promise<VectorSystem>;
}

/** The vector index of the core. */
export const OWN_VECTORS: VectorSystemKind = {
  name: 'RDF Worlds',
  async open(dimensions) {
    const index = await defaultVectorIndex(dimensions);
    return {
      name: 'RDF Worlds',
      set: (row, vector) => index.set(row, vector),
      async search(query, limit, filter) {
        const hits = await index.search(query, { limit, ...(filter && { filter: filter.docs }) });
        return hits.map(({ key }) => key);
      },
    };
  },
};

interface HnswGraph {
  initIndex(maxElements: number, m: number, efConstruction: number, randomSeed: number): void;
  addPoint(point: number[], label: number): void;
  setEf(ef: number): void;
  searchKnn(point: number[], count: number, filter?: (label: number) => boolean): { neighbors: number[] };
}
export interface HnswModule {
  readonly HierarchicalNSW: new (space: 'cosine', dimensions: number) => HnswGraph;
}

/** The settings of hnswlib's documentation, except for `ef`, which yields a recall of about .96. */
export const HNSW = { m: 16, efConstruction: 200, ef: 128, seed: 100 } as const;

export function hnswVectors({ HierarchicalNSW }: HnswModule): VectorSystemKind {
  const name = 'hnswlib-node';
  return {
    name,
    async open(dimensions, count) {
      const graph = new HierarchicalNSW('cosine', dimensions);
      graph.initIndex(count, HNSW.m, HNSW.efConstruction, HNSW.seed);
      graph.setEf(HNSW.ef);
      return {
        name,
        set: (row, vector) => graph.addPoint(Array.from(vector), row),
        async search(query, limit, filter) {
          const isAllowed = filter?.isAllowed;
          const only = isAllowed && ((row: number) => isAllowed[row] === 1);
          return graph.searchKnn(Array.from(query), limit, only).neighbors;
        },
      };
    },
  };
}
