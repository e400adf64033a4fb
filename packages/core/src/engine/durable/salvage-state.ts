import { Slicer } from '../../contracts/slicer.ts';
import type { Checkpoint, Head, Remains } from '../../contracts/storage.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { type CheckpointRest, loadRest } from './checkpoint-rest.ts';
import { type LastCheckpoint, NO_CHECKPOINT } from './checkpointer.ts';
import { isDamage } from './is-damage.ts';
import { load } from './recover.ts';
import { replayLog } from './replay-log.ts';
import { isTextSegment } from './stored-texts.ts';

/** The state that the files of a namespace prove, and their condition. */
export interface SalvagedState {
  /**
   * What is proven:
   *
   * - `intact`: no file is damaged.
   * - `exact`: the acknowledged state, although files are damaged.
   * - `earlier`: a complete state, which is not proven to be the acknowledged one.
   * - `partial`: some quads of an earlier state.
   * - `lost`: nothing.
   */
  readonly kind: 'intact' | 'exact' | 'earlier' | 'partial' | 'lost';
  /** The state; undefined if it is lost. The caller must close its store. */
  readonly namespace: NamespaceState | undefined;
  /** Head of the log, for an intact or exact state. */
  readonly head: Head | undefined;
  /** The checkpoint from which the state was read. */
  readonly checkpoint: LastCheckpoint;
  /** Descriptions of the damage, one sentence per place. */
  readonly problems: readonly string[];
  /** What the state lacks or may lack, one sentence each. */
  readonly missing: readonly string[];
  /** Slugs of the worlds that may lack quads. */
  readonly incomplete: ReadonlySet<string>;
}

/** A way to reconstruct a state: a checkpoint, or the start of the log, and the log after it. */
interface Way {
  readonly from: Head;
  readonly checkpoint: Checkpoint | undefined;
}

/** The state at the end of a way, or at the damage that blocks it. */
interface Reached {
  readonly namespace: NamespaceState;
  readonly head: Head;
  readonly checkpoint: LastCheckpoint;
  readonly isHead: boolean;
}

/**
 * Reads all files of a namespace and returns the newest state that they prove. Changes nothing.
 * Throws errors of the storage except damage; ABORTED if the signal fires.
 */
export async function salvageState(
  remains: Remains,
  newNamespace: () => NamespaceState,
  signal: AbortSignal | undefined,
): Promise<SalvagedState> {
  const slicer = new Slicer(signal);
  const problems = new Set(await damagesOf(remains, signal));
  const damage: Damage = async (work) => {
    try {
      return await work();
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      problems.add(cause.message);
      return undefined;
    }
  };

  let best: Reached | undefined;
  for (const way of waysOf(remains)) {
    const reached = await damage(() => follow(way, remains, newNamespace(), slicer, (cause) => problems.add(cause)));
    if (!reached) continue;
    if (best && best.namespace.revision >= reached.namespace.revision && !reached.isHead) {
      await reached.namespace.store.close();
      continue;
    }
    await best?.namespace.store.close();
    best = reached;
    if (best.isHead) break;
  }
  if (best?.isHead) {
    const kind = problems.size === 0 ? 'intact' : 'exact';
    return { ...NOTHING, ...best, kind, problems: [...problems], missing: [] };
  }
  if (best) {
    const missing = [`Commits after revision ${best.namespace.revision}, if any: the log cannot be read to its end.`];
    return { kind: 'earlier', ...best, head: undefined, problems: [...problems], missing, incomplete: new Set() };
  }
  const rest = await richestRest(remains, newNamespace, slicer, damage);
  if (!rest) {
    const missing = [
      'Everything: no checkpoint lists the worlds, and the log does not reach back to the first commit.',
    ];
    return { kind: 'lost', ...NOTHING, problems: [...problems], missing };
  }
  const { namespace, incomplete } = rest;
  const missing = [...rest.missing, `Commits after revision ${namespace.revision}, if any.`];
  return { kind: 'partial', ...NOTHING, namespace, problems: [...problems], missing, incomplete };
}

const NOTHING = {
  namespace: undefined,
  head: undefined,
  checkpoint: NO_CHECKPOINT,
  incomplete: new Set<string>(),
} as const;

type Damage = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/**
 * Returns the proven part of the checkpoint that proves the most quads; the newest if several prove
 * the same number. Undefined if no checkpoint has a readable list of worlds.
 */
async function richestRest(
  { checkpoints }: Remains,
  newNamespace: () => NamespaceState,
  slicer: Slicer,
  damage: Damage,
): Promise<(CheckpointRest & { readonly namespace: NamespaceState }) | undefined> {
  let richest: (CheckpointRest & { readonly namespace: NamespaceState }) | undefined;
  for (const checkpoint of checkpoints) {
    const namespace = newNamespace();
    const rest = await damage(() => loadRest(namespace, checkpoint, slicer));
    if (!rest || (richest && richest.quads >= rest.quads)) {
      await namespace.store.close();
      continue;
    }
    await richest?.namespace.store.close();
    richest = { ...rest, namespace };
  }
  return richest;
}

/**
 * Reads every segment and the whole log, and describes the damage. Without text indexes, which are
 * only a cache of the quads.
 */
export async function damagesOf(remains: Remains, signal: AbortSignal | undefined): Promise<string[]> {
  const damages = new Set<string>();
  const note = (cause: unknown): void => {
    if (!isDamage(cause)) throw cause;
    damages.add(cause.message);
  };
  for (const segment of remains.checkpoints.flatMap(({ segments }) => segments)) {
    throwIfAborted(signal);
    if (isTextSegment(segment.name)) continue;
    await segment.read().catch(note);
  }
  try {
    for await (const _ of remains.read(remains.logStart, signal));
  } catch (cause) {
    note(cause);
  }
  return [...damages];
}

/** Returns the starting points of a salvage: checkpoints, newest first, then the log's start. */
function waysOf({ checkpoints, logStart }: Remains): Way[] {
  const ways: Way[] = checkpoints.map((checkpoint) => ({ from: checkpoint.at, checkpoint }));
  if (logStart.position === 0) ways.push({ from: logStart, checkpoint: undefined });
  return ways;
}

/** Follows a way as far as it is proven. Throws CORRUPT if not even its start is. */
async function follow(
  { from, checkpoint: stored }: Way,
  remains: Remains,
  namespace: NamespaceState,
  slicer: Slicer,
  onBlocked: (message: string) => void,
): Promise<Reached> {
  const checkpoint = stored ? await load(namespace, stored, slicer) : NO_CHECKPOINT;
  let head = from;
  // The log after an older checkpoint may have been truncated.
  if (from.position < remains.logStart.position) return { namespace, head, checkpoint, isHead: false };
  try {
    for await (const record of replayLog(namespace, remains, from, slicer)) head = record.head;
  } catch (cause) {
    // Without a checkpoint and without a record, nothing is proven.
    if (!isDamage(cause) || (!stored && head.position === 0)) throw cause;
    onBlocked(cause.message);
    return { namespace, head, checkpoint, isHead: false };
  }
  if (head.position === 0) throw new WorldsError('NOT_FOUND', 'The namespace has no commit.');
  return { namespace, head, checkpoint, isHead: true };
}
