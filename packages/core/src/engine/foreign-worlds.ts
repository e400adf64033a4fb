import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../contracts/quad-batch.ts';
import type { Slicer } from '../contracts/slicer.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import type { Overlay } from '../quads/overlay.ts';
import { QuadCollector } from '../quads/quad-collector.ts';
import type { QuadStore } from '../quads/quad-store.ts';
import { EMPTY_RUN } from '../quads/run.ts';
import { EMPTY_SNAPSHOT, type Snapshot } from '../quads/snapshot.ts';
import { WorldGraphs } from '../quads/world-graphs.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './reading-overlay.ts';

/** Memory of a copied quad: its row, its run, and about one entry in the map of terms. */
const ROW_BYTES = 4 * (4 + 3 * 3) + 48;

/**
 * Worlds of other namespaces in a request. Ids differ between namespaces, so their quads are copied
 * into the request's private overlay and then join like any others. Takes time and memory
 * proportional to those worlds.
 */
export class ForeignWorlds {
  readonly graphs: WorldGraphs[] = [];
  private readonly overlay: Overlay;
  private readonly store: QuadStore;
  private readonly deltas: Snapshot['deltas'][number][] = [];

  constructor(overlay: Overlay, store: QuadStore) {
    this.overlay = overlay;
    this.store = store;
  }

  /** Returns a snapshot extended by the copied quads. */
  over(snapshot: Snapshot): Snapshot {
    return this.deltas.reduce((all, delta) => all.with(delta), snapshot);
  }

  /** A snapshot of the copied quads alone. */
  get only(): Snapshot {
    return this.over(EMPTY_SNAPSHOT);
  }

  async add({ home, state, snapshot, dictionary }: OpenSource, slicer: Slicer): Promise<void> {
    const foreign = readingOverlay(dictionary);
    const view = home.store.view(foreign, [state.graphs], snapshot);
    const copies = new Map<TermId, TermId>([[DEFAULT_GRAPH, DEFAULT_GRAPH]]);
    const copy = (id: TermId): TermId => {
      let own = copies.get(id);
      if (own === undefined) {
        own = this.overlay.internForeign(foreign.term(id) as RDF.Term);
        copies.set(id, own);
      }
      return own;
    };
    const contexts = new Map<TermId, number>();
    const defaultContext = this.store.allocateContext();
    for (const graph of view.graphs) contexts.set(copy(graph), this.store.allocateContext());
    const collector = new QuadCollector(this.overlay, (graph) => contexts.get(graph) ?? defaultContext);
    const cursor = view.cursor();
    const batch = new QuadBatch();
    cursor.seek(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
    while (cursor.next(batch) > 0) {
      this.overlay.memory?.claimMemory(batch.length * ROW_BYTES);
      for (let row = 0; row < batch.length; row++) {
        const { subject, predicate, object, graph } = batch;
        collector.add(copy(subject[row]), copy(predicate[row]), copy(object[row]), copy(graph[row]));
      }
      if (slicer.due) await slicer.pause();
    }
    const inserted = await slicer.run(collector.finish());
    this.deltas.push({ inserted, deleted: EMPTY_RUN });
    this.graphs.push(new WorldGraphs(0, defaultContext, new Uint32Array(0), new Uint32Array(0)).with(contexts));
  }
}
