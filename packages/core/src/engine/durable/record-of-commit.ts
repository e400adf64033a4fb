import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { packTerms } from '../../quads/packed-terms.ts';
import type { Run } from '../../quads/run.ts';
import { WorldGraphs } from '../../quads/world-graphs.ts';
import type { Commit } from '../commit.ts';
import type { NamespaceState } from '../namespace-state.ts';
import type { World } from '../world.ts';
import type { WorldState } from '../world-state.ts';
import { type CommitRecord, type RecordFields, rowsOfRun } from './commit-record.ts';

/** Up to this many contexts are looked up one by one: a map of all graphs would take longer. */
const FEW_CONTEXTS = 16;
const NONE = new Uint32Array(0);
const NO_GRAPH_CHANGES = { createdGraphs: NONE, createdContexts: NONE, droppedGraphs: NONE };

/**
 * Converts a commit to its log record.
 *
 * @param loggedTerms the terms up to this number are in the log or in a pending record; this record
 *   contains the later ones
 */
export function recordOf(commit: Commit, { store, nextWorld }: NamespaceState, loggedTerms: number): CommitRecord {
  const { before, after, delta, revision, timeMs } = commit;
  const { table } = store.dictionary;
  const state = (after ?? before)!;
  return {
    revision,
    timeMs,
    nextWorld,
    nextContext: store.nextContext,
    world: state.graphs.world,
    kind: before ? (after ? 'changed' : 'deleted') : 'created',
    record: fieldsOf(state.record),
    defaultContext: state.graphs.defaultContext,
    ...graphChanges(before?.graphs, after?.graphs),
    inserted: rowsOfRun(delta.inserted, graphNames(delta.inserted, state)),
    deleted: rowsOfRun(delta.deleted, graphNames(delta.deleted, before)),
    firstTerm: loggedTerms + 1,
    terms: packTerms(table, loggedTerms + 1, table.size),
  };
}

function fieldsOf({ namespace, revision, ...fields }: World): RecordFields {
  return fields;
}

/** Returns a function from the contexts of a run to their graphs in one state of the world. */
function graphNames({ contexts }: Run, state: WorldState | undefined): (context: number) => TermId {
  if (!state || contexts.length === 0) return () => NO_TERM;
  const { defaultContext, graphs, contexts: named } = state.graphs;
  if (contexts.length === 1) {
    return (context) => (context === defaultContext ? DEFAULT_GRAPH : graphs[named.indexOf(context)]);
  }
  const names = new Map<number, TermId>();
  if (contexts.length <= FEW_CONTEXTS) {
    for (const context of contexts) if (context !== defaultContext) names.set(context, graphs[named.indexOf(context)]);
  } else {
    for (let i = 0; i < named.length; i++) names.set(named[i], graphs[i]);
  }
  return (context) => names.get(context) ?? DEFAULT_GRAPH;
}

function graphChanges(before: WorldGraphs | undefined, after: WorldGraphs | undefined) {
  // The graphs of a deleted world need not be listed.
  if (!after || after === before) return NO_GRAPH_CHANGES;
  const old = before ?? new WorldGraphs(0, 0, NONE, NONE);
  const created = after.notIn(old);
  const hasDropped = old.graphs.length + created.graphs.length > after.graphs.length;
  return {
    createdGraphs: Uint32Array.from(created.graphs),
    createdContexts: Uint32Array.from(created.contexts),
    droppedGraphs: hasDropped ? Uint32Array.from(old.notIn(after).graphs) : NONE,
  };
}
