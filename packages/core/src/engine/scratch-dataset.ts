import type * as RDF from '@rdfjs/types';
import type { Slicer } from '../contracts/slicer.ts';
import { DEFAULT_GRAPH, type TermId } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import { requirePositions } from '../model/quad-positions.ts';
import { parseBlankNodeLabel } from '../quads/blank-node-label.ts';
import { ContextMap } from '../quads/context-map.ts';
import { DatasetView } from '../quads/dataset-view.ts';
import { Dictionary } from '../quads/dictionary.ts';
import { Overlay } from '../quads/overlay.ts';
import { QuadCollector } from '../quads/quad-collector.ts';
import { EMPTY_RUN } from '../quads/run.ts';
import { EMPTY_SNAPSHOT } from '../quads/snapshot.ts';

const DEFAULT_CONTEXT = 1;
/** Number of quads between two checks of the clock. */
const STRIDE = 256;
/** Memory of a quad: its row and its run. */
const ROW_BYTES = 4 * (4 + 3 * 3);

/**
 * Returns quads as a private dataset without duplicates, for the writers of formats. Blank nodes
 * with labels issued by this library keep them; others get new ones.
 *
 * @param graphs named graphs that exist even if they have no quads
 */
export async function scratchDataset(
  batches: AsyncIterable<Iterable<RDF.Quad>> | Iterable<Iterable<RDF.Quad>>,
  slicer: Slicer,
  graphs: readonly RDF.Term[] = [],
  memory?: MemoryBudget,
): Promise<DatasetView> {
  const [low, high] = crypto.getRandomValues(new Int32Array(2));
  const owner = { world: 0, scope: () => crypto.getRandomValues(new Uint8Array(16)) };
  const overlay = new Overlay(new Dictionary({ low, high }), owner, 'private', memory);
  let contexts = DEFAULT_CONTEXT + 1;
  const given = new Map(graphs.map((graph) => [internKept(overlay, graph), contexts++]));
  const contextOf = (graph: TermId) => (graph === DEFAULT_GRAPH ? DEFAULT_CONTEXT : (given.get(graph) ?? contexts++));
  const collector = new QuadCollector(overlay, contextOf);
  for await (const batch of batches) {
    for (const quad of batch) {
      requirePositions(quad);
      collector.add(
        internKept(overlay, quad.subject),
        internKept(overlay, quad.predicate),
        internKept(overlay, quad.object),
        internKept(overlay, quad.graph),
      );
      if (collector.length % STRIDE !== 0) continue;
      memory?.claimMemory(STRIDE * ROW_BYTES);
      if (collector.blockIsFull) await slicer.run(collector.finishBlock());
      if (slicer.due) await slicer.pause();
    }
    if (slicer.due) await slicer.pause();
  }
  const inserted = await slicer.run(collector.finish());
  const named = Array.from(new Map([...given, ...collector.graphs]), ([graph, context]) => ({
    graph,
    contexts: Uint32Array.of(context),
  }))
    .filter(({ graph }) => graph !== DEFAULT_GRAPH)
    .sort((a, b) => a.graph - b.graph);
  const map = new ContextMap(Uint32Array.of(DEFAULT_CONTEXT), named);
  return new DatasetView(overlay, EMPTY_SNAPSHOT.with({ inserted, deleted: EMPTY_RUN }), map, contexts);
}

function internKept(overlay: Overlay, term: RDF.Term): TermId {
  switch (term.termType) {
    case 'BlankNode':
      return parseBlankNodeLabel(term.value) ? overlay.internForeign(term) : overlay.internScoped(term);
    case 'Quad':
      return overlay.triple(
        internKept(overlay, term.subject),
        internKept(overlay, term.predicate),
        internKept(overlay, term.object),
      );
    default:
      return overlay.intern(term);
  }
}
