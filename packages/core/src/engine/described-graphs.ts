import type * as RDF from '@rdfjs/types';
import { DEFAULT_GRAPH, NO_TERM } from '../contracts/term-source.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './reading-overlay.ts';
import type { DescribedGraph } from './service-description.ts';

/**
 * Returns the graphs of some worlds as one dataset, the default graph first. Graphs with the same
 * name are counted together.
 */
export function describedGraphs(sources: readonly OpenSource[]): readonly DescribedGraph[] {
  let triples = 0;
  const named = new Map<string, DescribedGraph>();
  for (const { home, state, snapshot, dictionary } of sources) {
    const overlay = readingOverlay(dictionary);
    const view = home.store.view(overlay, [state.graphs], snapshot);
    triples += view.count(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH);
    for (const id of view.graphs) {
      const name = overlay.term(id) as RDF.NamedNode | RDF.BlankNode;
      const key = `${name.termType} ${name.value}`;
      const known = named.get(key)?.triples ?? 0;
      named.set(key, { name, triples: known + view.count(NO_TERM, NO_TERM, NO_TERM, id) });
    }
  }
  return [{ triples }, ...named.values()];
}
