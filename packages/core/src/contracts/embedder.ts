/** Options of one call of an embedder. */
export interface EmbedOptions {
  /** What the texts are. Some models embed queries and documents differently. */
  readonly kind: 'query' | 'document';
  /** Language tag of each text, '' if it has none. Undefined for queries. */
  readonly languages?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Maps texts to vectors such that texts of similar meaning have near vectors. */
export interface Embedder {
  /** Identifies the model: vectors of different ids are never compared. */
  readonly id: string;
  /** Length of the vectors. */
  readonly dimensions: number;
  /** Preferred number of texts per call; 64 by default. */
  readonly batchSize?: number | undefined;
  /** Returns one vector of `dimensions` finite numbers per text, in order. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly (Float32Array | readonly number[])[]>;
  /**
   * Optional: returns how much of a query its vector represents, from 0 to 1. A model that has few
   * words leaves out rare ones, which often matter most; similarities then say nothing about them,
   * and count less. 1 if omitted.
   */
  coverage?(query: string): Promise<number>;
}

/** A text on which a model is trained. */
export interface TrainingText {
  readonly text: string;
  /** Language tag, '' if it has none. */
  readonly language: string;
}

/** Training texts of a model. Read one by one, so that they need not all be in memory. */
export interface TrainingTexts {
  /** Number of texts. */
  readonly length: number;
  /** Returns the text at an index from 0 to `length - 1`. */
  at(index: number): TrainingText;
}

/** Options of one training. */
export interface TrainOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the share of the work that is done, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** A trained embedder. Its model is plain data, so that it can be stored. */
export interface TrainedEmbedder extends Embedder {
  /** Typed arrays by name, accepted by `restore` of the same kind of embedder. */
  readonly model: EmbedderModel;
}

/** Data of a trained model: typed arrays by name, stored as they are. */
export type EmbedderModel = Readonly<Record<string, Uint8Array | Uint32Array | Float32Array>>;

/** An embedder that is trained on the texts it will embed: each namespace has its own model. */
export interface TrainableEmbedder {
  /** Identifies the method and its settings. */
  readonly id: string;
  /** Length of the vectors of every trained model. */
  readonly dimensions: number;
  /** Minimum number of texts for training. */
  readonly minTexts: number;
  /**
   * Trains on texts, yielding to the event loop meanwhile. Throws ABORTED when the signal fires.
   */
  train(texts: TrainingTexts, options?: TrainOptions): Promise<TrainedEmbedder>;
  /** Recreates an embedder from a trained model. Throws CORRUPT for any other data. */
  restore(model: EmbedderModel): TrainedEmbedder;
}
