import { type WorldSource, WorldsError } from '@rdf-worlds/core';
import type { Permission } from '../access.ts';
import { type Call, pathWorld } from '../call.ts';
import { resolveSource } from '../named-world.ts';
import { bodyType, jsonValue, readBody } from '../request-body.ts';
import type { WorldName } from '../world-name.ts';

/**
 * The world that a request is about: the body's `source`, or the world of the path, for which the
 * caller has leave already.
 */
export function targetOf(call: Call, source: WorldSource | undefined, permission: Permission): WorldName {
  if (source === undefined) return pathWorld(call);
  const { namespace, slug } = resolveSource(source, 'source', call);
  call.access.require(permission, { namespace, slug });
  return { namespace, slug };
}

/** The JSON value of a body that must be there. */
export async function jsonBody(call: Call): Promise<unknown> {
  const bytes = await readBody(call);
  requireContent(bytes);
  return jsonValue(bytes, bodyType(call.incoming), call.limits.maxJsonValues);
}

export function requireContent(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new WorldsError('INVALID_ARGUMENT', 'The body is empty; send a JSON object.');
}

/** The JSON value of a body that may be missing; an empty object then. */
export async function optionalJsonBody(call: Call): Promise<unknown> {
  const bytes = await readBody(call);
  return bytes.length === 0 ? {} : jsonValue(bytes, bodyType(call.incoming), call.limits.maxJsonValues);
}
