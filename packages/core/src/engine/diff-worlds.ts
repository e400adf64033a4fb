import type * as RDF from '@rdfjs/types';
import { Slicer } from '../contracts/slicer.ts';
import { turns } from '../contracts/turns.ts';
import { isDate } from '../model/any-realm.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import { diffDatasets } from '../quads/dataset-diff.ts';
import { Overlay } from '../quads/overlay.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import { type NodePairs, pairBlankNodes } from './blank-node-pairs.ts';
import type { Catalog } from './catalog.ts';
import { ForeignWorlds } from './foreign-worlds.ts';
import { holdAll } from './held-stream.ts';
import { NetQuads } from './net-quads.ts';
import { runOneAtATime } from './one-at-a-time.ts';
import type { OpenSource } from './open-source.ts';
import type * as z from './request-schema.ts';
import type { diffRequest } from './requests.ts';
import type { World } from './world.ts';

/**
 * Quads of a difference. An engine in this process computes them again on each iteration, from the
 * two states, which stay in memory while the difference is referenced.
 */
export interface DiffQuads extends Iterable<RDF.Quad> {
  /** Number of quads. */
  readonly length: number;
}

/** The difference between two states of worlds: what changes the first into the second. */
export interface WorldDiff {
  /** Record of the first world, as of the moment that was compared. */
  readonly from: World;
  /** Record of the second. */
  readonly to: World;
  /** Quads of the second that the first does not have. */
  readonly inserted: DiffQuads;
  /** Quads of the first that the second does not have. */
  readonly deleted: DiffQuads;
}

/** A row of a difference that is read as a stream. */
export interface DiffRow {
  /** Whether the quad is in the second state only, or in the first only. */
  readonly change: 'inserted' | 'deleted';
  readonly quad: RDF.Quad;
}

type DiffWork = Omit<z.Output<typeof diffRequest>, 'signal'> & { readonly signal: AbortSignal | undefined };

const NO_PAIRS: NodePairs = new Map();

/**
 * Compares two states. Throws NOT_FOUND, LIMIT_EXCEEDED, OVERLOADED, ABORTED and the errors of
 * `readPast`.
 */
export async function diffWorlds(catalog: Catalog, work: DiffWork): Promise<WorldDiff> {
  const { sources } = catalog;
  const { source, from, to, signal, maxMemoryBytes } = work;
  const isWorld = typeof to === 'object' && !isDate(to);
  const open = () =>
    Promise.all([
      sources.openAt(source, from, 'diff: source', signal),
      isWorld
        ? sources.openAt(to.source, to.at, 'diff: to.source', signal)
        : sources.openAt(source, to, 'diff: source', signal),
    ]);
  let [one, other] = await open();
  // A compaction may have come between the two: then one dictionary may lack terms of the other.
  while (one.home === other.home && one.dictionary !== other.dictionary) [one, other] = await open();
  const memory = new RequestBudget(catalog.memoryPool, maxMemoryBytes);
  const release = holdAll([one.home, other.home]);
  try {
    throwIfAborted(signal);
    const turn = turns.begin(signal);
    if (turn) await turn;
    return await compare(catalog, one, other, { memory, slicer: new Slicer(signal), signal });
  } finally {
    release();
    memory.release();
  }
}

/** Number of rows between two checks of the clock. */
const STRIDE = 256;

/** Yields the rows of a difference, deleted ones first, with pauses. Throws ABORTED. */
export async function* diffRows({ inserted, deleted }: WorldDiff, signal: AbortSignal | undefined) {
  const slicer = new Slicer(signal);
  let rows = 0;
  for (const [change, quads] of [['deleted', deleted] as const, ['inserted', inserted] as const]) {
    for (const quad of quads) {
      yield { change, quad } satisfies DiffRow;
      if (++rows % STRIDE === 0 && slicer.due) await slicer.pause();
    }
  }
}

interface ComparingWork {
  readonly memory: RequestBudget;
  readonly slicer: Slicer;
  readonly signal: AbortSignal | undefined;
}

async function compare(
  catalog: Catalog,
  from: OpenSource,
  to: OpenSource,
  { memory, slicer, signal }: ComparingWork,
): Promise<WorldDiff> {
  const terms = new Overlay(from.dictionary, { world: 0, scope: catalog.newScope }, 'private', memory);
  const compared = await aligned(from, to, terms, slicer);
  const isSame = from.home === to.home && from.state.graphs.world === to.state.graphs.world;
  const view = (world: Compared) => from.home.store.view(terms, [world.state.graphs], world.snapshot);
  const pairs = isSame
    ? NO_PAIRS
    : await runOneAtATime(
        pairBlankNodes(
          { ...from, view: view(from) },
          { ...compared, view: view(compared) },
          { terms, memory, limits: catalog.limits },
        ),
        slicer,
        signal,
      );
  const { inserted, deleted } = await slicer.run(
    diffDatasets(
      { graphs: from.state.graphs, snapshot: from.snapshot },
      { graphs: compared.state.graphs, snapshot: compared.snapshot },
      pairs,
      memory,
    ),
  );
  return {
    from: from.state.record,
    to: to.state.record,
    inserted: new NetQuads(inserted, terms),
    deleted: new NetQuads(deleted, terms),
  };
}

interface Compared {
  readonly state: Pick<OpenSource['state'], 'graphs' | 'record'>;
  readonly snapshot: Snapshot;
}

/** Returns the second world in ids of the first one's namespace. */
async function aligned(from: OpenSource, to: OpenSource, terms: Overlay, slicer: Slicer): Promise<Compared> {
  if (from.home === to.home) return to;
  const guests = new ForeignWorlds(terms, from.home.store);
  await guests.add(to, slicer);
  const [graphs] = guests.graphs;
  return { state: { record: to.state.record, graphs }, snapshot: guests.only };
}
