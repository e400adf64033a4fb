import type * as RDF from '@rdfjs/types';
import { WorldsError } from './worlds-error.ts';

/**
 * The nesting limit of the document readers, so that everything stored can be exported and imported
 * again.
 */
const MAX_TRIPLE_DEPTH = 64;

/**
 * Term types allowed in each position (RDF 1.1 Concepts 3.1; triple terms as objects: RDF 1.2
 * Concepts 3.1).
 */
const POSITIONS = {
  subject: ['NamedNode', 'BlankNode'],
  predicate: ['NamedNode'],
  object: ['NamedNode', 'BlankNode', 'Literal', 'Quad'],
  graph: ['DefaultGraph', 'NamedNode', 'BlankNode'],
} as const;

/** Throws INVALID_RDF if a term is in a position where RDF does not allow its type. */
export function requirePositions(quad: RDF.BaseQuad, depth = 0): void {
  if (depth > MAX_TRIPLE_DEPTH)
    throw new WorldsError('INVALID_RDF', `Triple terms are nested more than ${MAX_TRIPLE_DEPTH} levels deep.`);
  for (const position of ['subject', 'predicate', 'object', 'graph'] as const) {
    const term = quad[position];
    const allowed: readonly string[] = POSITIONS[position];
    if (!allowed.includes(term?.termType)) {
      throw new WorldsError(
        'INVALID_RDF',
        `A quad has a ${term?.termType ?? typeof term} as its ${position}; it must be one of ${allowed.join(', ')}.`,
      );
    }
    if (term.termType === 'Quad' && position === 'object')
      requirePositions({ ...tripleOf(term), graph: quad.graph } as RDF.BaseQuad, depth + 1);
  }
}

function tripleOf({ subject, predicate, object }: RDF.BaseQuad) {
  return { subject, predicate, object };
}
