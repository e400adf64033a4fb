import type { WorldsEngine } from '@rdf-worlds/core';
import type { ModelChange, ModelEffect, WriteOperation } from './simulated-operation.ts';
import { graphsOf, line, type ModelState, type ModelWorld, NO_WORLDS, partsOf, quadOf } from './world-model.ts';

/** What a write needs to know. */
export interface WriteTarget {
  /** Different for each operation of a run. */
  readonly id: number;
  readonly namespace: string;
  readonly slug: string;
}

const COUNTER = 'urn:counter';
/**
 * Predicate of the counter that SPARQL updates increment, and of the one that `ifRevision` guards.
 */
const BY_UPDATE = 'urn:n';
const BY_REVISION = 'urn:m';
const SAYS = 'urn:says';

const NOT_FOUND: ModelEffect = { refusals: ['NOT_FOUND'] };

/** A text that no other operation writes, with a word that all texts have. */
export function textOf(id: number, at: number): string {
  return `common text w${id} ${at % 2 ? 'odd' : 'even'} n${at}`;
}

export function subjectOf(id: number): string {
  return `urn:s:${id % 5}`;
}

/** One of three named graphs. */
export function graphOf(id: number): string {
  return `urn:g:${id % 3}`;
}

/** New lines of an operation: some in a named graph. */
export function newLines(id: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    line(subjectOf(id + at), SAYS, textOf(id, at), (id + at) % 4 === 0 ? graphOf(id) : undefined),
  );
}

const sourceOf = ({ namespace, slug }: WriteTarget) => ({ namespace, slug });

/** A commit that replaces the lines of a world. */
function changed(
  state: ModelState,
  slug: string,
  { inserted, deleted }: { readonly inserted: readonly string[]; readonly deleted: readonly string[] },
  revision: number,
  result = `inserted ${inserted.length}, deleted ${deleted.length}`,
): ModelEffect {
  if (inserted.length + deleted.length === 0) return { result, slug };
  const world = state.get(slug)!;
  const lines = new Set(world.lines);
  for (const gone of deleted) lines.delete(gone);
  for (const added of inserted) lines.add(added);
  const change: ModelChange = { slug, kind: 'changed', inserted, deleted };
  const graphs = new Set([...world.graphs, ...graphsOf(inserted)]);
  return { result, next: new Map(state).set(slug, { ...world, lines, graphs, revision }), change, slug };
}

function withWorld(state: ModelState, slug: string, effect: (world: ModelWorld) => ModelEffect): ModelEffect {
  const world = state.get(slug);
  return world ? effect(world) : NOT_FOUND;
}

/** The effect of deleting, then inserting lines. */
function rewritten(
  { lines }: ModelWorld,
  remove: readonly string[],
  insert: readonly string[],
): { inserted: string[]; deleted: string[] } {
  const wanted = new Set(insert);
  return {
    inserted: insert.filter((added) => !lines.has(added)),
    deleted: remove.filter((gone) => lines.has(gone) && !wanted.has(gone)),
  };
}

const countOf = ({ inserted, deleted }: { inserted: number; deleted: number }) =>
  `inserted ${inserted}, deleted ${deleted}`;

export function createOperation(target: WriteTarget): WriteOperation {
  const { id, namespace, slug } = target;
  const label = `L${id}`;
  return {
    ...{ namespace, text: `#${id} create ${namespace}/${slug}` },
    async run(engine) {
      const { revision } = await engine.createWorld({ namespace, slug, label });
      return { result: label, revision };
    },
    apply(state, revision) {
      if (state.has(slug)) return { refusals: ['ALREADY_EXISTS'] };
      const change: ModelChange = { slug, kind: 'created', inserted: [], deleted: [] };
      return {
        result: label,
        next: new Map(state).set(slug, { identity: id, label, lines: new Set(), graphs: new Set(), revision }),
        change,
      };
    },
  };
}

export function deleteOperation(target: WriteTarget): WriteOperation {
  const { id, namespace, slug } = target;
  return {
    ...{ namespace, text: `#${id} delete ${namespace}/${slug}`, mayDrop: true },
    async run(engine) {
      await engine.deleteWorld({ source: sourceOf(target) });
      return { result: 'deleted' };
    },
    apply: (state) =>
      withWorld(state, slug, () => {
        const next = new Map(state);
        next.delete(slug);
        return { result: 'deleted', next, change: { slug, kind: 'deleted', inserted: [], deleted: [] } };
      }),
  };
}

export function deleteNamespaceOperation({ id, namespace }: WriteTarget): WriteOperation {
  return {
    ...{ namespace, text: `#${id} delete ${namespace}`, mayDrop: true },
    async run(engine) {
      await engine.deleteNamespace({ namespace });
      return { result: 'deleted' };
    },
    apply: (state) => (state.size === 0 ? NOT_FOUND : { result: 'deleted', next: NO_WORLDS }),
  };
}

