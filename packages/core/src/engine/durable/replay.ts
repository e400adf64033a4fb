import { Buffer } from '#platform';
import type { Delta } from '../../quads/merge-runs.ts';
import { unpackTerms } from '../../quads/packed-terms.ts';
import { completeRun, type Run } from '../../quads/run.ts';
import { WorldGraphs } from '../../quads/world-graphs.ts';
import type { Commit } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { isWorthMeasuring, measureDelta, sizeAfter } from '../world-size.ts';
import type { WorldState } from '../world-state.ts';
import { COMMIT_RECORD, type CommitRecord, type RunRows } from './commit-record.ts';
import { corrupt } from './sealed-bytes.ts';

/**
 * Applies a commit of the log to a namespace. Throws CORRUPT if the record does not follow the
 * namespace's revision, so no commit is applied twice. A kernel.
 *
 * @param where identifies the record in messages
 * @param onRenumbered called before a term that has a number gets another one; may throw
 */
export function* replay(
  namespace: NamespaceState,
  record: CommitRecord,
  where: string,
  onRenumbered?: () => void,
): Generator<void, Commit, void> {
  const { store } = namespace;
  const before = namespace.worldOf(record.world);
  const isNext =
    record.revision === namespace.revision + 1 &&
    record.firstTerm === store.dictionary.table.size + 1 &&
    (before === undefined) === (record.kind === 'created');
  if (!isNext) throw corrupt(COMMIT_RECORD, where, new Error('It does not follow the record before it.'));
  yield* unpackTerms(store.dictionary.table, record.terms.metas, joined(record.terms.texts), onRenumbered);
  const delta = { inserted: yield* runOf(record.inserted), deleted: yield* runOf(record.deleted) };
  if (isWorthMeasuring(namespace, delta)) yield* measureDelta(namespace, delta);
  const commit: Commit = {
    revision: record.revision,
    timeMs: record.timeMs,
    before,
    after: stateAfter(namespace, before, record, delta),
    delta,
  };
  namespace.nextWorld = record.nextWorld;
  store.nextContext = record.nextContext;
  namespace.show(commit);
  return commit;
}

function joined(texts: readonly Uint8Array[]): Uint8Array {
  return texts.length === 1 ? texts[0] : Buffer.concat(texts);
}

function runOf({ contexts, starts, subject, predicate, object }: RunRows): Generator<void, Run, void> {
  return completeRun(contexts, starts, [subject, predicate, object]);
}

function stateAfter(
  namespace: NamespaceState,
  before: WorldState | undefined,
  { record, kind, world, revision, ...changes }: CommitRecord,
  delta: Delta,
): WorldState | undefined {
  if (kind === 'deleted') return undefined;
  const { defaultContext, droppedGraphs, createdGraphs, createdContexts } = changes;
  const none = new Uint32Array(0);
  let graphs = before?.graphs ?? new WorldGraphs(world, defaultContext, none, none);
  if (droppedGraphs.length > 0) graphs = graphs.without(new Set(droppedGraphs));
  if (createdGraphs.length > 0) {
    graphs = graphs.with(new Map(Array.from(createdGraphs, (graph, i) => [graph, createdContexts[i]])));
  }
  const after = { record: { ...record, namespace: namespace.name, revision }, graphs };
  return { ...after, size: sizeAfter(namespace, before, after, delta) };
}
