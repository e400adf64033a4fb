import { openCorpus } from '../corpus.ts';
import { openCranfield } from '../cranfield.ts';
import { chatTurns } from './chat-turns.ts';
import type { JudgedCollection } from './judged-collection.ts';
import { knownItems } from './known-items.ts';
import { languageLabels } from './language-labels.ts';
import { productRecords } from './product-records.ts';

export const COLLECTION_NAMES = ['cranfield', 'chat', 'products', 'labels', 'known'] as const;

/** Where collections come from. */
export interface CollectionSources {
  /** Folder of the Cranfield collection; undefined for the shared one. */
  readonly cranfield: string | undefined;
  /** File of texts; see `CorpusChoice`. */
  readonly texts: string | undefined;
  readonly documents: number;
  readonly seed: number;
}

/** The test collections by name; undefined for one that is missing. */
export const COLLECTIONS: Readonly<
  Record<
    (typeof COLLECTION_NAMES)[number],
    (sources: CollectionSources) => JudgedCollection | Promise<JudgedCollection | undefined>
  >
> = {
  cranfield: ({ cranfield }) => openCranfield(cranfield),
  chat: ({ seed }) => chatTurns(seed),
  products: ({ seed }) => productRecords(seed),
  labels: ({ seed }) => languageLabels(seed),
  known: async (sources) => knownItems((await openCorpus(sources)).texts, sources.seed),
};
