import type { Embedder } from '../../contracts/embedder.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { EmbedderLie } from '../embedder-lie.ts';
import { type EmbedderSettings, embedderOf } from './embedding-call.ts';

/**
 * The subset of the AI SDK's EmbeddingModel that is used; compatible with all versions of its
 * specification so far.
 */
export interface AiSdkEmbeddingModel {
  readonly provider: string;
  readonly modelId: string;
  /** Undefined: no limit. */
  readonly maxEmbeddingsPerCall?: number | undefined | PromiseLike<number | undefined>;
  /** False: one call at a time. */
  readonly supportsParallelCalls?: boolean | PromiseLike<boolean> | undefined;
  /**
   * Embeds texts, of which there are at most `maxEmbeddingsPerCall`. Returns one vector per text.
   */
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal | undefined;
    headers?: Record<string, string | undefined> | undefined;
    providerOptions?: Record<string, Record<string, never>> | undefined;
  }): PromiseLike<{ embeddings: number[][] }>;
}

/** Options of {@link aiSdkEmbedder}. */
export interface AiSdkEmbedderOptions extends EmbedderSettings {
  /** Sent with each request of the provider. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Passed to the provider. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/**
 * Creates an embedder from a model of the AI SDK, such as
 * `openai.embedding('text-embedding-3-small')`; the SDK itself is not required. Respects the
 * model's limits on texts per call and on parallel calls. Throws INVALID_ARGUMENT for invalid
 * options or if `model` is not an embedding model.
 */
export function aiSdkEmbedder(model: AiSdkEmbeddingModel, options: AiSdkEmbedderOptions): Embedder {
  const { headers, providerOptions, ...settings } = options;
  if (typeof model !== 'object' || model === null || typeof model.doEmbed !== 'function')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'aiSdkEmbedder takes an embedding model, such as openai.embedding("text-embedding-3-small"), not its name.',
    );
  return embedderOf({
    name: `${model.provider}/${model.modelId}`,
    settings,
    limits: async () => {
      const batchSize = await model.maxEmbeddingsPerCall;
      const parallel = await model.supportsParallelCalls;
      return { ...(batchSize !== undefined && { batchSize }), ...(parallel === false && { concurrency: 1 }) };
    },
    call: async (texts, { signal }) => {
      const answer = await model.doEmbed({
        values: [...texts],
        abortSignal: signal,
        ...(headers && { headers: { ...headers } }),
        ...(providerOptions && { providerOptions: providerOptions as Record<string, Record<string, never>> }),
      });
      if (!Array.isArray(answer?.embeddings))
        throw new EmbedderLie(`${model.modelId} returned an answer without "embeddings".`);
      return answer.embeddings;
    },
  });
}
