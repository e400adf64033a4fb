import type { z } from 'zod';
import { Overlay } from '../quads/overlay.ts';
import { Transaction } from '../quads/transaction.ts';
import type { Catalog, OpenSource } from './catalog.ts';
import { commitData } from './commit.ts';
import { columnsOfQuads } from './quad-rows.ts';
import type { writeRequest } from './requests.ts';
import { withWorldLocked } from './write-world.ts';

export interface WriteResult {
  readonly inserted: number;
  readonly deleted: number;
  /** The world's revision afterwards. */
  readonly revision: number;
}

/** Deletes, then inserts quads of a world, in one commit. Throws INVALID_ARGUMENT for what are no quads, CONFLICT for another revision, ABORTED by the signal. */
export function writeQuads(
  catalog: Catalog,
  opened: OpenSource,
  request: Omit<z.output<typeof writeRequest>, 'source'>,
): Promise<WriteResult> {
  const { insert, delete: remove, ifRevision, signal } = request;
  return withWorldLocked(opened, { ifRevision, signal }, async (state, home, slicer) => {
    await home.store.keepUp();
    const owner = { world: state.graphs.world, scope: catalog.newScope };
    const overlay = new Overlay(home.store.dictionary, owner, 'shared');
    const inserted = await columnsOfQuads(insert, 'write: insert', (term) => overlay.intern(term), slicer);
    const deleted = await columnsOfQuads(remove, 'write: delete', (term) => overlay.find(term), slicer);
    const transaction = new Transaction(overlay, home.store.latest, state.graphs, home.store.allocateContext);
    await slicer.run(transaction.apply({ inserted, deleted }));
    const change = await slicer.run(transaction.finish());
    const changed = commitData(home, state, change, catalog.clock());
    const { delta } = change;
    return { inserted: delta.inserted.length, deleted: delta.deleted.length, revision: changed.record.revision };
  });
}
