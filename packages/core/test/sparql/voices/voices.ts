import { Parser as Traqula } from '@traqula/parser-sparql-1-2';
import { Parser as SparqlJs } from 'sparqljs';
import { WorldsError } from '../../../src/index.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';

/**
 * Traqula is the parser of Comunica, for SPARQL 1.2; sparqljs knows SPARQL 1.1 only. The library's
 * own parser shares no code with either.
 */
export const PEERS = ['traqula', 'sparqljs'] as const;
export type Peer = (typeof PEERS)[number];

/** A text, and where it is from. */
export interface VoicedText {
  readonly name: string;
  readonly text: string;
  /** What sparqljs is asked too. */
  readonly isSparql11: boolean;
}

/** Why each parser refuses a text; undefined where it takes it. */
export type Refusals = Readonly<Record<'ours' | Peer, string | undefined>>;

export interface Disagreement extends VoicedText {
  readonly refusals: Refusals;
  /** The parsers that see it otherwise than ours. */
  readonly peers: readonly Peer[];
}

const BASE_IRI = 'http://e/';
const traqula = new Traqula();

function refusal(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
}

/** Anything but INVALID_SPARQL is no opinion of a text, and fails the test. */
function ourRefusal(text: string): string | undefined {
  try {
    prepareOperation(text, { baseIri: BASE_IRI });
    return undefined;
  } catch (error) {
    if (error instanceof WorldsError && error.code === 'INVALID_SPARQL') return error.message;
    throw error;
  }
}

export function refusalsOf({ text, isSparql11 }: Pick<VoicedText, 'text' | 'isSparql11'>): Refusals {
  const ours = ourRefusal(text);
  return {
    ours,
    traqula: refusal(() => traqula.parse(text)),
    // Not asked, it agrees. Its parsers keep prefixes and labels, so that each text has its own.
    sparqljs: isSparql11 ? refusal(() => new SparqlJs({ baseIRI: BASE_IRI }).parse(text)) : ours,
  };
}

/** Where another parser takes what ours refuses, or refuses what ours takes. */
export function disagreementOn(text: VoicedText): Disagreement | undefined {
  const refusals = refusalsOf(text);
  const peers = PEERS.filter((peer) => (refusals[peer] === undefined) !== (refusals.ours === undefined));
  return peers.length > 0 ? { ...text, refusals, peers } : undefined;
}
