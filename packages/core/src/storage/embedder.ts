export interface EmbedOptions {
  readonly kind: 'query' | 'document';
  /** The language tag of each text, '' when it has none. A query has none. */
  readonly languages?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into vectors that are near when the texts mean alike. */
export interface Embedder {
  /** Names the model: vectors of different ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** How many texts one call had best be given; 64 when not said. */
  readonly batchSize?: number | undefined;
  /** One vector of `dimensions` finite numbers a text, in order. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly (Float32Array | readonly number[])[]>;
}

export interface TrainingText {
  readonly text: string;
  /** Its tag, '' when it has none. */
  readonly language: string;
}

/**
 * The texts that a model learns from; asked for one by one, so that they need not be in memory all
 * at once.
 */
export interface TrainingTexts {
  readonly length: number;
  at(index: number): TrainingText;
}

export interface TrainOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of the share that is done, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** An embedder made by training. What it has learnt is plain data, so that it can be stored. */
export interface TrainedEmbedder extends Embedder {
  /** Typed arrays by name, which `restore` of the same kind of embedder takes. */
  readonly model: EmbedderModel;
}

export type EmbedderModel = Readonly<Record<string, Uint8Array | Uint32Array | Float32Array>>;

/**
 * An embedder that first learns from the texts it is to embed: each namespace has a model of its
 * own.
 */
export interface TrainableEmbedder {
  /** Names the method and its settings. */
  readonly id: string;
  readonly dimensions: number;
  /** With fewer texts there is nothing to learn. */
  readonly minTexts: number;
  /** Learns from texts. Lets the event loop run meanwhile. Throws ABORTED by the signal. */
  train(texts: TrainingTexts, options?: TrainOptions): Promise<TrainedEmbedder>;
  /** Makes an embedder of what another one had learnt. Throws CORRUPT for something else. */
  restore(model: EmbedderModel): TrainedEmbedder;
}
