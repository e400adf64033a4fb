import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { Catalog } from './catalog.ts';
import type { Problem } from './durable/check.ts';
import type { CheckRequest, CompactRequest } from './engine-requests.ts';
import type { Namespace } from './namespace.ts';
import { Overtaken } from './overtaken.ts';

/** What `WorldsEngine.check` found. */
export interface CheckResult {
  /** Number of namespaces that were checked. */
  readonly namespaces: number;
  /** Empty if everything is intact. */
  readonly problems: readonly Problem[];
  /**
   * Paths of unknown files in the storage; undefined if there are none. They are ignored and
   * harmless.
   */
  readonly strays?: readonly string[];
}

/** What `WorldsEngine.compact` reclaimed. */
export interface CompactResult {
  /** Number of namespaces that were processed. */
  readonly namespaces: number;
  /** Number of terms that were freed. */
  readonly terms: number;
  /** Bytes of the freed terms' texts. Their other memory is freed in addition. */
  readonly bytes: number;
}

/**
 * Verifies namespaces one after the other. `storageProblems` belong to no namespace and come first
 * in the result. Throws ABORTED if the signal fires.
 */
export async function checkNamespaces(
  catalog: Catalog,
  names: readonly string[],
  storageProblems: readonly string[],
  { signal, onProgress }: Pick<CheckRequest, 'signal' | 'onProgress'>,
): Promise<CheckResult> {
  const problems: Problem[] = storageProblems.map((problem) => ({ namespace: null, problem }));
  const strays = [...(await catalog.upkeep.strays())];
  for (const [done, name] of names.entries()) {
    onProgress?.({ namespace: name, done, total: names.length });
    for (const problem of await catalog.upkeep.check(name, signal)) problems.push({ namespace: name, problem });
    try {
      strays.push(...(await catalog.upkeep.strays(name)));
    } catch (cause) {
      catalog.requireOpen();
      if (!(cause instanceof WorldsError)) throw cause;
      problems.push({ namespace: name, problem: cause.message });
    }
  }
  const result = { namespaces: names.length, problems };
  return strays.length > 0 ? { ...result, strays } : result;
}

/** Writes checkpoints with everything that namespaces contain at the call. */
export async function checkpointNamespaces(catalog: Catalog, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const home = await catalog.find(name);
    if (home) await unlessDropped(home, () => home.durability?.checkpointer.write());
  }
}

/**
 * Compacts namespaces one after the other. Throws ABORTED if the signal fires, also between two
 * namespaces.
 */
export async function compactNamespaces(
  catalog: Catalog,
  names: readonly string[],
  { onProgress, ...options }: Omit<CompactRequest, 'namespace'>,
): Promise<CompactResult> {
  const total = { namespaces: 0, terms: 0, bytes: 0 };
  for (const [done, name] of names.entries()) {
    throwIfAborted(options.signal);
    onProgress?.({ namespace: name, done, total: names.length });
    const freed = await catalog.repeating(async () => {
      const home = await catalog.find(name);
      return home && unlessDropped(home, () => home.compactor.compact(options));
    }, options.signal);
    if (!freed) continue;
    const { terms, bytes } = freed;
    total.namespaces++;
    total.terms += terms;
    total.bytes += bytes;
  }
  return total;
}

/**
 * Runs work on a namespace. Returns undefined if it failed because the namespace was deleted
 * meanwhile.
 */
async function unlessDropped<Result>(
  home: Namespace,
  work: () => Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await home.use(work);
  } catch (cause) {
    // A deletion holds the lock until it is complete.
    await home.withLock(() => undefined);
    if (!home.dropped || home.closedBy || cause instanceof Overtaken) throw cause;
    return undefined;
  }
}

/**
 * Waits until everything that is stored in namespaces can be found by its vector. Throws
 * UNSUPPORTED or TIMEOUT if the embedder fails, ABORTED if the signal fires.
 */
export async function flushNamespaces(
  catalog: Catalog,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const name of names) {
    const namespace = await catalog.find(name);
    await namespace
      ?.use(() => namespace.search.flush(signal))
      .catch((error) => {
        // A namespace that was dropped meanwhile needs no waiting.
        if (!namespace.dropped || catalog.isClosed || signal?.aborted) throw error;
      });
  }
}
