import { type WorldsEngine, WorldsError } from '@rdf-worlds/core';
import type { ReadOperation } from './simulated-operation.ts';
import { lineOf, linesKey, type ModelState, type ModelWorld, partsOf } from './world-model.ts';

/** What a read is about, and how recent it must be. */
export interface ReadTarget {
  readonly id: number;
  readonly namespace: string;
  readonly slug: string;
  readonly consistency: 'bounded' | 'latest';
  /** See {@link ReadOperation.token}. */
  readonly token?: number | undefined;
}

type Observe = (state: ModelState) => string;

const ofWorld =
  (slug: string, see: (world: ModelWorld) => string): Observe =>
  (state) => {
    const world = state.get(slug);
    return world ? see(world) : 'NOT_FOUND';
  };

function read(
  what: string,
  { id, namespace, slug, consistency, token }: ReadTarget,
  run: (engine: WorldsEngine) => Promise<string>,
  observe: Observe,
): ReadOperation {
  const isLatest = consistency === 'latest' && token === undefined;
  const how = token === undefined ? consistency : `after ${token}`;
  return {
    ...{ namespace, isLatest, token, observe },
    text: `#${id} ${what} ${namespace}/${slug} (${how})`,
    async run(engine) {
      try {
        if (token !== undefined) await engine.catchUp({ namespace, revision: token });
        return await run(engine);
      } catch (error) {
        if (error instanceof WorldsError && error.code === 'NOT_FOUND') return error.code;
        throw error;
      }
    },
  };
}

/** The lines of an export as N-Quads, as {@link linesKey}. */
export function linesOfExport(exported: Uint8Array): string {
  const text = Buffer.from(exported).toString();
  return linesKey(text.split('\n').filter(Boolean));
}

/** The quads of a world, as an export. */
export function exportRead(target: ReadTarget): ReadOperation {
  const { namespace, slug } = target;
  const source = { namespace, slug };
  const run = async (engine: WorldsEngine) => {
    return linesOfExport(await engine.export({ source, consistency: target.consistency }));
  };
  return read(
    'export',
    target,
    run,
    ofWorld(slug, ({ lines }) => linesKey(lines)),
  );
}

/** The quads of a world and its revision, as a snapshot. */
export function datasetRead(target: ReadTarget): ReadOperation {
  const source = { namespace: target.namespace, slug: target.slug };
  const run = async (engine: WorldsEngine) => {
    if (target.consistency === 'latest') await engine.catchUp({ namespace: target.namespace });
    using dataset = await engine.dataset({ source });
    return datasetKey(dataset.revision, [...dataset].map(lineOf));
  };
  return read(
    'snapshot',
    target,
    run,
    ofWorld(target.slug, ({ revision, lines }) => datasetKey(revision, lines)),
  );
}

function datasetKey(revision: number, lines: Iterable<string>): string {
  return `${revision}: ${linesKey(lines)}`;
}

/** The revision and the lines that a {@link datasetRead} has seen. */
export function datasetOf(seen: string): { revision: number; lines: ReadonlySet<string> } {
  const [revision] = seen.split(': ', 1);
  const lines = seen.slice(revision.length + 2).split('\n');
  return { revision: Number(revision), lines: new Set(lines.filter(Boolean)) };
}

/** Subjects and texts of the default graph of a world, as a SPARQL query. */
export function selectRead(target: ReadTarget): ReadOperation {
  const { namespace, slug, consistency } = target;
  const query = 'SELECT ?s ?o { ?s ?p ?o }';
  const run = async (engine: WorldsEngine) => {
    const result = await engine.select({ sources: [{ namespace, slug }], query, consistency });
    return linesKey((await result.array()).map((row) => `${row.get('s')!.value} ${row.get('o')!.value}`));
  };
  const pairs = ({ lines }: ModelWorld) =>
    [...lines]
      .map(partsOf)
      .filter(({ graph }) => graph === undefined)
      .map(({ subject, object }) => `${subject} ${object}`);
  return read(
    'select',
    target,
    run,
    ofWorld(slug, (world) => linesKey(pairs(world))),
  );
}

/** The number of quads in the named graphs of all worlds of a namespace, joined on their ids. */
export function joinRead(target: ReadTarget): ReadOperation {
  const { namespace, consistency } = target;
  const query = 'SELECT DISTINCT ?g ?s { GRAPH ?g { ?s ?p ?o } ?s <urn:says> ?text }';
  const run = async (engine: WorldsEngine) => {
    const result = await engine.select({ namespace, query, consistency });
    return linesKey((await result.array()).map((row) => `${row.get('g')!.value} ${row.get('s')!.value}`));
  };
  const observe = (state: ModelState) => {
    const all = [...state.values()].flatMap(({ lines }) => [...lines].map(partsOf));
    const unnamed = new Set(all.filter(({ graph }) => graph === undefined).map(({ subject }) => subject));
    const isJoined = ({ graph, subject }: { graph: string | undefined; subject: string }) =>
      graph && unnamed.has(subject);
    return linesKey(new Set(all.filter(isJoined).map(({ graph, subject }) => `${graph} ${subject}`)));
  };
  return read('join', { ...target, slug: '*' }, run, observe);
}

/** The record of a world. */
export function recordRead(target: ReadTarget): ReadOperation {
  const { namespace, slug, consistency } = target;
  const run = async (engine: WorldsEngine) => {
    const world = await engine.getWorld({ source: { namespace, slug }, consistency });
    return world ? `${world.revision} ${world.label}` : 'NOT_FOUND';
  };
  return read(
    'record',
    target,
    run,
    ofWorld(slug, ({ revision, label }) => `${revision} ${label}`),
  );
}

/** The records of all worlds of a namespace. */
export function listRead(target: ReadTarget): ReadOperation {
  const { namespace, consistency } = target;
  const run = async (engine: WorldsEngine) => {
    const worlds = await engine.listWorlds({ namespace, consistency, pageSize: 100 });
    return linesKey(worlds.map(({ slug, revision, label }) => `${slug} ${revision} ${label}`));
  };
  const observe = (state: ModelState) =>
    linesKey([...state].map(([slug, { revision, label }]) => `${slug} ${revision} ${label}`));
  return read('list', { ...target, slug: '*' }, run, observe);
}

/** All texts with a word, of one world or of all. */
export function searchRead(target: ReadTarget, word: string, isOfAll: boolean): ReadOperation {
  const { namespace, slug, consistency } = target;
  const run = async (engine: WorldsEngine) => {
    const scope = isOfAll ? { namespace } : { sources: [{ namespace, slug }] };
    const hits = await engine.search({ ...scope, query: word, limit: 1000, consistency });
    return linesKey(hits.map((hit) => `${hit.world.slug} ${hit.subject} ${hit.object}`));
  };
  const hits = (slug: string, { lines }: ModelWorld) =>
    [...lines]
      .map(partsOf)
      .filter(({ object }) => object.split(' ').includes(word))
      .map(({ subject, object }) => `${slug} ${subject} ${object}`);
  const observe = isOfAll
    ? (state: ModelState) => linesKey([...state].flatMap(([name, world]) => hits(name, world)))
    : ofWorld(slug, (world) => linesKey(hits(slug, world)));
  return read(`search ${word}`, isOfAll ? { ...target, slug: '*' } : target, run, observe);
}
