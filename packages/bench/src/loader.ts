import { WorldsEngine } from '@rdf-worlds/core';
import oxigraph from 'oxigraph';
import { byteChunks } from './byte-chunks.ts';
import type { LoadInput } from './load-input.ts';

/** A store with a document in it. */
export interface LoadedStore {
  count(): Promise<{
    readonly quads: number;
    /** What the store says that it uses, if it says so. */
    readonly bytes?: number;
  }>;
  /** Frees it. */
  release(): Promise<void>;
}

/** One way to load a document into an empty store. */
export interface Loader {
  readonly name: string;
  /**
   * Opens a store and loads into it; resolves when nothing is left to do, in the background
   * neither.
   */
  load(input: LoadInput): Promise<LoadedStore>;
}

/** The first one is what the others are compared with. */
export const LOADERS: readonly Loader[] = [
  { name: 'RDF Worlds', load: (input) => loadWorld(input, input.bytes) },
  { name: 'RDF Worlds, stream', load: (input) => loadWorld(input, streamOf(input.bytes)) },
  // All or nothing, and every term checked: what the engine's import does.
  { name: 'Oxigraph', load: (input) => loadOxigraph(input, input.bytes, {}) },
  { name: 'Oxigraph, chunks', load: (input) => loadOxigraph(input, byteChunks(input.bytes), {}) },
  // Its fastest setting: a failure leaves half a document, and IRIs and language tags are not
  // checked.
  {
    name: 'Oxigraph, unchecked',
    load: (input) => loadOxigraph(input, input.bytes, { no_transaction: true, lenient: true }),
  },
];

async function loadWorld(
  { contentType }: LoadInput,
  data: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<LoadedStore> {
  const engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'loaded' });
  await engine.import({ source: 'loaded', data, contentType });
  await engine.settle();
  return {
    count: () => engine.stats(),
    release: () => engine.close(),
  };
}

async function loadOxigraph(
  { contentType }: LoadInput,
  data: Uint8Array | Iterable<Uint8Array>,
  options: { no_transaction?: boolean; lenient?: boolean },
): Promise<LoadedStore> {
  const store = new oxigraph.Store();
  store.load(data, { format: contentType, ...options });
  return {
    count: async () => ({ quads: store.size }),
    release: async () => {
      // Its memory is WebAssembly's: the collector of JavaScript would free it late. The
      // declarations leave the method out.
      (store as unknown as { free(): void }).free();
    },
  };
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* byteChunks(bytes);
}
