export interface EmbedOptions {
  readonly kind: 'query' | 'document';
  readonly signal?: AbortSignal;
}

/** Turns texts into vectors that are near when the texts mean alike. */
export interface Embedder {
  /** Names the model: vectors of different ids are never compared. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector of `dimensions` finite numbers a text, in order. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly (Float32Array | readonly number[])[]>;
}