export function labelOperation(target: WriteTarget): WriteOperation {
  const { id, namespace, slug } = target;
  const label = `L${id}`;
  return {
    ...{ namespace, text: `#${id} label ${namespace}/${slug}` },
    async run(engine) {
      const { revision } = await engine.updateWorld({ source: sourceOf(target), label });
      return { result: label, revision };
    },
    apply: (state, revision) =>
      withWorld(state, slug, (world) => ({
        result: label,
        next: new Map(state).set(slug, { ...world, label, revision }),
        change: { slug, kind: 'changed', inserted: [], deleted: [] },
      })),
  };
}

export function forkOperation(target: WriteTarget, fork: string): WriteOperation {
  const { id, namespace, slug } = target;
  const label = `L${id}`;
  return {
    ...{ namespace, text: `#${id} fork ${namespace}/${slug} to ${fork}` },
    async run(engine) {
      const { revision } = await engine.fork({ source: sourceOf(target), slug: fork, label });
      return { result: label, revision };
    },
    apply(state, revision) {
      const world = state.get(slug);
      const isTaken = state.has(fork);
      if (!world || isTaken)
        return {
          refusals: [...(world ? [] : ['NOT_FOUND' as const]), ...(isTaken ? ['ALREADY_EXISTS' as const] : [])],
        };
      const change: ModelChange = { slug: fork, kind: 'created', inserted: [...world.lines], deleted: [] };
      return {
        result: label,
        next: new Map(state).set(fork, { ...world, identity: id, label, revision }),
        change,
      };
    },
  };
}

/** Deletes some lines and inserts others, by `write`. */
export function writeOperation(
  target: WriteTarget,
  remove: readonly string[],
  insert: readonly string[],
): WriteOperation {
  const { id, namespace, slug } = target;
  return {
    ...{ namespace, text: `#${id} write ${namespace}/${slug} -${remove.length} +${insert.length}` },
    async run(engine) {
      const change = { delete: remove.map(quadOf), insert: insert.map(quadOf) };
      const done = await engine.write({ source: sourceOf(target), ...change });
      return { result: countOf(done), revision: done.revision };
    },
    apply: (state, revision) =>
      withWorld(state, slug, (world) => changed(state, slug, rewritten(world, remove, insert), revision)),
  };
}

/** Inserts lines by INSERT DATA. */
export function insertDataOperation(target: WriteTarget, insert: readonly string[]): WriteOperation {
  const { id, namespace, slug } = target;
  const patterns = insert.map((text) => {
    const { subject, predicate, object, graph } = partsOf(text);
    const triple = `<${subject}> <${predicate}> "${object}"`;
    return graph ? `GRAPH <${graph}> { ${triple} }` : `${triple} .`;
  });
  return {
    ...{ namespace, text: `#${id} insert data ${namespace}/${slug} +${insert.length}` },
    run: (engine) => updated(engine, target, `INSERT DATA { ${patterns.join(' ')} }`),
    apply: (state, revision) =>
      withWorld(state, slug, (world) => changed(state, slug, rewritten(world, [], insert), revision)),
  };
}

/** Deletes all triples of a subject from the default graph. */
export function deleteWhereOperation(target: WriteTarget, subject: string): WriteOperation {
  const { id, namespace, slug } = target;
  return {
    ...{ namespace, text: `#${id} remove ${subject} from ${namespace}/${slug}` },
    run: (engine) => updated(engine, target, `DELETE WHERE { <${subject}> ?p ?o }`),
    apply: (state, revision) =>
      withWorld(state, slug, ({ lines }) => {
        const deleted = [...lines].filter((text) => {
          const parts = partsOf(text);
          return parts.subject === subject && parts.graph === undefined;
        });
        return changed(state, slug, { inserted: [], deleted }, revision);
      }),
  };
}

/** Increments a counter by an update that reads it. */
export function incrementOperation(target: WriteTarget): WriteOperation {
  const { id, namespace, slug } = target;
  const query = `DELETE { <${COUNTER}> <${BY_UPDATE}> ?old } INSERT { <${COUNTER}> <${BY_UPDATE}> ?new }
    WHERE { OPTIONAL { <${COUNTER}> <${BY_UPDATE}> ?old } BIND(COALESCE(?old, 0) + 1 AS ?new) }`;
  return {
    ...{ namespace, text: `#${id} increment ${namespace}/${slug}` },
    run: (engine) => updated(engine, target, query),
    apply: (state, revision) =>
      withWorld(state, slug, (world) => changed(state, slug, incremented(world, BY_UPDATE), revision)),
  };
}

/** Increments a counter that was read at a revision, if the world is still at it. */
export function incrementIfOperation(
  target: WriteTarget,
  read: { revision: number; lines: ReadonlySet<string> },
): WriteOperation {
  const { id, namespace, slug } = target;
  const known = { identity: 0, label: '', graphs: new Set<string>(), ...read };
  const { inserted, deleted } = incremented(known, BY_REVISION);
  const data = (lines: readonly string[]) => lines.map((text) => text.replace(/ \.$/, '')).join(' . ');
  const remove = deleted.length > 0 ? `DELETE DATA { ${data(deleted)} } ; ` : '';
  const query = `${remove}INSERT DATA { ${data(inserted)} }`;
  return {
    ...{ namespace, text: `#${id} increment ${namespace}/${slug} if ${read.revision}` },
    run: (engine) => updated(engine, target, query, read.revision),
    apply: (state, revision) =>
      withWorld(state, slug, (world) =>
        world.revision === read.revision
          ? changed(state, slug, incremented(world, BY_REVISION), revision)
          : { refusals: ['CONFLICT'] },
      ),
  };
}

