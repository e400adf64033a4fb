import { WorldsError } from '../../model/worlds-error.ts';
import type { Embedder } from '../../storage/embedder.ts';
import { EmbedderLie } from '../embedder-lie.ts';
import { type EmbedderSettings, embedderOf } from './embedding-call.ts';

/** What is used of a tensor of transformers.js. */
export interface TransformersTensor {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
}

/** What is used of `await pipeline('feature-extraction', ...)`. */
export type TransformersPipeline = (
  texts: string[],
  options: { pooling: 'none' | 'mean' | 'cls' | 'last_token'; normalize: boolean },
) => Promise<TransformersTensor>;

export interface TransformersEmbedderOptions extends EmbedderSettings {
  /**
   * Names the model, which a pipeline does not tell: vectors of different ids are never compared.
   */
  readonly id: string;
  /**
   * How the vectors of a text's tokens become one; `mean` when not given. The model's page says
   * which.
   */
  readonly pooling?: 'mean' | 'cls' | 'last_token' | undefined;
}

/**
 * An embedder by a feature-extraction pipeline of transformers.js, which runs in this process: one
 * call at a time, of 16 texts unless told otherwise. Throws INVALID_ARGUMENT for options that make
 * no sense, or something that is no pipeline.
 */
export function transformersEmbedder(pipeline: TransformersPipeline, options: TransformersEmbedderOptions): Embedder {
  const { pooling = 'mean', ...settings } = options;
  if (typeof pipeline !== 'function')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      "transformersEmbedder takes a pipeline: await pipeline('feature-extraction', model).",
    );
  return embedderOf({
    name: settings.id,
    settings: {
      ...settings,
      batchSize: settings.batchSize ?? 16,
      concurrency: settings.concurrency ?? 1,
      maxRetries: settings.maxRetries ?? 0,
    },
    call: async (texts) => rowsOf(await pipeline([...texts], { pooling, normalize: true }), settings.id),
  });
}

/** The rows of a tensor of texts by dimensions. */
function rowsOf(tensor: TransformersTensor, name: string): Float32Array[] {
  const { dims, data } = tensor ?? {};
  if (!Array.isArray(dims) || dims.length !== 2 || data?.length !== dims[0] * dims[1])
    throw new EmbedderLie(
      `${name} gave no tensor of texts by dimensions but ${Array.isArray(dims) ? `one of [${dims}]` : 'something else'}; is the pipeline one for feature-extraction?`,
    );
  const [count, width] = dims;
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: width }, (_, at) => Number(data[row * width + at])),
  );
}
