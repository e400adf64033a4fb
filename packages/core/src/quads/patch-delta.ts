import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { commitTerms, FOUND, type MovedTerms, renamed, STORED, type TermRenaming } from './commit-terms.ts';
import type { Dictionary } from './dictionary.ts';
import type { ImportBasis, ImportChange } from './import-delta.ts';
import { applyMoves, moveTerms } from './moved-terms.ts';
import type { Overlay } from './overlay.ts';
import type { NetPatch } from './patch-collector.ts';
import { filterByPresence } from './presence.ts';
import { markUsedTerms, moveContexts, renameKnown, renameRun } from './rename-run.ts';
import { LOCAL_BIT, referenceOf } from './term-meta.ts';

/**
 * Like `importDelta`, for a patch. Terms that occur only in removed quads are not added to the
 * dictionary: a quad with an unknown term cannot be present.
 *
 * A kernel; requires the write lock.
 *
 * @param graphs the patch's graphs, with the contexts under which their quads were read; graphs
 *   that receive no quads are not created
 */
export function* patchDelta(
  overlay: Overlay,
  { added, removed }: NetPatch,
  graphs: ReadonlyMap<TermId, number>,
  { current, snapshot, dictionary, newContext }: Omit<ImportBasis, 'replaced'>,
): Generator<void, ImportChange, void> {
  const back = new Map<TermId, TermId>();
  if (dictionary !== overlay.dictionary) {
    for (const run of [added, removed]) {
      const moves: MovedTerms = yield* moveTerms(overlay, run, graphs.keys(), dictionary);
      for (const [id, next] of moves) back.set(id, next);
    }
  }
  const used = new Uint8Array(overlay.local.size + 1);
  yield* markUsedTerms(removed, used, FOUND);
  yield* markUsedTerms(added, used);
  for (const [name, context] of graphs) {
    if (name < LOCAL_BIT || used[name - LOCAL_BIT] === STORED) continue;
    used[name - LOCAL_BIT] = added.indexOfContext(context) < 0 ? FOUND : STORED;
  }
  const sharedBefore = dictionary.table.size;
  const renaming = yield* commitTerms(overlay, used, dictionary, dictionary === overlay.dictionary ? undefined : back);
  requireOwnScopes(overlay, renaming, dictionary, current.world);
  if (back.size > 0) for (const run of [added, removed]) yield* applyMoves(run, back);
  let inserted = yield* renameRun(added, renaming, back.size > 0 ? 'unsorted' : sharedBefore);
  let deleted = yield* renameKnown(removed, renaming);
  const created = new Map<TermId, number>();
  const moved = new Map<number, number>();
  for (const [name, context] of graphs) {
    const graph = renamed(back.get(name) ?? name, renaming);
    if (graph === NO_TERM) continue;
    const known = current.contextOf(graph);
    const isCreated = known < 0 && inserted.indexOfContext(context) >= 0;
    const own = isCreated ? newContext(context) : known;
    if (own >= 0 && own !== context) moved.set(context, own);
    if (isCreated) created.set(graph, own);
  }
  if (moved.size > 0) {
    inserted = yield* moveContexts(inserted, moved);
    deleted = yield* moveContexts(deleted, moved);
  }
  const delta = {
    inserted: yield* filterByPresence(inserted, snapshot, 'absent'),
    deleted: yield* filterByPresence(deleted, snapshot, 'present'),
  };
  return { delta, graphs: current.with(created), createdGraphs: created.size };
}

/**
 * Throws CONFLICT if another world has become the owner of blank nodes that the patch treated as
 * new: a blank node belongs to one world.
 */
function requireOwnScopes(
  { adoptedScopes }: Overlay,
  renaming: TermRenaming,
  { table }: Dictionary,
  world: number,
): void {
  for (const scope of adoptedScopes ?? []) {
    const shared = renamed(scope, renaming);
    if (shared === NO_TERM || referenceOf(table.metaOf(shared)) === world) continue;
    throw new WorldsError(
      'CONFLICT',
      'Another world has acquired the blank nodes of the patch in the meantime; repeat the import.',
    );
  }
}
