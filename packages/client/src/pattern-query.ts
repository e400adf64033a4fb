import type { QuadsRequest } from '@rdf-worlds/core';
import { WorldsError } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';

/** A query for the quads of a pattern, with the given terms as bindings. */
export interface PatternQuery {
  readonly query: string;
  /** By variable: `s`, `p`, `o` and `g`. */
  readonly bindings: ReadonlyMap<string, RDF.Term>;
}

const IN_DEFAULT = '{ ?s ?p ?o }';
const IN_NAMED = '{ GRAPH ?g { ?s ?p ?o } }';

/** Returns the query for a pattern. Null, undefined and variables match any term. */
export function patternQuery(pattern: Omit<QuadsRequest, 'source' | 'signal'>): PatternQuery {
  const bindings = new Map<string, RDF.Term>();
  const named = { s: pattern.subject, p: pattern.predicate, o: pattern.object, g: pattern.graph };
  for (const [name, term] of Object.entries(named)) {
    if (term === null || term === undefined) continue;
    if (typeof term.termType !== 'string') throw new WorldsError('INVALID_ARGUMENT', 'quads: expected an RDF/JS term');
    if (term.termType !== 'Variable' && term.termType !== 'DefaultGraph') bindings.set(name, term);
  }
  const { graph } = pattern;
  const place =
    graph?.termType === 'DefaultGraph' ? IN_DEFAULT : bindings.has('g') ? IN_NAMED : `${IN_DEFAULT} UNION ${IN_NAMED}`;
  return { query: `SELECT * { ${place} }`, bindings };
}
