import { WorldsError } from '../../model/worlds-error.ts';
import type { Embedder } from '../../storage/embedder.ts';
import { type EmbedderSettings, embedderOf } from './embedding-call.ts';

/** What is used of LangChain's Embeddings. */
export interface LangChainEmbeddings {
  embedDocuments(texts: string[]): Promise<number[][]>;
  embedQuery(text: string): Promise<number[]>;
}

export interface LangChainEmbedderOptions extends EmbedderSettings {
  /**
   * Names the model, which LangChain does not tell: vectors of different ids are never compared.
   */
  readonly id: string;
}

/**
 * An embedder by LangChain's Embeddings, which makes its own retries: there are none on top of them
 * unless `maxRetries` is given. Throws INVALID_ARGUMENT for options that make no sense, or
 * something that is no such thing.
 */
export function langChainEmbedder(embeddings: LangChainEmbeddings, options: LangChainEmbedderOptions): Embedder {
  if (typeof embeddings?.embedDocuments !== 'function' || typeof embeddings.embedQuery !== 'function')
    throw new WorldsError('INVALID_ARGUMENT', 'langChainEmbedder takes something with embedDocuments and embedQuery.');
  return embedderOf({
    name: options.id,
    settings: { ...options, maxRetries: options.maxRetries ?? 0 },
    call: (texts, { kind }) =>
      kind === 'query'
        ? Promise.all(texts.map((text) => embeddings.embedQuery(text)))
        : embeddings.embedDocuments([...texts]),
  });
}
