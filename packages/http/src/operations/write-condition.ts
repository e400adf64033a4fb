import { WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { matchesState } from '../etag.ts';
import { HttpError } from '../http-error.ts';
import type { WorldName } from '../world-name.ts';

/** How often a condition is judged anew when the world changes before the write. */
const ATTEMPTS = 5;

/**
 * Writes under the conditions of If-Match and If-None-Match (RFC 9110 section 13.1): "the origin
 * server MUST NOT perform the requested method" and answers 412 when one is false. The write is
 * bound to the revision at which they held. Without conditions it is bound to none. Throws
 * PERMISSION_DENIED for conditions of a caller that may not read the world.
 *
 * @param exists whether what the address names is there, of an existing world; a graph may not be
 * @param write throws CONFLICT when the world is at another revision
 */
export async function writeConditionally<Result>(
  call: Call,
  target: WorldName,
  write: (ifRevision: number | undefined) => Promise<Result>,
  exists: () => Promise<boolean> = async () => true,
): Promise<Result> {
  const ifMatch = call.incoming.header('if-match');
  const ifNoneMatch = call.incoming.header('if-none-match');
  if (ifMatch === null && ifNoneMatch === null) return write(undefined);
  // Whether a condition holds tells what is there.
  call.access.require('read', target);
  for (let attempt = 1; ; attempt++) {
    const world = await call.engine.getWorld({ source: target });
    if (!world) throw new WorldsError('NOT_FOUND', `There is no world ${target.namespace}/${target.slug}.`);
    const isThere = await exists();
    const holds = (condition: string) => isThere && (condition.trim() === '*' || matchesState(condition, world));
    if (ifMatch !== null && !holds(ifMatch)) throw failed('If-Match');
    if (ifNoneMatch !== null && holds(ifNoneMatch)) throw failed('If-None-Match');
    try {
      return await write(world.revision);
    } catch (error) {
      if (!(error instanceof WorldsError && error.code === 'CONFLICT') || attempt === ATTEMPTS) throw error;
    }
  }
}

function failed(header: string): HttpError {
  return new HttpError(412, `${header}: the condition is false; read the present state and decide anew.`);
}
