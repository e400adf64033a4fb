import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { Catalog } from './catalog.ts';
import type { Problem } from './durable/check.ts';
import type { CheckRequest } from './engine-requests.ts';
import type { Namespace } from './namespace.ts';

export interface CheckResult {
  /** How many were looked at. */
  readonly namespaces: number;
  readonly problems: readonly Problem[];
  /**
   * Paths among the files of the storage that are none of its own; not given without any. They are
   * ignored and do no harm.
   */
  readonly strays?: readonly string[];
}

export interface CompactResult {
  /** How many were looked at. */
  readonly namespaces: number;
  /** How many terms were freed. */
  readonly terms: number;
  /** Bytes of their texts; what they took besides comes back too. */
  readonly bytes: number;
}

/**
 * Verifies namespaces, one after the other; `storageProblems`, which are of no namespace, come
 * first in the result. Throws ABORTED by the signal.
 */
export async function checkNamespaces(
  catalog: Catalog,
  names: readonly string[],
  storageProblems: readonly string[],
  { signal, onProgress }: Pick<CheckRequest, 'signal' | 'onProgress'>,
): Promise<CheckResult> {
  const problems: Problem[] = storageProblems.map((problem) => ({ namespace: null, problem }));
  const strays = [...(await catalog.strays())];
  for (const [done, name] of names.entries()) {
    onProgress?.({ namespace: name, done, total: names.length });
    for (const problem of await catalog.check(name, signal)) problems.push({ namespace: name, problem });
    try {
      strays.push(...(await catalog.strays(name)));
    } catch (cause) {
      catalog.requireOpen();
      if (!(cause instanceof WorldsError)) throw cause;
      problems.push({ namespace: name, problem: cause.message });
    }
  }
  const result = { namespaces: names.length, problems };
  return strays.length > 0 ? { ...result, strays } : result;
}

/** Makes checkpoints of namespaces that have everything that is stored at the call. */
export async function checkpointNamespaces(catalog: Catalog, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const home = await catalog.find(name);
    if (home) await unlessDropped(home, () => home.durability?.checkpointer.write());
  }
}

/** Frees what is gone from namespaces. Throws ABORTED by the signal, between two of them too. */
export async function compactNamespaces(
  catalog: Catalog,
  names: readonly string[],
  options: { readonly forgetChanges?: boolean; readonly signal?: AbortSignal },
): Promise<CompactResult> {
  const total = { namespaces: 0, terms: 0, bytes: 0 };
  for (const name of names) {
    throwIfAborted(options.signal);
    const home = await catalog.find(name);
    if (!home) continue;
    const freed = await unlessDropped(home, () => home.compactor.compact(options));
    if (!freed) continue;
    const { terms, bytes } = freed;
    total.namespaces++;
    total.terms += terms;
    total.bytes += bytes;
  }
  return total;
}

/**
 * Works on a namespace. When that fails because it was deleted meanwhile, there was nothing to do.
 */
async function unlessDropped<Result>(
  home: Namespace,
  work: () => Promise<Result> | undefined,
): Promise<Result | undefined> {
  try {
    return await home.use(work);
  } catch (cause) {
    // Whoever deletes it has the lock until it is gone.
    await home.withLock(() => undefined);
    if (!home.dropped || home.closedBy) throw cause;
    return undefined;
  }
}
