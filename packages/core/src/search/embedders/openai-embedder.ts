import type { Embedder } from '../../storage/embedder.ts';
import { EmbedderLie } from '../embedder-lie.ts';
import { type EmbedderSettings, embedderOf, modelOf } from './embedding-call.ts';
import { endpointOf, postJson } from './post-json.ts';

export interface OpenAiEmbedderOptions extends EmbedderSettings {
  /** The API's base, such as `https://api.openai.com/v1`; `/embeddings` is added. */
  readonly url: string | URL;
  readonly model: string;
  /** Sent as a bearer token. It stands in no message. */
  readonly apiKey?: string | undefined;
  /** More headers, such as `api-key`. They stand in no message. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Ask the model for vectors of `dimensions`, which some can shorten theirs to; false when not
   * given.
   */
  readonly requestDimensions?: boolean | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * An embedder over HTTP in the shape of OpenAI's API, which llama.cpp, vLLM, LM Studio, LiteLLM,
 * Text Embeddings Inference, Mistral, Jina, Voyage and others have too. Throws INVALID_ARGUMENT for
 * options that make no sense.
 */
export function openAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
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

/** `{data: [{index, embedding}]}` in the order of the texts. */
function inOrder(answer: unknown, count: number, model: string): unknown[] {
  const { data } = (answer ?? {}) as { data?: unknown };
  if (!Array.isArray(data))
    throw new EmbedderLie(`${model} answered without "data"; check that the URL is that of an API like OpenAI's.`);
  const vectors: unknown[] = [];
  for (const [at, entry] of data.entries()) {
    const { index = at, embedding } = (entry ?? {}) as { index?: number; embedding?: unknown };
    if (!Number.isInteger(index) || index < 0 || index >= count || index in vectors)
      throw new EmbedderLie(
        `${model} gave ${data.length} vector(s) for ${count} text(s), one of them for text ${index}.`,
      );
    vectors[index] = typeof embedding === 'string' ? fromBase64(embedding, model) : embedding;
  }
  return vectors;
}

/**
 * 32-bit numbers, little-endian, which is what `encoding_format: base64` gives; some servers give
 * nothing else.
 */
function fromBase64(text: string, model: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  // Node's decoder takes anything, so see whether it is the same when written again.
  if (bytes.length % 4 !== 0 || Buffer.from(bytes).toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, ''))
    throw new EmbedderLie(`${model} gave a vector as a string that is no base64 of 32-bit numbers.`);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
