import { packageVersion } from '../package-version.ts';
import { ComunicaStore } from './comunica-store.ts';
import { OxigraphStore } from './oxigraph-store.ts';
import type { Delivery, SparqlStore } from './sparql-store.ts';
import type { Workload } from './workload.ts';
import { WorldsStore } from './worlds-store.ts';

/** A product whose stores are measured. */
export interface Product {
  readonly name: string;
  /** The version, for the settings of a report. */
  version(): string;
  /** Opens a new store; queries without an answer after `answerMs` may be terminated. */
  open(answerMs: number): Promise<SparqlStore>;
}

/** A product, and the way its answers are consumed. */
export interface PeerKind {
  readonly name: string;
  readonly product: Product;
  readonly delivery: Delivery;
}

/** A {@link PeerKind} with a loaded store. Peers of one product share it. */
export interface Peer extends PeerKind {
  readonly store: SparqlStore;
  /** The content of the store; peers with the same workload must give the same answers. */
  readonly workload: Workload;
}

const OXIGRAPH: Product = {
  name: 'Oxigraph',
  version: () => `Oxigraph ${packageVersion('oxigraph')} (WebAssembly)`,
  open: async () => new OxigraphStore(),
};

const COMUNICA: Product = {
  name: 'Comunica',
  version: () => `Comunica ${packageVersion('@comunica/query-sparql-rdfjs')} over n3 ${packageVersion('n3')}`,
  open: (answerMs) => ComunicaStore.open(answerMs),
};

/** The reference that the peers are compared with. */
export const WORLDS: PeerKind = {
  name: 'RDF Worlds',
  delivery: 'terms',
  product: {
    name: 'RDF Worlds',
    version: () => 'RDF Worlds (text index off)',
    open: () => WorldsStore.open(),
  },
};

/** Peers by their word in `--peers`. To add one, add a row. */
export const PEER_KINDS = {
  oxigraph: { name: 'Oxigraph, terms', product: OXIGRAPH, delivery: 'terms' },
  'oxigraph-strings': { name: 'Oxigraph, strings', product: OXIGRAPH, delivery: 'strings' },
  comunica: { name: 'Comunica', product: COMUNICA, delivery: 'terms' },
} as const satisfies Readonly<Record<string, PeerKind>>;

export type PeerName = keyof typeof PEER_KINDS;
export const PEER_NAMES = Object.keys(PEER_KINDS) as PeerName[];
