import { type Consistency, WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { type LeastRevision, requiredTokens } from '../revision-token.ts';

/**
 * Brings the namespaces of a read as far as the request requires: to their heads for the latest
 * state, to the revisions of its tokens otherwise. Undefined if there is nothing to wait for. Call
 * it once the caller is authorised for these namespaces; tokens of others have no effect. Throws
 * `INVALID_ARGUMENT` for malformed tokens, and rejects with TIMEOUT at the deadline.
 */
export function upToDate(
  call: Call,
  namespaces: readonly string[],
  consistency: Consistency | undefined,
): Promise<unknown> | undefined {
  const required = requiredTokens(call);
  if (!call.engine.isShared || (consistency !== 'latest' && required.size === 0)) return undefined;
  return Promise.all(
    [...new Set(namespaces)].map((namespace) =>
      caughtUp(call, namespace, consistency === 'latest' ? consistency : required.get(namespace)),
    ),
  );
}

async function caughtUp(
  { engine, access, signal }: Call,
  namespace: string,
  least: LeastRevision | undefined,
): Promise<void> {
  if (least === undefined) return;
  // To callers who may not read the whole namespace, neither the answer nor its duration tells
  // which revision it has reached.
  if (least === 'latest' || !access.mayAll('read', namespace)) {
    await engine.catchUp({ namespace, signal });
    return;
  }
  const reached = await engine.catchUp({ namespace, revision: least, signal });
  // Without a revision, the namespace was deleted after the write.
  if (reached >= least || reached === 0) return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `RDF-Worlds-Revision-Token: the storage has the namespace ${namespace} only up to revision ${reached}, so revision ${least} is of another storage, or was lost when an older state was restored. Send the request without the token.`,
  );
}
