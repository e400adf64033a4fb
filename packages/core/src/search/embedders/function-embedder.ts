import { WorldsError } from '../../model/worlds-error.ts';
import type { Embedder, EmbedOptions } from '../../storage/embedder.ts';
import { type EmbedderSettings, embedderOf } from './embedding-call.ts';

export interface FunctionEmbedderOptions extends EmbedderSettings {
  /** Names the model: vectors of different ids are never compared. */
  readonly id: string;
  /** One vector a text, in order. */
  readonly embed: (
    texts: readonly string[],
    options: { readonly kind: EmbedOptions['kind']; readonly signal: AbortSignal },
  ) => Promise<readonly ArrayLike<number>[]> | readonly ArrayLike<number>[];
}

/**
 * An embedder of any function, with batches, retries, a time limit and a look at what it gives.
 * Throws INVALID_ARGUMENT for options that make no sense.
 */
export function functionEmbedder({ embed, ...settings }: FunctionEmbedderOptions): Embedder {
  if (typeof embed !== 'function')
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'functionEmbedder has no function; set the option embed to one that gives a vector a text.',
    );
  return embedderOf({ name: settings.id, settings, call: async (texts, options) => embed(texts, options) });
}
