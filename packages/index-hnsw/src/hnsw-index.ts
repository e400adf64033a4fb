import { exactVectorIndex, WorldsError } from '@rdf-worlds/core';
import {
  type DocSet,
  docSetHas,
  requireKnownFields,
  throwIfAborted,
  type VectorHit,
  type VectorIndex,
  type VectorIndexFactory,
  type VectorSearchOptions,
} from '@rdf-worlds/core/plugin';
import { GraphPoints } from './graph-points.ts';
import { loadHnswlib } from './hnswlib.ts';

/** Options of {@link hnswIndex}, all integers. */
export interface HnswIndexOptions {
  /** Links per point; 16 by default. More links improve recall and take more memory. */
  readonly m?: number | undefined;
  /**
   * Number of points examined to link a new one; 200 by default. Larger values improve recall and
   * slow down building.
   */
  readonly efConstruction?: number | undefined;
  /** Number of points that a search examines, at least as many as it must find; 100 by default. */
  readonly efSearch?: number | undefined;
  /** Up to this many vectors there is no graph, and every vector is compared; 2,000 by default. */
  readonly exactUpTo?: number | undefined;
  /** Seed of the random numbers that assign points to levels; 100 by default. */
  readonly randomSeed?: number | undefined;
}

/**
 * If a filter leaves less than this share of the vectors, they are compared one by one: a graph
 * search would visit most points to find them.
 */
const FILTER_SHARE = 0.1;

/**
 * A VectorIndex on the HNSW graphs of hnswlib-node. In addition to the graph it keeps the vectors,
 * for exact similarities, so it takes about twice their memory. Throws INVALID_ARGUMENT for invalid
 * options; the factory throws UNSUPPORTED if hnswlib-node cannot be loaded.
 */
export function hnswIndex(options: HnswIndexOptions = {}): VectorIndexFactory {
  requireKnownFields(options, ['m', 'efConstruction', 'efSearch', 'exactUpTo', 'randomSeed'], 'hnswIndex');
  const { m = 16, efConstruction = 200, efSearch = 100, exactUpTo = 2000, randomSeed = 100 } = options;
  for (const [name, value, least] of [
    ['m', m, 2],
    ['efConstruction', efConstruction, 1],
    ['efSearch', efSearch, 1],
    ['exactUpTo', exactUpTo, 0],
    ['randomSeed', randomSeed, 0],
  ] as const)
    if (!Number.isInteger(value) || value < least)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `hnswIndex: ${name} is ${value}; pass an integer of at least ${least}.`,
      );
  return async (dimensions) => {
    const exact = await exactVectorIndex(dimensions);
    const makeGraph = await loadHnswlib();
    const points = new GraphPoints(() => makeGraph(dimensions), { m, efConstruction, randomSeed });
    return new HnswIndex(exact, points, { efSearch, exactUpTo });
  };
}

class HnswIndex implements VectorIndex {
  private readonly exact: VectorIndex;
  private readonly points: GraphPoints;
  private readonly efSearch: number;
  private readonly exactUpTo: number;

  constructor(exact: VectorIndex, points: GraphPoints, options: { efSearch: number; exactUpTo: number }) {
    this.exact = exact;
    this.points = points;
    this.efSearch = options.efSearch;
    this.exactUpTo = options.exactUpTo;
  }

  get size(): number {
    return this.exact.size;
  }

  get dimensions(): number {
    return this.exact.dimensions;
  }

  get memoryBytes(): number {
    return (this.exact.memoryBytes ?? 0) + this.points.memoryBytes(this.dimensions);
  }

  has(key: number): boolean {
    return this.exact.has(key);
  }

  set(key: number, vector: Float32Array): void {
    // First, because it rejects vectors that must not enter the graph.
    this.exact.set(key, vector);
    this.points.set(key, unit(vector));
  }

  delete(key: number): boolean {
    if (!this.exact.delete(key)) return false;
    this.points.delete(key);
    return true;
  }

  async search(vector: Float32Array, options: VectorSearchOptions): Promise<VectorHit[]> {
    const { limit, filter, exact, signal } = options;
    throwIfAborted(signal);
    const allowed = Math.min(this.size, filter?.size ?? Infinity);
    const few = exact || allowed <= this.exactUpTo || allowed < this.size * FILTER_SHARE;
    // For a vector without direction all vectors are equally near, which a graph search cannot
    // handle. The exact search also rejects invalid vectors.
    if (few || limit * 2 > allowed || !(limit >= 1) || vector.length !== this.dimensions || !hasDirection(vector))
      return this.exact.search(vector, options);
    const keys = this.points.nearest(unit(vector), limit, Math.max(this.efSearch, limit * 2), asFunction(filter));
    keys.sort();
    // Recomputes similarities and ties from the vectors themselves.
    const found: DocSet = { kind: 'sorted', ids: keys, size: keys.length };
    return this.exact.search(vector, { ...options, filter: found });
  }
}

const asFunction = (filter: DocSet | undefined) => filter && ((key: number) => docSetHas(filter, key));

const hasDirection = (vector: Float32Array) => vector.some((component) => component !== 0);

/**
 * Returns the vector scaled to length 1; the zero vector unchanged. Uses doubles, so that no square
 * overflows.
 */
function unit(vector: Float32Array): number[] {
  let square = 0;
  for (const component of vector) square += component * component;
  const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
  return Array.from(vector, (component) => component * scale);
}
