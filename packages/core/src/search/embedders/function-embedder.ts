import type { Embedder, EmbedOptions } from '../../contracts/embedder.ts';
import { requireOptions } from '../../model/passed-value.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { type EmbedderSettings, embedderOf } from './embedding-call.ts';

/** Options of {@link functionEmbedder}. */
export interface FunctionEmbedderOptions extends EmbedderSettings {
  /** Identifies the model: vectors of different ids are never compared. */
  readonly id: string;
  /** Returns one vector per text, in order. */
  readonly embed: (
    texts: readonly string[],
    options: { readonly kind: EmbedOptions['kind']; readonly signal: AbortSignal },
  ) => Promise<readonly ArrayLike<number>[]> | readonly ArrayLike<number>[];
}

/**
 * Creates an embedder from any function, adding batches, retries, a timeout and validation. Throws
 * INVALID_ARGUMENT for invalid options.
 */
export function functionEmbedder(options: FunctionEmbedderOptions): Embedder {
  requireOptions(options, 'functionEmbedder', 'functionEmbedder({ id, dimensions, embed })');
  const { embed, ...settings } = options;
  if (typeof embed !== 'function')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'functionEmbedder has no function; set the option embed to a function that returns one vector for each text.',
    );
  return embedderOf({ name: settings.id, settings, call: async (texts, options) => embed(texts, options) });
}
