import type { Slicer } from '../contracts/slicer.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { Transaction } from '../quads/transaction.ts';
import type { Catalog } from './catalog.ts';
import type { DataChange } from './commit.ts';
import { commitData } from './commit-changes.ts';
import type { NamespaceState } from './namespace-state.ts';
import type { OpenSource } from './open-source.ts';
import { quadsAsRows } from './quad-rows.ts';
import { requestOverlay } from './query-work.ts';
import type * as z from './request-schema.ts';
import type { writeRequest } from './requests.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import type { WorldState } from './world-state.ts';
import { type OftenMade, withWorldLocked } from './write-world.ts';

/** The net effect of a write: quads that were added or removed, without no-ops. */
export interface WriteResult {
  /** Quads that the world did not have before. */
  readonly inserted: number;
  /** Quads that the world no longer has. */
  readonly deleted: number;
  /** Revision of the world afterwards. */
  readonly revision: number;
}

export type QuadsToWrite = Omit<z.Output<typeof writeRequest>, 'source'>;

/** Returns a request whose quads can be read several times. */
export function repeatableQuads({ insert, delete: remove, ...rest }: QuadsToWrite): QuadsToWrite {
  return { insert: kept(insert), delete: kept(remove), ...rest };
}

function kept(quads: unknown): unknown {
  const isOnce = typeof quads === 'object' && quads !== null && Symbol.iterator in quads && !Array.isArray(quads);
  return isOnce ? new KeptQuads(quads as Iterable<unknown>) : quads;
}

/**
 * A sequence that keeps what is read of it, for the next attempt. It is read by the write, which
 * pauses, heeds its signal and its limit of memory.
 */
class KeptQuads implements Iterable<unknown> {
  private readonly quads: Iterable<unknown>;
  private readonly read: unknown[] = [];
  private isWhole = false;

  constructor(quads: Iterable<unknown>) {
    this.quads = quads;
  }

  *[Symbol.iterator](): Generator<unknown, void, undefined> {
    if (this.isWhole) return yield* this.read;
    if (this.read.length > 0) throw new Error('A write that had read a part of its input was repeated.');
    for (const quad of this.quads) {
      this.read.push(quad);
      yield quad;
    }
    this.isWhole = true;
  }
}

/**
 * Deletes, then inserts quads of a world, as one commit. Throws INVALID_ARGUMENT for values that
 * are not quads, CONFLICT if the revision differs from `ifRevision`, LIMIT_EXCEEDED or OVERLOADED
 * for memory, ABORTED if the signal fires.
 */
export function writeQuads(catalog: Catalog, opened: OpenSource, request: QuadsToWrite): Promise<WriteResult> {
  const { ifRevision, signal } = request;
  const memory = new RequestBudget(catalog.memoryPool);
  return withWorldLocked(opened, { ifRevision, signal }, new LockedWrite(catalog, request, memory));
}

class LockedWrite implements OftenMade<WriteResult> {
  private readonly catalog: Catalog;
  private readonly request: QuadsToWrite;
  private readonly memory: RequestMemory;

  constructor(catalog: Catalog, request: QuadsToWrite, memory: RequestMemory) {
    this.catalog = catalog;
    this.request = request;
    this.memory = memory;
  }

  run(state: WorldState, home: NamespaceState, slicer: Slicer): WriteResult | Promise<WriteResult> {
    let writing: WriteResult | Promise<WriteResult>;
    try {
      writing = this.write(state, home, slicer);
    } catch (error) {
      this.memory.release();
      throw error;
    }
    if (writing instanceof Promise) return writing.finally(() => this.memory.release());
    this.memory.release();
    return writing;
  }

  private write(state: WorldState, home: NamespaceState, slicer: Slicer): WriteResult | Promise<WriteResult> {
    const making = slicer.runOrWait(this.change(state, home));
    return making instanceof Promise
      ? making.then((change) => this.commit(state, home, change))
      : this.commit(state, home, making);
  }

  /** A kernel. */
  private *change({ graphs }: WorldState, home: NamespaceState): Generator<void, DataChange, void> {
    const { store } = home;
    const { insert, delete: remove } = this.request;
    const terms = requestOverlay(this.catalog, store.dictionary, graphs.world, 'shared', this.memory);
    const inserted = yield* quadsAsRows(insert, 'write: insert', terms, true, this.memory);
    const deleted = yield* quadsAsRows(remove, 'write: delete', terms, false, this.memory);
    const transaction = new Transaction(terms, store.latest, graphs, store.allocateContext);
    yield* transaction.apply({ inserted, deleted });
    const change = yield* transaction.finish();
    if (isWorthMeasuring(home, change.delta)) yield* measureDelta(home, change.delta);
    return change;
  }

  private commit(state: WorldState, home: NamespaceState, change: DataChange): WriteResult {
    const { record } = commitData(home, state, change, this.catalog.clock());
    const { inserted, deleted } = change.delta;
    return { inserted: inserted.length, deleted: deleted.length, revision: record.revision };
  }
}
