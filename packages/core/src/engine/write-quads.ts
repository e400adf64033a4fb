import type { z } from 'zod';
import { Transaction } from '../quads/transaction.ts';
import type { Slicer } from '../storage/slicer.ts';
import type { Catalog, OpenSource } from './catalog.ts';
import { commitData, type DataChange } from './commit.ts';
import type { Namespace, WorldState } from './namespace.ts';
import { quadsAsRows } from './quad-rows.ts';
import { requestOverlay } from './query-work.ts';
import type { writeRequest } from './requests.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import { type OftenMade, withWorldLocked } from './write-world.ts';

export interface WriteResult {
  readonly inserted: number;
  readonly deleted: number;
  /** The world's revision afterwards. */
  readonly revision: number;
}

type QuadsToWrite = Omit<z.output<typeof writeRequest>, 'source'>;

/** Deletes, then inserts quads of a world, in one commit. Throws INVALID_ARGUMENT for what are no quads, CONFLICT for another revision, ABORTED by the signal. */
export function writeQuads(catalog: Catalog, opened: OpenSource, request: QuadsToWrite): Promise<WriteResult> {
  const { ifRevision, signal } = request;
  return withWorldLocked(opened, { ifRevision, signal }, new LockedWrite(catalog, request));
}

class LockedWrite implements OftenMade<WriteResult> {
  private readonly catalog: Catalog;
  private readonly request: QuadsToWrite;

  constructor(catalog: Catalog, request: QuadsToWrite) {
    this.catalog = catalog;
    this.request = request;
  }

  run(state: WorldState, home: Namespace, slicer: Slicer): WriteResult | Promise<WriteResult> {
    const making = slicer.runOrWait(this.change(state, home));
    return making instanceof Promise
      ? making.then((change) => this.commit(state, home, change))
      : this.commit(state, home, making);
  }

  /** A kernel. */
  private *change({ graphs }: WorldState, home: Namespace): Generator<void, DataChange, void> {
    const { store } = home;
    const { insert, delete: remove } = this.request;
    const terms = requestOverlay(this.catalog, store.dictionary, graphs.world, 'shared');
    const inserted = yield* quadsAsRows(insert, 'write: insert', terms, true);
    const deleted = yield* quadsAsRows(remove, 'write: delete', terms, false);
    const transaction = new Transaction(terms, store.latest, graphs, store.allocateContext);
    yield* transaction.apply({ inserted, deleted });
    const change = yield* transaction.finish();
    if (isWorthMeasuring(home, change.delta)) yield* measureDelta(home, change.delta);
    return change;
  }

  private commit(state: WorldState, home: Namespace, change: DataChange): WriteResult {
    const { record } = commitData(home, state, change, this.catalog.clock());
    const { inserted, deleted } = change.delta;
    return { inserted: inserted.length, deleted: deleted.length, revision: record.revision };
  }
}
