import { Slicer } from '../../contracts/slicer.ts';
import type { Checkpoint, NamespaceStorage, StoredSegment } from '../../contracts/storage.ts';
import { EMPTY_RUN, type Run } from '../../quads/run.ts';
import type { StoredTerms } from '../../quads/stored-terms.ts';
import type { KeptCommit } from '../history/history.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { withSizes } from '../world-size.ts';
import { contextsOf } from '../world-state.ts';
import { freedOf } from './checkpoint-contents.ts';
import { type LastCheckpoint, type LogPart, NO_CHECKPOINT } from './checkpointer.ts';
import { decodeHistory } from './history-segments.ts';
import type { Durable } from './journal.ts';
import { replayLog } from './replay-log.ts';
import { corrupt, type SealedKind } from './sealed-bytes.ts';
import { adoptTerms, type CheckpointState, decodeRun, decodeState, decodeTerms } from './segments.ts';
import { optionsOfStored } from './stored-history.ts';
import { isTextSegment, storedTexts } from './stored-texts.ts';

export interface Recovered {
  readonly durable: Durable;
  readonly checkpoint: LastCheckpoint;
  /** The log after the checkpoint. */
  readonly behind: LogPart;
}

/** Bytes of log between two measurements of the namespace's memory during replay. */
const LOG_LOOK_BYTES = 1 << 18;

const CHECKPOINT: SealedKind = { name: 'checkpoint', magic: 0, version: 1 };

/**
 * Loads a namespace from storage into an empty one: the newest checkpoint, then the log after it.
 * Throws CORRUPT, UNSUPPORTED, LIMIT_EXCEEDED if the namespace would exceed the memory limit, and
 * errors of the storage.
 *
 * @param makeRoom awaited before about `bytes` of memory are allocated; called again if more are
 *   needed
 */
export async function recover(
  namespace: NamespaceState,
  storage: NamespaceStorage,
  makeRoom?: (bytes: number) => Promise<void>,
): Promise<Recovered> {
  const slicer = new Slicer();
  // Before the checkpoint: without one, the log is replayed from its start only if no checkpoint
  // has omitted terms since.
  const start = { ...(await storage.head()), position: 0 };
  const stored = await storage.checkpoint();
  let expected = 0;
  const expect = async (bytes: number): Promise<void> => {
    if (bytes <= expected) return;
    namespace.requireRoom(bytes);
    await makeRoom?.(bytes);
    expected = bytes;
  };
  if (stored) await expect(memoryOf(stored));
  const checkpoint = stored
    ? await load(namespace, stored, slicer, { onState: (state) => expect(memoryOf(stored, state)) })
    : NO_CHECKPOINT;
  let head = stored?.at ?? start;
  let bytes = 0;
  let nextLook = LOG_LOOK_BYTES;
  for await (const record of replayLog(namespace, storage, head, slicer, { generation: head.generation })) {
    bytes += record.bytes;
    head = record.head;
    if (bytes < nextLook) continue;
    nextLook = bytes + LOG_LOOK_BYTES;
    if (namespace.byteLength <= expected) continue;
    expected = namespace.byteLength + LOG_LOOK_BYTES;
    await makeRoom?.(expected);
  }
  const durable = { head, terms: namespace.store.dictionary.table.size };
  return { durable, checkpoint, behind: { commits: head.position - checkpoint.position, bytes } };
}

export interface LoadOptions {
  /** Awaited before terms and quads are read. */
  readonly onState?: (state: CheckpointState) => Promise<void>;
  /**
   * Whether to compute the hashes of terms again, because others may know the key of the stored
   * ones.
   */
  readonly withNewKey?: boolean;
}

