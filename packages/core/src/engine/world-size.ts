import { Buffer } from '#platform';
import type { Delta } from '../quads/merge-runs.ts';
import {
  bytesOfRun,
  type DataSize,
  growthOfGraphs,
  type MeasuredTerms,
  measureRun,
  NO_DATA,
  sizesByContext,
} from '../quads/quad-bytes.ts';
import type { QuadStore } from '../quads/quad-store.ts';
import type { NamespaceQuota } from './namespace-quota.ts';
import { contextsOf, type WorldState } from './world-state.ts';

/** The parts of a namespace that are needed to measure its sizes. */
interface CountedStore {
  /** Undefined if the engine has no quotas; nothing is counted then. */
  readonly quota: NamespaceQuota | undefined;
  readonly store: QuadStore;
}

/** Deltas up to this number of rows are measured synchronously during their commit. */
const FEW_ROWS = 1 << 14;

/**
 * Returns the size of a world after a delta. Large deltas should be measured in advance; see
 * {@link measureDelta}.
 */
export function sizeAfter(
  { quota, store }: CountedStore,
  before: WorldState | undefined,
  { record, graphs }: Omit<WorldState, 'size'>,
  { inserted, deleted }: Delta,
): DataSize {
  if (!quota) return NO_DATA;
  const terms = { shared: store.dictionary.table };
  const { quads, bytes } = before?.size ?? NO_DATA;
  return {
    quads: quads + inserted.length - deleted.length,
    bytes:
      bytes +
      (bytesOfRun(inserted, terms) - bytesOfRun(deleted, terms)) +
      growthOfGraphs(before?.graphs, graphs, terms) +
      (record === before?.record ? 0 : bytesOfRecord(record) - (before ? bytesOfRecord(before.record) : 0)),
  };
}

/** Whether a delta is large enough to be measured in slices before its commit. */
export function isWorthMeasuring({ quota }: CountedStore, { inserted, deleted }: Delta): boolean {
  return quota !== undefined && inserted.length + deleted.length > FEW_ROWS;
}

/** Measures a large delta in advance, so that its commit finds the sizes cached. A kernel. */
export function* measureDelta({ store }: CountedStore, { inserted, deleted }: Delta): Generator<void, void, void> {
  const terms = { shared: store.dictionary.table };
  yield* measureRun(inserted, terms);
  yield* measureRun(deleted, terms);
}

/**
 * Returns worlds that were read from a checkpoint, with their sizes in the namespace's snapshot. A
 * kernel.
 */
export function* withSizes(
  { quota, store }: CountedStore,
  worlds: readonly WorldState[],
): Generator<void, readonly WorldState[], void> {
  if (!quota) return worlds;
  const terms: MeasuredTerms = { shared: store.dictionary.table };
  const sizes = yield* sizesByContext(store.snapshot, terms);
  return worlds.map((state) => {
    let quads = 0;
    let bytes = bytesOfRecord(state.record) + growthOfGraphs(undefined, state.graphs, terms);
    for (const context of contextsOf(state)) {
      const size = sizes.get(context) ?? NO_DATA;
      quads += size.quads;
      bytes += size.bytes;
    }
    return { ...state, size: { quads, bytes } };
  });
}

function bytesOfRecord({ label, description }: WorldState['record']): number {
  return Buffer.byteLength(label ?? '') + Buffer.byteLength(description ?? '');
}
