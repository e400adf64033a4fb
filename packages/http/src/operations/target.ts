import { type WorldSource, WorldsError } from '@rdf-worlds/core';
import type { Permission } from '../access.ts';
import { type Call, pathWorld } from '../call.ts';
import { resolveSource } from '../named-world.ts';
import { bodyType, jsonValue, readBody } from '../request-body.ts';
import type { WorldName } from '../world-name.ts';

/**
 * Returns the world that a request refers to: the body's `source`, or the world of the path, which
 * is already authorised. Throws `PERMISSION_DENIED` if the caller lacks the permission for
 * `source`.
 */
export function targetOf(call: Call, source: WorldSource | undefined, permission: Permission): WorldName {
  if (source === undefined) return pathWorld(call);
  const { namespace, slug } = resolveSource(source, 'source', call);
  call.access.require(permission, { namespace, slug });
  return { namespace, slug };
}

/** Returns the JSON value of a required body. */
export async function jsonBody(call: Call): Promise<unknown> {
  const bytes = await readBody(call);
  requireContent(bytes);
  return jsonValue(bytes, bodyType(call.incoming), call.limits);
}

export function requireContent(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new WorldsError('INVALID_ARGUMENT', 'The body is empty; send a JSON object.');
}

/** Returns the JSON value of an optional body; an empty object if there is none. */
export async function optionalJsonBody(call: Call): Promise<unknown> {
  const bytes = await readBody(call);
  return bytes.length === 0 ? {} : jsonValue(bytes, bodyType(call.incoming), call.limits);
}
