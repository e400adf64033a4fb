import { dataFactory, WorldsError } from '@rdf-worlds/core';
import { DEFAULT_GRAPH, NO_TERM, QuadBatch, type TermId, type UpdateView } from '@rdf-worlds/core/plugin';
import type { Pacer } from './pacer.ts';
import { QuadList } from './quad-list.ts';
import type { TranslatedOperation } from './translation.ts';
import type { GraphReference } from './translator.ts';

type Operation<Kind extends TranslatedOperation['kind']> = Extract<TranslatedOperation, { kind: Kind }>;

/** Returns the id of a graph; interns the IRI if it is new. */
function idOf(view: UpdateView, graph: GraphReference): TermId {
  if (typeof graph !== 'string') return view.source.terms.intern(dataFactory.namedNode(graph.value));
  if (graph === 'DEFAULT') return DEFAULT_GRAPH;
  throw new Error(`${graph} is not one graph.`);
}

function nameOf(graph: GraphReference): string {
  return typeof graph === 'string' ? graph : `<${graph.value}>`;
}

/** Returns whether a graph exists; the default graph always does. */
function exists(view: UpdateView, graph: TermId): boolean {
  return graph === DEFAULT_GRAPH || view.hasTargetGraph(graph);
}

function missing(kind: string, graph: GraphReference): WorldsError {
  return new WorldsError(
    'NOT_FOUND',
    `${kind.toUpperCase()}: the graph ${nameOf(graph)} does not exist; write ${kind.toUpperCase()} SILENT to ignore this.`,
  );
}

/** CREATE (SPARQL 1.1 Update section 3.2.1). Throws ALREADY_EXISTS. */
export async function createGraph(view: UpdateView, { graph, silent }: Operation<'create'>): Promise<void> {
  const id = idOf(view, graph);
  if (!exists(view, id)) {
    await view.apply({ createdGraphs: [id] });
  } else if (!silent) {
    throw new WorldsError(
      'ALREADY_EXISTS',
      `CREATE: the graph ${nameOf(graph)} exists; write CREATE SILENT to ignore this.`,
    );
  }
}

/**
 * CLEAR (section 3.1.5), which empties graphs, and DROP (section 3.2.2), which removes them. Throws
 * NOT_FOUND.
 */
export async function emptyGraphs(
  view: UpdateView,
  { kind, graph, silent }: Operation<'clear' | 'drop'>,
): Promise<void> {
  const graphs: TermId[] = [];
  if (graph === 'DEFAULT' || graph === 'ALL') graphs.push(DEFAULT_GRAPH);
  if (graph === 'NAMED' || graph === 'ALL') graphs.push(...view.targetGraphs);
  if (typeof graph !== 'string') {
    const id = idOf(view, graph);
    if (exists(view, id)) graphs.push(id);
    else if (!silent) throw missing(kind, graph);
  }
  if (graphs.length === 0) return;
  const kept = kind === 'clear' ? graphs.filter((id) => id !== DEFAULT_GRAPH) : [];
  await view.apply({ droppedGraphs: graphs, createdGraphs: kept });
}

/** Returns the triples of one graph of the target as quads of another graph. */
async function copied(view: UpdateView, from: TermId, to: TermId, pacer: Pacer): Promise<QuadList> {
  const quads = new QuadList();
  const cursor = view.target.cursor();
  const batch = new QuadBatch();
  cursor.seek(NO_TERM, NO_TERM, NO_TERM, from);
  while (cursor.next(batch) > 0) {
    for (let row = 0; row < batch.length; row++) {
      quads.add(batch.subject[row], batch.predicate[row], batch.object[row], to);
    }
    await pacer.breathe();
  }
  return quads;
}

/**
 * COPY, MOVE and ADD (sections 3.2.3 to 3.2.5). From a graph to itself each does nothing. Throws
 * NOT_FOUND for a missing source.
 */
export async function transferGraph(
  view: UpdateView,
  { kind, from, to, silent }: Operation<'copy' | 'move' | 'add'>,
  pacer: Pacer,
): Promise<void> {
  const source = idOf(view, from);
  const target = idOf(view, to);
  if (source === target) return;
  if (!exists(view, source)) {
    if (silent) return;
    throw missing(kind, from);
  }
  const inserted = await copied(view, source, target, pacer);
  const droppedGraphs = [...(kind === 'add' ? [] : [target]), ...(kind === 'move' ? [source] : [])];
  // The target must exist afterwards even if nothing was inserted into it.
  const createdGraphs = target === DEFAULT_GRAPH ? [] : [target];
  await view.apply({ droppedGraphs, createdGraphs, inserted });
}
