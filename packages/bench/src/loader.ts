import { WorldsEngine } from '@rdf-worlds/core';
import oxigraph from 'oxigraph';
import { byteChunks } from './byte-chunks.ts';
import type { LoadInput } from './load-input.ts';

/** A store with a loaded document. */
export interface LoadedStore {
  count(): Promise<{
    readonly quads: number;
    /** The store's own count of its memory, if it has one. */
    readonly bytes?: number;
  }>;
  /** Frees the store. */
  release(): Promise<void>;
}

/** One way to load a document into an empty store. */
export interface Loader {
  readonly name: string;
  /** Opens a store and loads the document; resolves once background work has ended, too. */
  load(input: LoadInput): Promise<LoadedStore>;
}

/** The loaders; the others are compared with the first. */
export const LOADERS: readonly Loader[] = [
  { name: 'RDF Worlds', load: (input) => loadWorld(input, input.bytes) },
  { name: 'RDF Worlds, stream', load: (input) => loadWorld(input, streamOf(input.bytes)) },
  // Atomic and with every term checked, like the engine's import.
  { name: 'Oxigraph', load: (input) => loadOxigraph(input, input.bytes, {}) },
  { name: 'Oxigraph, chunks', load: (input) => loadOxigraph(input, byteChunks(input.bytes), {}) },
  // Oxigraph's fastest setting: not atomic, and IRIs and language tags are not checked.
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
      // Frees WebAssembly memory, which JavaScript's collector would free late. The declarations
      // omit the method.
      (store as unknown as { free(): void }).free();
    },
  };
}

async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* byteChunks(bytes);
}
