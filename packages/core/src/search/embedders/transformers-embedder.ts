import type { Embedder } from '../../contracts/embedder.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { EmbedderLie } from '../embedder-lie.ts';
import { type EmbedderSettings, embedderOf } from './embedding-call.ts';

/** The subset of a transformers.js tensor that is used. */
export interface TransformersTensor {
  /** Number of texts, then length of their vectors. */
  readonly dims: readonly number[];
  /** The vectors, one after the other. */
  readonly data: ArrayLike<number | bigint>;
}

/** The subset of `await pipeline('feature-extraction', ...)` that is used. */
export type TransformersPipeline = (
  texts: string[],
  options: { pooling: 'none' | 'mean' | 'cls' | 'last_token'; normalize: boolean },
) => Promise<TransformersTensor>;

/** Options of {@link transformersEmbedder}. */
export interface TransformersEmbedderOptions extends EmbedderSettings {
  /**
   * Identifies the model, which a pipeline does not expose: vectors of different ids are never
   * compared.
   */
  readonly id: string;
  /** How token vectors are combined into a text vector; `mean` by default. See the model's page. */
  readonly pooling?: 'mean' | 'cls' | 'last_token' | undefined;
}

/**
 * Creates an embedder from a feature-extraction pipeline of transformers.js, which runs in this
 * process: by default one call at a time, with 16 texts. Throws INVALID_ARGUMENT for invalid
 * options or if `pipeline` is not a pipeline.
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

/** Returns the rows of a texts-by-dimensions tensor. */
function rowsOf(tensor: TransformersTensor, name: string): Float32Array[] {
  const { dims, data } = tensor ?? {};
  if (!Array.isArray(dims) || dims.length !== 2 || data?.length !== dims[0] * dims[1])
    throw new EmbedderLie(
      `${name} returned ${Array.isArray(dims) ? `a tensor of [${dims}]` : 'no tensor'} instead of one of texts by dimensions; is it a feature-extraction pipeline?`,
    );
  const [count, width] = dims;
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: width }, (_, at) => Number(data[row * width + at])),
  );
}
