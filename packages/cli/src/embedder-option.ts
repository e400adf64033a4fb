import type { WorldsEngineOptions } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';

type Embedder = NonNullable<WorldsEngineOptions['embedder']>;

/** Embedders by the name that selects them. Loaded only when one is selected. */
const EMBEDDERS: Readonly<Record<string, () => Promise<Embedder>>> = {
  offline: async () => (await import('@rdf-worlds/core/embedders')).lsaEmbedder(),
};

/** For commands that search with an engine of their own. */
export const EMBEDDER_OPTION = new Option(
  '--embedder <NAME>',
  'also search by vectors: offline, a model trained on the texts of a namespace once it has 2,000 of them',
).choices(Object.keys(EMBEDDERS));

/** Returns the embedder that the arguments select; undefined if they select none. */
export async function givenEmbedder(given: Arguments): Promise<Embedder | undefined> {
  const name = given.text(EMBEDDER_OPTION.name());
  return name === undefined ? undefined : EMBEDDERS[name]!();
}
