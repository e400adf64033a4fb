import { Parser as Traqula } from '@traqula/parser-sparql-1-2';
import { Parser as SparqlJs } from 'sparqljs';
import { WorldsError } from '../../../src/index.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';

/**
 * Traqula is Comunica's parser and supports SPARQL 1.2; sparqljs supports SPARQL 1.1 only. The
 * library's own parser shares no code with either.
 */
export const PEERS = ['traqula', 'sparqljs'] as const;
export type Peer = (typeof PEERS)[number];

/** A query or update for all parsers. */
export interface VoicedText {
  readonly name: string;
  readonly text: string;
  /** Whether sparqljs parses it too. */
  readonly isSparql11: boolean;
}

/** The error message of each parser; undefined if it accepts the text. */
export type Refusals = Readonly<Record<'ours' | Peer, string | undefined>>;

export interface Disagreement extends VoicedText {
  readonly refusals: Refusals;
  /** The parsers that disagree with ours. */
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

/** Errors other than INVALID_SPARQL are faults of the parser and fail the test. */
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
    // If it does not parse the text, it agrees. A new parser per text, because a parser of sparqljs
    // keeps prefixes and blank node labels.
    sparqljs: isSparql11 ? refusal(() => new SparqlJs({ baseIRI: BASE_IRI }).parse(text)) : ours,
  };
}

/** The disagreement on a text, if another parser accepts what ours refuses or the reverse. */
export function disagreementOn(text: VoicedText): Disagreement | undefined {
  const refusals = refusalsOf(text);
  const peers = PEERS.filter((peer) => (refusals[peer] === undefined) !== (refusals.ours === undefined));
  return peers.length > 0 ? { ...text, refusals, peers } : undefined;
}
