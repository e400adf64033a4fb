import { dataFactory, type GraphName } from '@rdf-worlds/core';
import { isAbsoluteIri } from '@rdf-worlds/core/internal';

/** How bodies and query strings name a graph. */
export const GRAPH_TEXT = 'an absolute IRI, `_:` and the label of a blank node, or `default`';

const LABEL = /^_:[^\s]+$/;

/** Returns the graph that a text names; undefined if it names none. */
export function graphName(text: string): GraphName | undefined {
  // Not an absolute IRI, which has a colon.
  if (text === 'default') return dataFactory.defaultGraph();
  if (LABEL.test(text)) return dataFactory.blankNode(text.slice(2));
  return isAbsoluteIri(text) ? text : undefined;
}
