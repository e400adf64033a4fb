import { QuadBatch } from '../contracts/quad-batch.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import type { Dictionary } from '../quads/dictionary.ts';
import type { Delta } from '../quads/merge-runs.ts';
import type { Overlay } from '../quads/overlay.ts';
import { SPO } from '../quads/permutation.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import type { WorldGraphs } from '../quads/world-graphs.ts';
import type { DocumentColumns } from '../search/document-table.ts';
import type { NamespaceState } from './namespace-state.ts';
import { readingOverlay } from './reading-overlay.ts';
import type { WorldState } from './world-state.ts';

/** Maximum number of documents that are indexed in one step. */
const BATCH = 8192;

/**
 * Yields the documents of some worlds, including those in named graphs. May yield a document more
 * than once.
 */
export function* documentsOf(
  { store }: NamespaceState,
  worlds: Iterable<WorldState>,
  snapshot: Snapshot,
  dictionary: Dictionary,
): Generator<{ readonly added: DocumentColumns; readonly overlay: Overlay; readonly length: number }> {
  for (const { graphs } of worlds) {
    const overlay = readingOverlay(dictionary);
    const cursor = store.view(overlay, [graphs], snapshot).cursor();
    cursor.seek(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
    const quads = new QuadBatch(BATCH);
    while (cursor.next(quads) > 0) {
      const added = new DocumentRows(quads.length);
      for (let row = 0; row < quads.length; row++) {
        if (overlay.kind(quads.object[row]) === 'literal') {
          added.push(graphs.world, quads.subject[row], quads.predicate[row], quads.object[row]);
        }
      }
      yield { added, overlay, length: quads.length };
    }
  }
}

/**
 * Yields the documents to add and to remove after a commit: those that its delta inserted and that
 * still exist, and those that no graph of the world contains any more.
 *
 * @param overlay reads the ids of the delta
 */
export function* changedDocuments(
  { store }: NamespaceState,
  graphs: WorldGraphs,
  delta: Delta,
  overlay: Overlay,
): Generator<{ readonly added: DocumentColumns; readonly removed: DocumentColumns }> {
  const { world } = graphs;
  for (const run of [delta.inserted, delta.deleted]) {
    const [subject, predicate, object] = run.columnsOf(SPO);
    for (let start = 0; start < run.length; start += BATCH) {
      const end = Math.min(start + BATCH, run.length);
      const added = new DocumentRows(end - start);
      const removed = new DocumentRows(end - start);
      const view = store.view(overlay, [graphs]);
      for (let row = start; row < end; row++) {
        if (overlay.kind(object[row]) !== 'literal') continue;
        const alive = view.count(subject[row], predicate[row], object[row], NO_TERM) > 0;
        (alive ? added : removed).push(world, subject[row], predicate[row], object[row]);
      }
      yield { added, removed };
    }
  }
}

class DocumentRows implements DocumentColumns {
  length = 0;
  readonly world: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;

  constructor(capacity: number) {
    this.world = new Uint32Array(capacity);
    this.subject = new Uint32Array(capacity);
    this.predicate = new Uint32Array(capacity);
    this.object = new Uint32Array(capacity);
  }

  push(world: number, subject: TermId, predicate: TermId, object: TermId): void {
    const row = this.length++;
    this.world[row] = world;
    this.subject[row] = subject;
    this.predicate[row] = predicate;
    this.object[row] = object;
  }
}

export const NO_DOCUMENTS: DocumentColumns = new DocumentRows(0);
