import { comunicaEngine } from '@rdf-worlds/comunica';
import type { SparqlEngine } from '../../../src/plugin.ts';
import type { Arena, Trial } from './arena.ts';
import { COMUNICA_DEVIATIONS, type Deviation } from './comunica-deviations.ts';
import { COMUNICA_SEMANTICS, FUNCTION_DEVIATIONS, type FunctionDeviation } from './comunica-semantics.ts';
import type { Semantics } from './naive/semantics.ts';
import { OXIGRAPH_DEVIATIONS } from './oxigraph-deviations.ts';
import { oxigraphEngine } from './oxigraph-engine.ts';
import { OXIGRAPH_FUNCTION_DEVIATIONS, OXIGRAPH_SEMANTICS } from './oxigraph-semantics.ts';
import { OXIGRAPH_VOCABULARY } from './oxigraph-vocabulary.ts';
import { STANDARD, type Vocabulary } from './random/terms.ts';

/** Another SPARQL engine, with its known deviations. */
export interface Peer {
  readonly name: string;
  readonly engine: SparqlEngine;
  /** The terms that its data and texts may contain. */
  readonly vocabulary: Vocabulary;
  /** Its semantics of expressions. */
  readonly semantics: Semantics;
  readonly functionDeviations: readonly FunctionDeviation[];
  readonly deviations: readonly Deviation[];
  /** Whether the peer can run a text that other peers can run. */
  answers(trial: Trial, arena: Arena): boolean;
}

const PEERS: Readonly<Record<string, () => Peer>> = {
  comunica: () => ({
    name: 'comunica',
    engine: comunicaEngine(),
    vocabulary: STANDARD,
    semantics: COMUNICA_SEMANTICS,
    functionDeviations: FUNCTION_DEVIATIONS,
    deviations: COMUNICA_DEVIATIONS,
    answers: () => true,
  }),
  oxigraph: () => ({
    name: 'oxigraph',
    engine: oxigraphEngine(),
    vocabulary: OXIGRAPH_VOCABULARY,
    semantics: OXIGRAPH_SEMANTICS,
    functionDeviations: OXIGRAPH_FUNCTION_DEVIATIONS,
    deviations: OXIGRAPH_DEVIATIONS,
    // Section 16.4 leaves the result of DESCRIBE to the engine. Its updates write to the dataset
    // that they read, so that there must be only one world.
    answers: ({ kind, features }, { data }) =>
      !features.has('form describe') && (kind === 'query' || data.worlds.length === 1),
  }),
};

/** The peers with these names; throws for an unknown name. `naive` is not a peer. */
export function peersOf(names: readonly string[]): Peer[] {
  return names.map((name) => {
    const open = PEERS[name];
    if (!open) throw new Error(`No engine is called "${name}". The engines are: ${Object.keys(PEERS).join(', ')}`);
    return open();
  });
}

/** The smallest vocabulary of the peers; undefined if there are none. */
export function vocabularyOf(peers: readonly Peer[]): Vocabulary | undefined {
  return peers.map(({ vocabulary }) => vocabulary).sort((one, other) => one.literals.length - other.literals.length)[0];
}
