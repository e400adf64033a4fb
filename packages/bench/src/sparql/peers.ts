import { packageVersion } from '../package-version.ts';
import { installedPeer, PEERS_FOLDER } from '../search/installed-peer.ts';
import { ComunicaStore } from './comunica-store.ts';
import { type DuckDbModule, DuckDbStore } from './duckdb-store.ts';
import type { QueryLanguage } from './named-query.ts';
import { OxigraphStore } from './oxigraph-store.ts';
import type { Delivery, QueryStore } from './sparql-store.ts';
import type { SqlLayout } from './sql-layout.ts';
import type { Workload } from './workload.ts';
import { WorldsStore } from './worlds-store.ts';

/** A product whose stores are measured. */
export interface Product {
  readonly name: string;
  /** The package if it is not a dependency: a peer that is not installed is left out, and named. */
  readonly optionalPackage?: string;
  /**
   * The version, for the settings of a report. `from` is a folder whose `node_modules` has the
   * optional package.
   */
  version(from?: string): string;
  /** Opens a new store; queries without an answer after `answerMs` may be terminated. */
  open(answerMs: number, from?: string): Promise<QueryStore>;
}

/** A product, and the way its answers are consumed. */
export interface PeerKind {
  readonly name: string;
  readonly product: Product;
  readonly delivery: Delivery;
  readonly language: QueryLanguage;
}

/** A {@link PeerKind} with a loaded store. Peers of one product share it. */
export interface Peer extends PeerKind {
  readonly store: QueryStore;
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

const DUCKDB = '@duckdb/node-api';

function duckdb(layout: SqlLayout): Product {
  return {
    name: `DuckDB, ${layout}`,
    optionalPackage: DUCKDB,
    version: (from = PEERS_FOLDER) => `DuckDB ${packageVersion(DUCKDB, from)} (in memory, one thread)`,
    async open(_answerMs, from) {
      const peer = await installedPeer<DuckDbModule>(DUCKDB, from);
      if (!peer.isThere) throw new Error(`${DUCKDB}: ${peer.reason}.`);
      return DuckDbStore.open(peer.module, layout);
    },
  };
}

/** The reference that the peers are compared with. */
export const WORLDS: PeerKind = {
  name: 'RDF Worlds',
  delivery: 'terms',
  language: 'sparql',
  product: {
    name: 'RDF Worlds',
    version: () => 'RDF Worlds (text index off)',
    open: () => WorldsStore.open(),
  },
};

/** Peers by their word in `--peers`. To add one, add a row. */
export const PEER_KINDS = {
  oxigraph: { name: 'Oxigraph, terms', product: OXIGRAPH, delivery: 'terms', language: 'sparql' },
  'oxigraph-strings': { name: 'Oxigraph, strings', product: OXIGRAPH, delivery: 'strings', language: 'sparql' },
  comunica: { name: 'Comunica', product: COMUNICA, delivery: 'terms', language: 'sparql' },
  duckdb: { name: 'DuckDB, tables', product: duckdb('tables'), delivery: 'strings', language: 'tables' },
  'duckdb-ids': { name: 'DuckDB, ids', product: duckdb('ids'), delivery: 'strings', language: 'ids' },
} as const satisfies Readonly<Record<string, PeerKind>>;

export type PeerName = keyof typeof PEER_KINDS;
export const PEER_NAMES = Object.keys(PEER_KINDS) as PeerName[];
