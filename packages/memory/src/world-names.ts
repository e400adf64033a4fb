import { dataFactory, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { MemoryEngine } from './agent-memory.ts';
import type { Triple } from './fact.ts';
import { LABEL_PREDICATES } from './memory-vocabulary.ts';
import { NameIndex } from './name-index.ts';
import type { WorldName } from './world-name.ts';

type Entity = Triple['subject'];

/** The names of a world as of a revision. */
export interface WorldNames {
  readonly index: NameIndex<Entity>;
  /** Whether the world has more names than are indexed. */
  readonly isPartial: boolean;
  /** Revision of the world; NaN if it is not known, and then the names are not kept. */
  readonly revision: number;
}

export interface NameBounds {
  /** Names that are indexed, at most. */
  readonly maxNames: number;
  readonly timeoutMs: number;
  readonly maxMemoryBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Worlds whose names are kept of each engine: those used last. */
const MAX_KEPT_WORLDS = 16;

const kept = new WeakMap<object, Map<string, Promise<WorldNames>>>();

const LABELS = `SELECT ?entity ?label WHERE {
  VALUES ?predicate { ${LABEL_PREDICATES.map((iri) => `<${iri}>`).join(' ')} }
  ?entity ?predicate ?label FILTER(isLITERAL(?label)) }`;
const IS_LABEL: ReadonlySet<string> = new Set(LABEL_PREDICATES);

/**
 * Returns the names of the entities of a world, as of now. They are kept between calls, and brought
 * up to date by what has changed where the engine keeps a history; without one, they are read again
 * when the world has changed. The caller must be allowed to read the world.
 */
export async function worldNames(engine: MemoryEngine, world: WorldName, bounds: NameBounds): Promise<WorldNames> {
  const names = keptOf(engine);
  const key = `${world.namespace}/${world.slug} ${bounds.maxNames}`;
  // One after the other: two differences that are applied in the wrong order would be wrong.
  const before = names.get(key)?.catch(() => undefined);
  const now = asOfNow(engine, world, before, bounds);
  // Used last.
  names.delete(key);
  names.set(key, now);
  for (const oldest of names.keys()) {
    if (names.size <= MAX_KEPT_WORLDS) break;
    names.delete(oldest);
  }
  const isKept = await now.then(
    ({ revision }) => !Number.isNaN(revision),
    () => false,
  );
  if (!isKept && names.get(key) === now) names.delete(key);
  return now;
}

async function asOfNow(
  engine: MemoryEngine,
  world: WorldName,
  earlier: Promise<WorldNames | undefined> | undefined,
  bounds: NameBounds,
): Promise<WorldNames> {
  const before = await earlier;
  const revision = (await engine.getWorld({ source: world }))?.revision ?? Number.NaN;
  if (before?.revision === revision) return before;
  const usable = before?.isPartial || before?.index.isSparse ? undefined : before;
  return (await updated(engine, world, usable, bounds)) ?? (await read(engine, world, usable, { ...bounds, revision }));
}

function keptOf(engine: MemoryEngine): Map<string, Promise<WorldNames>> {
  let names = kept.get(engine);
  if (!names) kept.set(engine, (names = new Map()));
  return names;
}

/**
 * Applies what has changed since the names were read; undefined if that is not known. Consumes
 * `before`.
 */
async function updated(
  engine: MemoryEngine,
  world: WorldName,
  before: WorldNames | undefined,
  { maxMemoryBytes, signal }: NameBounds,
): Promise<WorldNames | undefined> {
  if (!before) return undefined;
  const diff = await engine
    .diff({ source: world, from: before.revision, maxMemoryBytes, signal })
    .catch((error: unknown) => {
      // No history, or not so far back, or another world of that name.
      if (error instanceof WorldsError && ['TRUNCATED', 'NOT_FOUND', 'INVALID_ARGUMENT'].includes(error.code))
        return undefined;
      throw error;
    });
  if (!diff) return undefined;
  const { index } = before;
  for (const { subject, object } of labelsOf(diff.deleted)) index.remove(object.value, keyOf(subject));
  for (const { subject, object } of labelsOf(diff.inserted)) index.add(object.value, keyOf(subject), subject as Entity);
  return { index, isPartial: false, revision: diff.to.revision };
}

/** Reads all names; into the index of `before`, so that those that have not changed cost little. */
async function read(
  engine: MemoryEngine,
  world: WorldName,
  before: WorldNames | undefined,
  { maxNames, revision, ...bounds }: NameBounds & { readonly revision: number },
): Promise<WorldNames> {
  const index = before?.index ?? new NameIndex<Entity>();
  const known = new Set<number>();
  const rows = await engine.select({ sources: [world], query: LABELS, ...bounds });
  let isPartial = false;
  for await (const row of rows) {
    if (known.size === maxNames) {
      isPartial = true;
      break;
    }
    const entity = row.get('entity') as Entity;
    const number = index.add(row.get('label')!.value, keyOf(entity), entity);
    if (number !== undefined) known.add(number);
  }
  index.retain(known);
  return { index, isPartial, revision };
}

function* labelsOf(quads: Iterable<RDF.Quad>): Generator<RDF.Quad> {
  for (const quad of quads) {
    const { predicate, object, graph } = quad;
    if (graph.equals(dataFactory.defaultGraph()) && IS_LABEL.has(predicate.value) && object.termType === 'Literal')
      yield quad;
  }
}

function keyOf({ termType, value }: RDF.Term): string {
  return `${termType} ${value}`;
}
