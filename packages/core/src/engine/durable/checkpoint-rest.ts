import type { Slicer } from '../../contracts/slicer.ts';
import type { Checkpoint } from '../../contracts/storage.ts';
import { TERM_KIND } from '../../contracts/term-bytes.ts';
import { mergeDeltas } from '../../quads/merge-runs.ts';
import { SPO } from '../../quads/permutation.ts';
import { completeRun, EMPTY_RUN, type Run } from '../../quads/run.ts';
import { kindOf, referenceOf } from '../../quads/term-meta.ts';
import type { TermTable } from '../../quads/term-table.ts';
import { WorldGraphs } from '../../quads/world-graphs.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { contextsOf, type WorldState } from '../world-state.ts';
import { isDamage } from './is-damage.ts';
import { corrupt, type SealedKind } from './sealed-bytes.ts';
import { adoptTerms, decodeRun, decodeState, decodeTerms } from './segments.ts';

const CHECKPOINT: SealedKind = { name: 'checkpoint', magic: 0, version: 1 };
const STEP = 4096;

/** The part of a damaged checkpoint that is proven. */
export interface CheckpointRest {
  /** Number of proven quads. */
  readonly quads: number;
  /** Human-readable descriptions of missing data. */
  readonly missing: readonly string[];
  /** Slugs of the worlds that may lack quads. */
  readonly incomplete: ReadonlySet<string>;
}

/**
 * Loads the proven part of a damaged checkpoint into an empty namespace: every quad of it existed
 * at the checkpoint's revision. Throws CORRUPT if the state segment, which names the worlds, is
 * damaged.
 */
export async function loadRest(
  namespace: NamespaceState,
  checkpoint: Checkpoint,
  slicer: Slicer,
): Promise<CheckpointRest> {
  const where = `the checkpoint of the namespace ${namespace.name}`;
  const segments = new Map(checkpoint.segments.map((segment) => [segment.name, segment]));
  const missing: string[] = [];
  /** Reads and decodes a segment; undefined if it is damaged. */
  const read = async <T>(name: string, decode: (data: Uint8Array) => Generator<void, T, void>) => {
    const segment = segments.get(name);
    try {
      if (!segment) throw corrupt(CHECKPOINT, where);
      return await slicer.run(decode(await segment.read()));
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      return undefined;
    }
  };

  const stateName = checkpoint.segments.find(({ name }) => name.startsWith('state-'))?.name ?? 'state-';
  const state = await read(stateName, (data) => decodeState(data, namespace.name, where));
  if (!state) throw corrupt(CHECKPOINT, where);
  const { table } = namespace.store.dictionary;
  const terms = [];
  for (const { name, first, last } of state.terms) {
    const part = await read(name, (data) => decodeTerms(data, first, where));
    if (part) terms.push(part);
    else
      missing.push(`The texts of the terms ${first} to ${last}, in segment ${name}, and every quad that contains one.`);
  }
  await slicer.run(adoptTerms(terms, table, where));
  table.skipTo(state.terms.at(-1)?.last ?? table.size);
  const isKnown = await slicer.run(knownTerms(table));

  const worldOf = new Map(
    state.worlds.flatMap((world) => contextsOf(world).map((context) => [context, world] as const)),
  );
  const incomplete = new Set<string>();
  const lacks = (contexts: Iterable<number>): void => {
    for (const context of contexts) {
      const world = worldOf.get(context);
      if (world) incomplete.add(world.record.slug);
    }
  };
  const isDead = (context: number): boolean => !worldOf.has(context);

  // Applied in the order of the commits, as sets: the deletion of a missing quad must not remove
  // one that was inserted later.
  let quads: Run = EMPTY_RUN;
  for (const { inserted, deleted } of state.deltas) {
    const [came, went] = [
      inserted === null ? EMPTY_RUN : await read(inserted, (data) => decodeRun(data, where)),
      deleted === null ? EMPTY_RUN : await read(deleted, (data) => decodeRun(data, where)),
    ];
    if (!went) {
      missing.push(`The deletions of segment ${deleted}, and ${quads.length} quads that may be among them.`);
      lacks(quads.contexts);
      quads = EMPTY_RUN;
    }
    if (!came) {
      missing.push(`The quads of segment ${inserted}.`);
      lacks(worldOf.keys());
    }
    const delta = { inserted: came ?? EMPTY_RUN, deleted: went ?? EMPTY_RUN };
    const merged = await slicer.run(mergeDeltas([{ inserted: quads, deleted: EMPTY_RUN }, delta], isDead));
    quads = merged.inserted;
  }

  const worlds = state.worlds.map((world) => withKnownGraphs(world, isKnown));
  const living = new Set(worlds.flatMap(contextsOf));
  lacks([...worldOf.keys()].filter((context) => !living.has(context)));
  const kept = await slicer.run(knownRows(quads, isKnown, (context) => living.has(context)));
  lacks(kept.shortened);
  namespace.store.restore([{ inserted: kept.run, deleted: EMPTY_RUN }], state.nextContext);
  namespace.restore(worlds, state.revision, state.nextWorld);
  return { quads: kept.run.length, missing, incomplete };
}

