import type { Embedder } from '../../contracts/embedder.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { type EmbedderSettings, embedderOf } from './embedding-call.ts';

/** The subset of LangChain's Embeddings that is used. */
export interface LangChainEmbeddings {
  /** Returns one vector per text. */
  embedDocuments(texts: string[]): Promise<number[][]>;
  /** Returns the vector of a query. */
  embedQuery(text: string): Promise<number[]>;
}

/** Options of {@link langChainEmbedder}. */
export interface LangChainEmbedderOptions extends EmbedderSettings {
  /**
   * Identifies the model, which LangChain does not expose: vectors of different ids are never
   * compared.
   */
  readonly id: string;
}

/**
 * Creates an embedder from LangChain's Embeddings. LangChain retries by itself, so no retries are
 * added unless `maxRetries` is given. Throws INVALID_ARGUMENT for invalid options or if
 * `embeddings` lacks the methods.
 */
export function langChainEmbedder(embeddings: LangChainEmbeddings, options: LangChainEmbedderOptions): Embedder {
  if (typeof embeddings?.embedDocuments !== 'function' || typeof embeddings.embedQuery !== 'function')
    throw new WorldsError('INVALID_ARGUMENT', 'langChainEmbedder takes an object with embedDocuments and embedQuery.');
  return embedderOf({
    name: options.id,
    settings: { ...options, maxRetries: options.maxRetries ?? 0 },
    call: (texts, { kind }) =>
      kind === 'query'
        ? Promise.all(texts.map((text) => embeddings.embedQuery(text)))
        : embeddings.embedDocuments([...texts]),
  });
}