/** Loads a checkpoint into an empty namespace. */
export async function load(
  namespace: NamespaceState,
  checkpoint: Checkpoint,
  slicer: Slicer,
  { onState, withNewKey }: LoadOptions = {},
): Promise<LastCheckpoint> {
  const where = `the checkpoint of the namespace ${namespace.name}`;
  const segments = new Map(checkpoint.segments.map((segment) => [segment.name, segment]));
  const read = async (segment: StoredSegment | undefined): Promise<Uint8Array> => {
    if (!segment) throw corrupt(CHECKPOINT, where);
    return segment.read();
  };
  const stateSegment = checkpoint.segments.find(({ name }) => name.startsWith('state-'));
  const state = await slicer.run(decodeState(await read(stateSegment), namespace.name, where));
  await onState?.(state);
  const { store } = namespace;
  const terms: StoredTerms[] = [];
  for (const { name, first } of state.terms) {
    const { hashes, ...part } = await slicer.run(decodeTerms(await read(segments.get(name)), first, where));
    terms.push(hashes && !withNewKey ? { ...part, hashes } : part);
  }
  const { table } = store.dictionary;
  await slicer.run(adoptTerms(terms, table, where));
  const last = state.terms.at(-1)?.last ?? table.size;
  table.skipTo(last);
  if (table.size !== last) throw corrupt(CHECKPOINT, where);
  const runs = new Map<Run, string>();
  const runNamed = async (name: string | null) => {
    if (name === null) return EMPTY_RUN;
    const run = await slicer.run(decodeRun(await read(segments.get(name)), where));
    runs.set(run, name);
    return run;
  };
  const deltas = [];
  for (const { inserted, deleted } of state.deltas) {
    deltas.push({ inserted: await runNamed(inserted), deleted: await runNamed(deleted) });
  }
  store.restore(deltas, state.nextContext);
  namespace.restore(
    await slicer.run(withSizes(namespace, state.worlds)),
    state.revision,
    state.nextWorld,
    state.timeMs,
  );
  const history = await loadHistory(namespace, state, (name) => read(segments.get(name)), slicer);
  store.bury(deadContexts(state, history, runs.keys()));
  namespace.expireHistory();
  const texts = state.texts && storedTexts(namespace.name, state.texts, checkpoint.segments);
  if (texts) namespace.foundTexts(texts);
  const { terms: termSegments, marks, vectors } = state;
  return {
    position: checkpoint.at.position,
    terms: termSegments,
    marks,
    vectors,
    runs,
    freed: freedOf(store.dictionary),
    history: state.history?.segments,
  };
}

/**
 * Approximate memory of a checkpoint, in bytes. Excludes vectors and text indexes, which are loaded
 * on demand. The segments of terms and quads are compressed; what they take is in the state.
 */
function memoryOf({ segments }: Checkpoint, state?: CheckpointState): number {
  const isLater = (name: string) => name.startsWith('vectors-') || isTextSegment(name);
  const isCounted = (name: string) =>
    state?.memoryBytes !== undefined && (name.startsWith('terms-') || name.startsWith('run-'));
  return segments.reduce(
    (sum, { name, byteLength }) => sum + (isLater(name) || isCounted(name) ? 0 : byteLength),
    state?.memoryBytes ?? 0,
  );
}

/** Reads the kept commits of a checkpoint, unless the engine keeps no history. */
async function loadHistory(
  namespace: NamespaceState,
  { history: stored }: CheckpointState,
  read: (name: string) => Promise<Uint8Array>,
  slicer: Slicer,
): Promise<readonly KeptCommit[]> {
  if (!stored) return [];
  const history = namespace.resumeHistory(optionsOfStored(stored));
  if (!history) return [];
  history.begin(stored.oldestRevision, stored.oldestMs ?? Number.NEGATIVE_INFINITY);
  const where = `the checkpoint of the namespace ${namespace.name}`;
  for (const { name } of stored.segments) {
    for (const commit of await slicer.run(decodeHistory(await read(name), namespace.name, where))) {
      if (commit.revision > stored.oldestRevision) history.keep(commit);
    }
  }
  return [...history.kept];
}

/** Returns the contexts that have quads but belong to no world, now or in the history. */
function deadContexts({ worlds }: CheckpointState, kept: readonly KeptCommit[], runs: Iterable<Run>): Set<number> {
  const dead = new Set<number>();
  for (const { contexts } of runs) for (const context of contexts) dead.add(context);
  for (const context of worlds.flatMap(contextsOf)) dead.delete(context);
  for (const { before } of kept) if (before) for (const context of contextsOf(before)) dead.delete(context);
  return dead;
}