/**
 * Returns whether a number denotes a term that is present together with all terms it references. A
 * kernel.
 */
function* knownTerms(table: TermTable): Generator<void, (id: number) => boolean, void> {
  const { size } = table;
  const known = new Uint8Array(size + 1);
  const isKnown = (id: number): boolean => id > 0 && id <= size && known[id] === 1;
  // Terms reference only earlier terms.
  for (let id = table.nextLiving(1, size); id <= size; id = table.nextLiving(id + 1, size)) {
    if (id % STEP === 0) yield;
    known[id] = Number(referencesOf(table, id).every(isKnown));
  }
  return isKnown;
}

function referencesOf(table: TermTable, id: number): number[] {
  const meta = table.metaOf(id);
  const kind = kindOf(meta);
  if (kind === TERM_KIND.triple) {
    const view = table.viewOf(id);
    const start = table.startOf(id);
    return [0, 4, 8].map((at) => view.getUint32(start + at, true));
  }
  const refers = kind === TERM_KIND.blankNode || kind === TERM_KIND.literal || kind === TERM_KIND.languageLiteral;
  return refers ? [referenceOf(meta)] : [];
}

/** Returns a world without its named graphs whose names are unknown. */
function withKnownGraphs(state: WorldState, isKnown: (id: number) => boolean): WorldState {
  const { graphs } = state;
  if (graphs.graphs.every(isKnown)) return state;
  const contexts = graphs.contexts.filter((_, i) => isKnown(graphs.graphs[i]));
  return {
    ...state,
    graphs: new WorldGraphs(graphs.world, graphs.defaultContext, graphs.graphs.filter(isKnown), contexts),
  };
}

/**
 * Returns the rows of living contexts whose terms are all known, and the contexts that lost rows. A
 * kernel.
 */
function* knownRows(
  run: Run,
  isKnown: (id: number) => boolean,
  isLiving: (context: number) => boolean,
): Generator<void, { run: Run; shortened: number[] }, void> {
  const [subject, predicate, object] = run.columnsOf(SPO);
  const rows: number[] = [];
  const contexts: number[] = [];
  const starts: number[] = [];
  const shortened: number[] = [];
  for (const [i, context] of run.contexts.entries()) {
    if (!isLiving(context)) continue;
    const before = rows.length;
    for (let row = run.starts[i]; row < run.starts[i + 1]; row++) {
      if (row % STEP === 0) yield;
      if (isKnown(subject[row]) && isKnown(predicate[row]) && isKnown(object[row])) rows.push(row);
    }
    const there = rows.length - before;
    if (there < run.starts[i + 1] - run.starts[i]) shortened.push(context);
    if (there === 0) continue;
    contexts.push(context);
    starts.push(before);
  }
  starts.push(rows.length);
  const pick = (column: Uint32Array): Uint32Array => Uint32Array.from(rows, (row) => column[row]);
  const kept = yield* completeRun(Uint32Array.from(contexts), Uint32Array.from(starts), [
    pick(subject),
    pick(predicate),
    pick(object),
  ]);
  return { run: kept, shortened };
}
