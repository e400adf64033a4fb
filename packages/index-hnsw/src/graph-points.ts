import type { HnswGraph } from './hnswlib.ts';

const INITIAL_POINTS = 1024;

export interface GraphOptions {
  readonly m: number;
  readonly efConstruction: number;
  readonly randomSeed: number;
}

/**
 * The points of an HNSW graph by key. Each vector gets its own label, which is never reused:
 * hnswlib gives the slot of a deleted point to a new one and would confuse the two if they shared a
 * label.
 */
export class GraphPoints {
  private readonly makeGraph: () => HnswGraph;
  private readonly options: GraphOptions;
  private graph: HnswGraph | undefined;
  private readonly labelOf = new Map<number, number>();
  private readonly keyOf = new Map<number, number>();
  private nextLabel = 0;
  /** The number of points that the graph has capacity for. */
  private room = 0;

  constructor(makeGraph: () => HnswGraph, options: GraphOptions) {
    this.makeGraph = makeGraph;
    this.options = options;
  }

  /** Adds or replaces a point. `point` must have length 1. */
  set(key: number, point: number[]): void {
    this.delete(key);
    const graph = this.grown();
    const label = this.nextLabel++;
    // Reuses the slot of a deleted point, if there is one.
    graph.addPoint(point, label, true);
    this.labelOf.set(key, label);
    this.keyOf.set(label, key);
  }

  delete(key: number): void {
    const label = this.labelOf.get(key);
    if (label === undefined) return;
    this.labelOf.delete(key);
    this.keyOf.delete(label);
    if (this.labelOf.size > 0) {
      this.graph!.markDelete(label);
      return;
    }
    // An empty graph is replaced by a new one.
    this.graph = undefined;
    this.room = 0;
  }

  /** Returns the keys of the approximately nearest points, in any order. */
  nearest(point: number[], count: number, ef: number, allows: ((key: number) => boolean) | undefined): Uint32Array {
    if (!this.graph) return new Uint32Array(0);
    this.graph.setEf(ef);
    const filter = allows && ((label: number) => allows(this.keyOf.get(label)!));
    const { neighbors } = this.graph.searchKnn(point, Math.min(count, this.labelOf.size), filter);
    return Uint32Array.from(neighbors, (label) => this.keyOf.get(label)!);
  }

  /**
   * Estimates the memory of hnswlib: the vector, 2 * m links on the lowest level, and some on the
   * others.
   */
  memoryBytes(dimensions: number): number {
    return this.room * (dimensions * 4 + this.options.m * 10 + 24) + this.labelOf.size * 80;
  }

  private grown(): HnswGraph {
    if (!this.graph) {
      this.room = INITIAL_POINTS;
      this.graph = this.makeGraph();
      this.graph.initIndex({ maxElements: this.room, ...this.options, allowReplaceDeleted: true });
    } else if (this.labelOf.size === this.room) {
      this.room *= 2;
      this.graph.resizeIndex(this.room);
    }
    return this.graph;
  }
}
