import type { TermId } from '../contracts/term-source.ts';
import type { VectorIndex, VectorIndexFactory } from '../contracts/vector-index.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { CheckedEmbedder } from './checked-embedder.ts';
import { IdMap } from './id-map.ts';

/** Vectors of one model: the index, and the literals waiting for their vector. */
export class VectorGeneration {
  readonly embedder: CheckedEmbedder;
  /** Length of the texts that the model was trained on; Infinity for a model without training. */
  readonly learntFrom: number;
  index: VectorIndex | undefined;
  /** Used as a set; the values have no meaning. */
  readonly waiting = new IdMap();
  private readonly factory: VectorIndexFactory;

  constructor(embedder: CheckedEmbedder, factory: VectorIndexFactory, learntFrom: number) {
    this.embedder = embedder;
    this.factory = factory;
    this.learntFrom = learntFrom;
  }

  /** Memory in bytes; for an index that does not report its own, that of the vectors. */
  get memoryBytes(): number {
    const { index } = this;
    const vectors = index ? (index.memoryBytes ?? index.size * index.dimensions * 4) : 0;
    return vectors + this.waiting.memoryBytes;
  }

  add(literal: TermId): void {
    if (!this.index?.has(literal)) this.waiting.set(literal, 0);
  }

  remove(literal: TermId): void {
    this.waiting.delete(literal);
    this.index?.delete(literal);
  }

  /**
   * Opens the index, once. Throws UNSUPPORTED if the factory creates an index of other dimensions.
   */
  async openIndex(): Promise<VectorIndex> {
    if (this.index) return this.index;
    const { id, dimensions } = this.embedder;
    const index = await this.factory(dimensions);
    if (index.dimensions !== dimensions)
      throw new WorldsError(
        'UNSUPPORTED',
        `The vector index has ${index.dimensions} dimensions, the embedder "${id}" has ${dimensions}; its factory must create an index of the given dimensions.`,
      );
    this.index = index;
    return index;
  }
}
