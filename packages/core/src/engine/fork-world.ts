import { Slicer } from '../contracts/slicer.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { type ForkedWorld, forkDelta } from '../quads/fork-delta.ts';
import type { Catalog } from './catalog.ts';
import { commitFork } from './commit-changes.ts';
import { forkedScope } from './forked-scope.ts';
import { givenFields } from './given-fields.ts';
import { readPast } from './history/read-past.ts';
import type { Namespace } from './namespace.ts';
import { worldNotFound } from './open-source.ts';
import { openPast } from './past-source.ts';
import type * as z from './request-schema.ts';
import type { forkRequest } from './requests.ts';
import type { World } from './world.ts';
import { type ResolvedSource, requireName } from './world-name.ts';
import { isWorthMeasuring, measureDelta } from './world-size.ts';
import type { WorldState } from './world-state.ts';

type ForkWork = Omit<z.Output<typeof forkRequest>, 'source'> & { readonly source: ResolvedSource };

/**
 * Creates a world as a copy of another one, as one commit. Throws NOT_FOUND, ALREADY_EXISTS, the
 * errors of `readPast`, and those of a commit.
 */
export async function forkWorld(catalog: Catalog, work: ForkWork): Promise<World> {
  const { source, slug, signal } = work;
  requireName(slug, 'fork: slug');
  for (;;) {
    const home = await catalog.findOnHead(source.namespace);
    if (!home) throw worldNotFound(source);
    const forked = await home.exclusively(async () => {
      throwIfAborted(signal);
      // The namespace was reloaded or deleted while this call waited for the lock: look again.
      if (home.dropped) return undefined;
      if (home.store.isBehind) await home.store.keepUp();
      return fork(catalog, home, work);
    }, signal);
    if (forked) return forked.record;
  }
}

/** Requires the namespace lock. */
async function fork(
  catalog: Catalog,
  home: Namespace,
  { source, slug, at, label, description, signal }: ForkWork,
): Promise<WorldState> {
  if (home.latest(slug)) {
    throw new WorldsError('ALREADY_EXISTS', `The world ${home.name}/${slug} already exists; choose another slug.`);
  }
  const { record, ...forked } = await sourceOf(home, source, at, signal);
  const timeMs = catalog.clock();
  const { store } = home;
  const world = home.nextWorld++;
  const identity = { record: { namespace: home.name, createdAt: timeMs }, graphs: { world } };
  const { dictionary, allocateContext } = store;
  const slicer = new Slicer(signal);
  const change = await slicer.run(
    forkDelta(forked, { world, dictionary, allocateContext, scopeFor: (scope) => forkedScope(scope, identity) }),
  );
  if (isWorthMeasuring(home, change.delta)) await slicer.run(measureDelta(home, change.delta));
  const { label: sourceLabel, description: sourceDescription } = record;
  const fields = givenFields({
    label: label ?? sourceLabel,
    description: description === undefined ? sourceDescription : description,
  });
  return commitFork(home, { slug, ...fields }, change, timeMs);
}

/** Returns the world to copy. Its terms stay in the dictionary as long as the lock is held. */
async function sourceOf(
  home: Namespace,
  source: ResolvedSource,
  at: ForkWork['at'],
  signal: AbortSignal | undefined,
): Promise<ForkedWorld & Pick<WorldState, 'record'>> {
  if (at !== undefined) {
    const { state, snapshot } = await readPast(home, at, (past) => openPast(home, past, source, at), signal);
    return { record: state.record, graphs: state.graphs, snapshot };
  }
  const state = home.latest(source.slug);
  if (!state) throw worldNotFound(source);
  return { record: state.record, graphs: state.graphs, snapshot: home.store.latest };
}
