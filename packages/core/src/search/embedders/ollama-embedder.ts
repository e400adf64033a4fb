import type { Embedder } from '../../contracts/embedder.ts';
import { requireOptions } from '../../model/passed-value.ts';
import { EmbedderLie } from '../embedder-lie.ts';
import { type EmbedderSettings, embedderOf, modelOf } from './embedding-call.ts';
import { endpointOf, postJson } from './post-json.ts';

/** Options of {@link ollamaEmbedder}. */
export interface OllamaEmbedderOptions extends EmbedderSettings {
  /** Name of the model on the server, such as `nomic-embed-text`. */
  readonly model: string;
  /** URL of the Ollama server; `http://127.0.0.1:11434` by default. */
  readonly url?: string | URL | undefined;
  /** Never included in messages. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How long the model stays in memory, such as `10m`; the server's default if omitted. */
  readonly keepAlive?: string | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Creates an embedder from a model served by Ollama. Throws INVALID_ARGUMENT for invalid options.
 */
export function ollamaEmbedder(options: OllamaEmbedderOptions): Embedder {
  requireOptions(options, 'ollamaEmbedder', 'ollamaEmbedder({ model, dimensions })');
  const { model, url = 'http://127.0.0.1:11434', headers = {}, keepAlive, fetch, ...settings } = options;
  const endpoint = endpointOf(url);
  endpoint.pathname = `${endpoint.pathname.replace(/\/$/, '')}/api/embed`;
  return embedderOf({
    name: `ollama/${modelOf(model, 'ollamaEmbedder')}`,
    settings,
    call: async (input, { signal }) => {
      const answer = await postJson({
        url: endpoint,
        body: { model, input, truncate: true, ...(keepAlive !== undefined && { keep_alive: keepAlive }) },
        headers,
        signal,
        fetch: fetch ?? globalThis.fetch,
        advice: { 404: `Is the model installed? Try: ollama pull ${model}` },
      });
      const { embeddings } = (answer ?? {}) as { embeddings?: unknown };
      if (!Array.isArray(embeddings))
        throw new EmbedderLie(`${model} responded without "embeddings"; Ollama supports them since version 0.3.`);
      return embeddings;
    },
  });
}
