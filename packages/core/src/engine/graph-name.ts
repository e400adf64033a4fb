import type * as RDF from '@rdfjs/types';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { isAbsoluteIri } from '../model/iri.ts';
import { dataFactory } from '../model/term.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';

/** A graph of a world, by its IRI or term. The default graph is `dataFactory.defaultGraph()`. */
export type GraphName = string | RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;

type GraphTerm = RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;

/** Returns whether a value is a {@link GraphName}. */
export function isGraphName(value: unknown): value is GraphName {
  if (typeof value === 'string') return isAbsoluteIri(value);
  const { termType, value: name } = (value ?? {}) as Partial<GraphTerm>;
  if (typeof name !== 'string') return false;
  return termType === 'DefaultGraph' || termType === 'BlankNode' || (termType === 'NamedNode' && isAbsoluteIri(name));
}

/** Returns the term of a graph's name. */
export function graphTerm(name: GraphName): GraphTerm {
  return typeof name === 'string' ? dataFactory.namedNode(name) : name;
}

/**
 * Returns the id of a graph of a world, even an empty one; NO_TERM if there is no such graph. The
 * default graph always exists.
 */
export function findGraph(name: GraphName, overlay: Overlay, graphs: WorldGraphs): TermId {
  const id = overlay.find(graphTerm(name));
  return id !== NO_TERM && graphs.contextOf(id) >= 0 ? id : NO_TERM;
}

/** Like {@link findGraph}, but throws NOT_FOUND if there is no such graph. */
export function requireGraph(
  name: GraphName,
  overlay: Overlay,
  graphs: WorldGraphs,
  world: { readonly namespace: string; readonly slug: string },
): TermId {
  const id = findGraph(name, overlay, graphs);
  if (id !== NO_TERM) return id;
  const { termType, value } = graphTerm(name);
  const shown = termType === 'BlankNode' ? `_:${value}` : `<${value}>`;
  throw new WorldsError('NOT_FOUND', `There is no graph ${shown} in ${world.namespace}/${world.slug}.`);
}
