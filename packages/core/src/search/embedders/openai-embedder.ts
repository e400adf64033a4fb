import { Buffer } from '#platform';
import type { Embedder } from '../../contracts/embedder.ts';
import { requireOptions } from '../../model/passed-value.ts';
import { EmbedderLie } from '../embedder-lie.ts';
import { type EmbedderSettings, embedderOf, modelOf } from './embedding-call.ts';
import { endpointOf, postJson } from './post-json.ts';

/** Options of {@link openAiEmbedder}. */
export interface OpenAiEmbedderOptions extends EmbedderSettings {
  /** Base URL of the API, such as `https://api.openai.com/v1`; `/embeddings` is appended. */
  readonly url: string | URL;
  /** Name of the model, as the server knows it. */
  readonly model: string;
  /** Sent as a bearer token. Never included in messages. */
  readonly apiKey?: string | undefined;
  /** Additional headers, such as `api-key`. Never included in messages. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether to request vectors of `dimensions` from models that can shorten theirs; false by
   * default.
   */
  readonly requestDimensions?: boolean | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Creates an embedder over HTTP for OpenAI's API, which llama.cpp, vLLM, LM Studio, LiteLLM, Text
 * Embeddings Inference, Mistral, Jina, Voyage and others also implement. Throws INVALID_ARGUMENT
 * for invalid options.
 */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  requireOptions(options, 'openAiEmbedder', 'openAiEmbedder({ url, model, dimensions, apiKey })');
  const { url, model, apiKey, headers = {}, requestDimensions = false, fetch, ...settings } = options;
  const endpoint = endpointOf(url);
  endpoint.pathname = `${endpoint.pathname.replace(/\/$/, '')}/embeddings`;
  return embedderOf({
    name: `openai/${modelOf(model, 'openAiEmbedder')}`,
    settings,
    call: async (input, { signal }) => {
      const answer = await postJson({
        url: endpoint,
        body: { model, input, ...(requestDimensions && { dimensions: settings.dimensions }) },
        headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
        signal,
        fetch: fetch ?? globalThis.fetch,
      });
      return inOrder(answer, input.length, model);
    },
  });
}

/** Returns the vectors of `{data: [{index, embedding}]}` in the order of the texts. */
function inOrder(answer: unknown, count: number, model: string): unknown[] {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data))
    throw new EmbedderLie(`${model} responded without "data"; check that the URL is that of an API like OpenAI's.`);
  const vectors: unknown[] = [];
  for (const [at, entry] of data.entries()) {
    const { index = at, embedding } = (entry ?? {}) as { index?: number; embedding?: unknown };
    if (!Number.isInteger(index) || index < 0 || index >= count || index in vectors)
      throw new EmbedderLie(
        `${model} returned ${data.length} vector(s) for ${count} text(s), one of them for text ${index}.`,
      );
    vectors[index] = typeof embedding === 'string' ? fromBase64(embedding, model) : embedding;
  }
  return vectors;
}

/**
 * Decodes little-endian 32-bit floats, the format of `encoding_format: base64`; some servers return
 * nothing else.
 */
function fromBase64(text: string, model: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  // Node's decoder accepts any input, so check that encoding the result gives the same text.
  if (bytes.length % 4 !== 0 || Buffer.from(bytes).toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, ''))
    throw new EmbedderLie(`${model} returned a vector as a string that is not base64 of 32-bit numbers.`);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
