import {
  type DocSet,
  docSetHas,
  exactVectorIndex,
  requireKnownFields,
  throwIfAborted,
  type VectorHit,
  type VectorIndex,
  type VectorIndexFactory,
  type VectorSearchOptions,
  WorldsError,
} from '@rdf-worlds/core';
import { GraphPoints } from './graph-points.ts';
import { loadHnswlib } from './hnswlib.ts';

export interface HnswIndexOptions {
  /** Links of a point; 16 by default. More find more and take more memory. */
  readonly m?: number | undefined;
  /**
   * How many points are looked at to link a new one; 200 by default. More find more and take more
   * time to build.
   */
  readonly efConstruction?: number | undefined;
  /** How many points a search looks at, at least as many as it is to find; 100 by default. */
  readonly efSearch?: number | undefined;
  /** Up to so many vectors there is no graph: every vector is compared; 2,000 by default. */
  readonly exactUpTo?: number | undefined;
  /** Of the chance that levels of points are drawn by; 100 by default. */
  readonly randomSeed?: number | undefined;
}

/**
 * A filter that leaves less than this share of the vectors is compared one by one: the graph would
 * go through most of its points to find them.
 */
const FILTER_SHARE = 0.1;

/**
 * A VectorIndex on the HNSW graphs of hnswlib-node. Beside the graph it keeps the vectors for exact
 * similarities, so it takes about twice their memory. Throws INVALID_ARGUMENT for options that make
 * no sense; the factory throws UNSUPPORTED when hnswlib-node cannot be loaded.
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
        `hnswIndex: ${name} is ${value}; give an integer of at least ${least}.`,
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
    // First, for it refuses what must not get into the graph.
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
    // Without a direction nothing is nearer than anything else, which a graph cannot tell. What is
    // no vector is refused there.
    if (few || limit * 2 > allowed || !(limit >= 1) || vector.length !== this.dimensions || !hasDirection(vector))
      return this.exact.search(vector, options);
    const keys = this.points.nearest(unit(vector), limit, Math.max(this.efSearch, limit * 2), asFunction(filter));
    keys.sort();
    // Similarities and ties are those of the vectors themselves.
    const found: DocSet = { kind: 'sorted', ids: keys, size: keys.length };
    return this.exact.search(vector, { ...options, filter: found });
  }
}

const asFunction = (filter: DocSet | undefined) => filter && ((key: number) => docSetHas(filter, key));

const hasDirection = (vector: Float32Array) => vector.some((component) => component !== 0);

/** The vector with length 1; the zero vector as it is. In doubles: no square overflows. */
function unit(vector: Float32Array): number[] {
  let square = 0;
  for (const component of vector) square += component * component;
  const scale = square === 0 ? 0 : 1 / Math.sqrt(square);
  return Array.from(vector, (component) => component * scale);
}
