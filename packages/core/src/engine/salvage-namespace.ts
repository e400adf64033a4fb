import { Slicer } from '../contracts/slicer.ts';
import type { NamespaceStorage, Remains, Segment } from '../contracts/storage.ts';
import { writeNQuads } from '../formats/n-quads-writer.ts';
import { takeContents } from './durable/checkpoint-contents.ts';
import type { LastCheckpoint } from './durable/checkpointer.ts';
import { isDamage } from './durable/is-damage.ts';
import { type SalvagedState, salvageState } from './durable/salvage-state.ts';
import type { SalvageRequest } from './engine-requests.ts';
import type { NamespaceState } from './namespace-state.ts';
import { readingOverlay } from './reading-overlay.ts';
import { contextsOf, type WorldState } from './world-state.ts';
import { writeChunks } from './write-chunks.ts';

/** What can be proven about a damaged namespace; see `WorldsEngine.salvage`. */
export interface SalvageReport {
  readonly namespace: string;
  /**
   * What is proven:
   *
   * - `intact`: no file is damaged.
   * - `exact`: the acknowledged state, although files are damaged.
   * - `earlier`: the complete state as of `revision`.
   * - `partial`: some quads of the state as of `revision`.
   * - `lost`: nothing.
   */
  readonly state: SalvagedState['kind'];
  /** Revision of the namespace that the state belongs to; null if the namespace is lost. */
  readonly revision: number | null;
  /** Damage found: file, position and kind. */
  readonly problems: readonly string[];
  /** What the state lacks or may lack. Empty for an intact or exact state. */
  readonly missing: readonly string[];
  /** The worlds of the state, ordered by slug. */
  readonly worlds: readonly SalvagedWorld[];
  /** Whether the namespace was repaired. */
  readonly repaired: boolean;
  /**
   * After a repair, where the storage keeps a copy of the old files. Null if nothing was repaired,
   * or for a storage in memory.
   */
  readonly copy: string | null;
}

/** A world of a salvaged state. */
export interface SalvagedWorld {
  readonly slug: string;
  /** Number of quads that were recovered. */
  readonly quads: number;
  /** False if quads that the world had at the report's revision may be missing. */
  readonly isComplete: boolean;
}

export interface SalvageWork extends Pick<SalvageRequest, 'repair' | 'output' | 'signal'> {
  readonly name: string;
  readonly storage: NamespaceStorage;
  readonly newNamespace: () => NamespaceState;
  readonly timeMs: number;
  readonly newId: () => string;
  /** Runs work that replaces the files. */
  readonly repairing: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/**
 * Recovers the provable state of a namespace, writes it to `output` and repairs the namespace; see
 * `WorldsEngine.salvage`. Undefined if there is no such namespace.
 */
export async function salvageNamespace(work: SalvageWork): Promise<SalvageReport | undefined> {
  const { name, storage, output, signal } = work;
  let remains: Remains | undefined;
  try {
    remains = await storage.remains!();
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    const missing = ['Everything: without that file, it is unknown which files belong together.'];
    const nothing = { revision: null, worlds: [], repaired: false, copy: null };
    return { namespace: name, state: 'lost', problems: [cause.message], missing, ...nothing };
  }
  if (!remains) return undefined;
  const salvaged = await salvageState(remains, work.newNamespace, signal);
  const { kind, namespace, head, problems, missing, incomplete, checkpoint } = salvaged;
  try {
    const worlds = namespace ? worldsOf(namespace, incomplete) : [];
    if (namespace && output) await write(namespace, worlds, output, signal);
    let copy: string | undefined;
    const repairs = kind === 'exact' && work.repair === true;
    if (repairs) {
      const segments = await segmentsOf(namespace!, remains, checkpoint, head!.position, work);
      copy = await work.repairing(() => storage.rebuild!(head!, segments));
    }
    return {
      ...{ namespace: name, state: kind, revision: namespace?.revision ?? null, problems, missing, worlds },
      ...{ repaired: repairs, copy: copy ?? null },
    };
  } finally {
    await namespace?.store.close();
  }
}

function worldsOf({ worlds, slugs, store }: NamespaceState, incomplete: ReadonlySet<string>): SalvagedWorld[] {
  return slugs.map((slug) => {
    const contexts = contextsOf(worlds.get(slug)!);
    const quads = contexts.reduce((sum, context) => sum + store.snapshot.countContext(context), 0);
    return { slug, quads, isComplete: !incomplete.has(slug) };
  });
}

async function write(
  namespace: NamespaceState,
  worlds: readonly SalvagedWorld[],
  output: NonNullable<SalvageRequest['output']>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (typeof output !== 'function') {
    await writeChunks(sections(namespace, worlds, signal), output);
    return;
  }
  for (const { slug } of worlds) {
    const state = namespace.worlds.get(slug)!;
    await writeChunks(quadsOf(namespace, state, signal), await output(state.record));
  }
}

/** Yields all worlds, each after a comment that names it. */
async function* sections(
  namespace: NamespaceState,
  worlds: readonly SalvagedWorld[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for (const { slug, quads, isComplete } of worlds) {
    const state = namespace.worlds.get(slug)!;
    const completeness = isComplete ? '' : ', incomplete';
    const title = `# ${namespace.name}/${slug}, revision ${state.record.revision}: ${quads} quads${completeness}\n`;
    yield new TextEncoder().encode(title);
    yield* quadsOf(namespace, state, signal);
  }
}

function quadsOf(
  { store }: NamespaceState,
  { graphs }: WorldState,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  const terms = readingOverlay(store.dictionary);
  return writeNQuads(store.view(terms, [graphs], store.snapshot), terms, { slicer: new Slicer(signal) });
}

/** Returns the segments of a checkpoint of the state, including the undamaged vectors. */
async function segmentsOf(
  namespace: NamespaceState,
  { checkpoints }: Remains,
  { vectors }: LastCheckpoint,
  position: number,
  { timeMs, newId }: SalvageWork,
): Promise<readonly Segment[]> {
  const stored = new Map(checkpoints.flatMap(({ segments }) => segments).map((segment) => [segment.name, segment]));
  const whole = new Set<string>();
  for (const { name } of vectors) {
    try {
      if (await stored.get(name)?.read()) whole.add(name);
    } catch (cause) {
      if (!isDamage(cause)) throw cause; // The embedder computes them again.
    }
  }
  const kept = vectors.filter(({ name }) => whole.has(name));
  const contents = takeContents(namespace, {
    ...{ termCount: namespace.store.dictionary.table.size, timeMs, newId },
    marks: [{ position, timeMs, bytes: 0 }],
    vectors: {
      vectors: kept,
      segments: kept.map(({ name }) => ({
        name,
        write: async function* () {
          yield await stored.get(name)!.read();
        },
      })),
    },
  });
  return contents.segments;
}