function incremented({ lines }: ModelWorld, predicate: string): { inserted: string[]; deleted: string[] } {
  const deleted = [...lines].filter((text) => text.startsWith(`<${COUNTER}> <${predicate}> `));
  const old = deleted.length > 0 ? Number(partsOf(deleted[0]).object) : 0;
  return { inserted: [line(COUNTER, predicate, old + 1)], deleted };
}

/**
 * Imports lines as N-Quads, in addition to the data of a world or in its place.
 *
 * @param pauses times in milliseconds that the document takes to arrive, after each of its lines
 */
export function importOperation(
  target: WriteTarget,
  insert: readonly string[],
  mode: 'merge' | 'replace',
  pauses: readonly number[],
): WriteOperation {
  const { id, namespace, slug } = target;
  return {
    ...{ namespace, text: `#${id} import ${namespace}/${slug} +${insert.length} (${mode})` },
    async run(engine) {
      const data = arriving(insert, pauses);
      const done = await engine.import({ source: sourceOf(target), data, contentType: 'application/n-quads', mode });
      return { result: countOf(done), revision: done.revision };
    },
    apply: (state, revision) =>
      withWorld(state, slug, (world) => {
        const effect = changed(
          state,
          slug,
          rewritten(world, mode === 'replace' ? [...world.lines] : [], insert),
          revision,
        );
        return mode === 'replace' ? withGraphs(state, slug, effect, graphsOf(insert), revision) : effect;
      }),
  };
}

/** Deletes some lines and inserts others, by an RDF Patch. */
export function patchOperation(
  target: WriteTarget,
  remove: readonly string[],
  insert: readonly string[],
  pauses: readonly number[],
): WriteOperation {
  const { id, namespace, slug } = target;
  return {
    ...{ namespace, text: `#${id} patch ${namespace}/${slug} -${remove.length} +${insert.length}` },
    async run(engine) {
      const lines = [...remove.map((text) => `D ${text}`), ...insert.map((text) => `A ${text}`)];
      const data = arriving(lines, pauses);
      const done = await engine.import({ source: sourceOf(target), data, contentType: 'application/rdf-patch' });
      return { result: countOf(done), revision: done.revision };
    },
    apply: (state, revision) =>
      withWorld(state, slug, (world) => changed(state, slug, rewritten(world, remove, insert), revision)),
  };
}

/** Deletes a named graph with its quads. */
export function dropGraphOperation(target: WriteTarget, graph: string): WriteOperation {
  const { id, namespace, slug } = target;
  return {
    ...{ namespace, text: `#${id} drop ${graph} of ${namespace}/${slug}` },
    async run(engine) {
      const { deleted, revision } = await engine.deleteGraph({ source: sourceOf(target), graph });
      return { result: `deleted ${deleted}`, revision };
    },
    apply: (state, revision) =>
      withWorld(state, slug, ({ lines, graphs }) => {
        if (!graphs.has(graph)) return NOT_FOUND;
        const deleted = [...lines].filter((text) => partsOf(text).graph === graph);
        const left = new Set(graphs);
        left.delete(graph);
        const effect = changed(state, slug, { inserted: [], deleted }, revision, `deleted ${deleted.length}`);
        return withGraphs(state, slug, effect, left, revision);
      }),
  };
}

/** The effect of a write after which a world has these graphs: a commit, if it had others. */
function withGraphs(
  state: ModelState,
  slug: string,
  effect: ModelEffect,
  graphs: ReadonlySet<string>,
  revision: number,
): ModelEffect {
  const before = state.get(slug)!;
  const isSame = graphs.size === before.graphs.size && [...graphs].every((graph) => before.graphs.has(graph));
  if (!effect.next && isSame) return effect;
  const world = (effect.next ?? state).get(slug)!;
  const change: ModelChange = effect.change ?? { slug, kind: 'changed', inserted: [], deleted: [] };
  return { ...effect, next: new Map(state).set(slug, { ...world, graphs, revision }), change };
}

/** A document that arrives line by line. */
async function* arriving(lines: readonly string[], pauses: readonly number[]): AsyncGenerator<string> {
  for (const [at, text] of lines.entries()) {
    yield `${text}\n`;
    const ms = pauses[at];
    if (ms !== undefined) await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

async function updated(
  engine: WorldsEngine,
  target: WriteTarget,
  query: string,
  ifRevision?: number,
): Promise<{ result: string; revision: number }> {
  const done = await engine.update({ sources: [sourceOf(target)], query, ifRevision });
  return { result: countOf(done), revision: done.revision };
}
