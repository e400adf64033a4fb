import { dataFactory } from '@rdf-worlds/core';
import { turns } from '@rdf-worlds/core/internal';
import type { AgentMemory, MemoryEngine } from './agent-memory.ts';
import type { Triple } from './fact.ts';
import { hitSubject } from './fact-quads.ts';
import { LABEL_PREDICATES } from './memory-vocabulary.ts';
import { entityIri } from './minted-iri.ts';
import { nameSimilarity, plainName } from './name-similarity.ts';
import type { WorldName } from './world-name.ts';
import { type NameBounds, worldNames } from './world-names.ts';

/** Why an entity may be the one that is meant, the strongest reason first. */
export const CANDIDATE_REASONS = [
  'exact',
  'same letters',
  'similar name',
  'found by search',
  'similar meaning',
] as const;

/** An entity that may be the one that a name means. */
export interface Candidate {
  readonly entity: Triple['subject'];
  readonly label: string;
  readonly world: WorldName;
  readonly reason: (typeof CANDIDATE_REASONS)[number];
  /** From 0 to 1; 1 is certain. */
  readonly score: number;
}

/** What {@link findEntities} found. */
export interface FoundEntities {
  /** The best first. */
  readonly candidates: readonly Candidate[];
  /** Whether there were more names than could be compared with a misspelt one. */
  readonly isPartial: boolean;
}

/** Options of {@link findEntities}. */
export interface FindOptions {
  /** Most candidates. */
  readonly limit: number;
  /** Whether only exact names count, which are found by lookup. Default: false. */
  readonly isExact?: boolean | undefined;
  /** Whether no others are looked for once there are exact names. Default: false. */
  readonly exactSuffices?: boolean | undefined;
  /** Whether the answer must not follow internal ids; see `WorldScope.hidesSome`. */
  readonly hidesSome: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Below this, a name is not similar. */
const MIN_SIMILARITY = 0.65;
const MAX_SEARCH_HITS = 20;

/** Finds the entities that have a name, exactly or nearly; one candidate for each entity. */
export async function findEntities(
  { engine, limits }: AgentMemory,
  worlds: readonly WorldName[],
  name: string,
  { limit, isExact = false, exactSuffices = false, signal, hidesSome }: FindOptions,
): Promise<FoundEntities> {
  const found = new Candidates();
  for (const world of worlds) await findExact(engine, world, name, found, signal);
  const isEnough = found.size >= limit || (exactSuffices && found.size > 0);
  if (isExact || worlds.length === 0 || isEnough) return { candidates: found.best(limit), isPartial: false };
  await findBySearch(engine, worlds, name, found, { hidesSome, signal });
  const isPartial = await findSimilar(engine, worlds, name, found, {
    // Those with a name that is exact are found already.
    limit: limit + found.size,
    maxNames: limits.maxComparedNames,
    timeoutMs: limits.timeoutMs,
    maxMemoryBytes: limits.maxMemoryBytes,
    signal,
  });
  return { candidates: found.best(limit), isPartial };
}

class Candidates {
  private readonly byEntity = new Map<string, Candidate>();

  get size(): number {
    return this.byEntity.size;
  }

  add(candidate: Candidate): void {
    const { entity, world } = candidate;
    const key = `${world.namespace}/${world.slug} ${entity.termType} ${entity.value}`;
    const known = this.byEntity.get(key);
    if (!known || known.score < candidate.score) this.byEntity.set(key, candidate);
  }

  best(limit: number): Candidate[] {
    const order = (a: Candidate, b: Candidate) =>
      b.score - a.score || (a.entity.value < b.entity.value ? -1 : a.entity.value > b.entity.value ? 1 : 0);
    return [...this.byEntity.values()].sort(order).slice(0, limit);
  }
}

/** By lookup: the label as it is written, or the IRI that the name would get. */
async function findExact(
  engine: MemoryEngine,
  world: WorldName,
  name: string,
  found: Candidates,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isLabel = new Set(LABEL_PREDICATES);
  const object = dataFactory.literal(name.trim());
  for await (const { subject, predicate } of engine.quads({ source: world, object, signal })) {
    if (!isLabel.has(predicate.value)) continue;
    found.add({ entity: subject as Triple['subject'], label: object.value, world, reason: 'exact', score: 1 });
  }
  if (name.trim().length > 200) return;
  const entity = dataFactory.namedNode(entityIri(name));
  for await (const _ of engine.quads({ source: world, subject: entity, signal })) {
    found.add({ entity, label: name.trim(), world, reason: 'exact', score: 1 });
    break;
  }
}

/** By the words of the labels, stemmed, and by vectors if the engine has an embedder. */
async function findBySearch(
  engine: MemoryEngine,
  worlds: readonly WorldName[],
  name: string,
  found: Candidates,
  { hidesSome, signal }: { hidesSome: boolean; signal: AbortSignal | undefined },
): Promise<void> {
  const hits = await engine.search({
    query: name,
    sources: worlds,
    predicates: LABEL_PREDICATES,
    limit: MAX_SEARCH_HITS,
    canonicalOrder: hidesSome,
    signal,
  });
  const wanted = plainName(name);
  hits.forEach(({ subject, object, world, ftsRank }, i) => {
    const similarity = nameSimilarity(wanted, plainName(object));
    const entity = hitSubject(subject);
    const at = { namespace: world.namespace, slug: world.slug };
    if (similarity === 1) found.add({ entity, label: object, world: at, reason: 'same letters', score: 0.98 });
    else if (similarity >= MIN_SIMILARITY)
      found.add({ entity, label: object, world: at, reason: 'similar name', score: similarity * 0.95 });
    // Only the rank speaks for it: by a part of the name, or by its vector alone.
    else {
      const reason = ftsRank === null ? 'similar meaning' : 'found by search';
      found.add({ entity, label: object, world: at, reason, score: 0.5 / (1 + i) });
    }
  });
}

/** By similar letters, with an index of names. Returns whether names were left out. */
async function findSimilar(
  engine: MemoryEngine,
  worlds: readonly WorldName[],
  name: string,
  found: Candidates,
  { limit, ...bounds }: NameBounds & { readonly limit: number },
): Promise<boolean> {
  let isPartial = false;
  for (const world of worlds) {
    const names = await worldNames(engine, world, bounds);
    isPartial ||= names.isPartial;
    // Comparing names takes milliseconds, and the names resume all the calls that wait for them.
    const turn = turns.begin(bounds.signal);
    if (turn) await turn;
    for (const { name: label, holder: entity, similarity } of names.index.similar(name, MIN_SIMILARITY, limit)) {
      if (similarity === 1) found.add({ entity, label, world, reason: 'same letters', score: 0.98 });
      else found.add({ entity, label, world, reason: 'similar name', score: similarity * 0.95 });
    }
  }
  return isPartial;
}
