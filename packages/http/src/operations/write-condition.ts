import { WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { stateTags } from '../etag.ts';
import { HttpError } from '../http-error.ts';
import { requiredRevision } from '../revisions.ts';
import { unknownWorld } from '../unknown-world.ts';
import type { WorldName } from '../world-name.ts';

/**
 * Attempts to write when concurrent commits change the world after the conditions were evaluated.
 */
const ATTEMPTS = 5;

export interface ConditionOptions {
  /**
   * Returns true if the addressed resource exists in an existing world; a graph may not. Always
   * true by default.
   */
  readonly exists?: () => Promise<boolean>;
  /**
   * Whether `write` can be called again. A write of a streamed body cannot: it is then CONFLICT if
   * the conditions still hold. True by default.
   */
  readonly isRepeatable?: boolean;
}

/**
 * Performs a write under RDF-Worlds-If-Revision, which the engine checks, or under If-Match and
 * If-None-Match (RFC 9110 section 13.1): "the origin server MUST NOT perform the requested method"
 * and answers 412 if a condition is false. The write is bound to the revision at which the
 * conditions held; without conditions, to none. Throws `PERMISSION_DENIED` if a caller without read
 * permission sends conditions.
 *
 * @param write throws `CONFLICT` if the world is at another revision
 */
export async function writeConditionally<Result>(
  call: Call,
  target: WorldName,
  write: (ifRevision: number | undefined) => Promise<Result>,
  { exists = async () => true, isRepeatable = true }: ConditionOptions = {},
): Promise<Result> {
  const ifMatch = call.incoming.header('if-match');
  const ifNoneMatch = call.incoming.header('if-none-match');
  const required = requiredRevision(call, target.namespace);
  if (ifMatch === null && ifNoneMatch === null) return write(required);
  if (required !== undefined) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'RDF-Worlds-If-Revision: send either this condition or If-Match and If-None-Match.',
    );
  }
  // The result of a condition reveals what exists.
  call.access.require('read', target);
  let conflict: WorldsError | undefined;
  for (let left = isRepeatable ? ATTEMPTS : 1; ; left--) {
    // In an older state, a condition that is true now could be false.
    const world = await call.engine.getWorld({ source: target, consistency: 'latest' });
    if (!world) throw unknownWorld(target);
    const isThere = await exists();
    const { match } = await stateTags(call, world);
    const holds = (condition: string) => isThere && (condition.trim() === '*' || match(condition));
    if (ifMatch !== null && !holds(ifMatch)) throw failed('If-Match');
    if (ifNoneMatch !== null && holds(ifNoneMatch)) throw failed('If-None-Match');
    if (conflict && left === 0) throw conflict;
    try {
      return await write(world.revision);
    } catch (error) {
      if (!(error instanceof WorldsError && error.code === 'CONFLICT')) throw error;
      conflict = error;
    }
  }
}

function failed(header: string): HttpError {
  return new HttpError(412, `${header}: the precondition failed; read the current state, then decide again.`);
}
