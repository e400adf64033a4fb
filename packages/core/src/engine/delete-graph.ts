import { Transaction } from '../quads/transaction.ts';
import type { Catalog } from './catalog.ts';
import { commitData } from './commit-changes.ts';
import { type GraphName, requireGraph } from './graph-name.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './reading-overlay.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import { withWorldLocked } from './write-world.ts';

/** The effect of deleting a graph. */
export interface DeleteGraphResult {
  /** Number of quads that the graph had. */
  readonly deleted: number;
  /** Revision of the world afterwards. */
  readonly revision: number;
}

interface DeleteGraphWork {
  readonly graph: GraphName;
  readonly ifRevision?: number;
  readonly signal?: AbortSignal;
}

/** Deletes a graph with its quads as one commit. Throws NOT_FOUND if there is no such graph. */
export function deleteGraph(
  catalog: Catalog,
  opened: OpenSource,
  { graph, ifRevision, signal }: DeleteGraphWork,
): Promise<DeleteGraphResult> {
  return withWorldLocked(opened, { ifRevision, signal }, async (state, home, slicer) => {
    const overlay = readingOverlay(home.store.dictionary);
    const droppedGraphs = [requireGraph(graph, overlay, state.graphs, opened)];
    const transaction = new Transaction(overlay, home.store.latest, state.graphs, home.store.allocateContext);
    await slicer.run(transaction.apply({ droppedGraphs }));
    const change = await slicer.run(transaction.finish());
    if (isWorthMeasuring(home, change.delta)) await slicer.run(measureDelta(home, change.delta));
    const changed = commitData(home, state, change, catalog.clock());
    return { deleted: change.delta.deleted.length, revision: changed.record.revision };
  });
}
