import type { WorldsEngine } from '@rdf-worlds/core';
import type { Access } from './access.ts';
import type { Incoming } from './incoming.ts';
import type { Limits } from './limits.ts';
import type { NamespaceScope } from './named-world.ts';
import type { WorldName } from './world-name.ts';

/** One request to an operation: authenticated, with leave for its path. Its body is unread. */
export interface Call extends NamespaceScope {
  readonly engine: WorldsEngine;
  readonly incoming: Incoming;
  readonly access: Access;
  readonly limits: Limits;
  /** The namespace of the path; the caller's default one on the shorthand routes. */
  readonly namespace: string;
  /** Whether the path names a namespace. */
  readonly isNamespaced: boolean;
  /** The world that the path names; undefined on a route of a collection. */
  readonly world: WorldName | undefined;
  /** What follows `graphs/` in the path, as it was sent. */
  readonly graphPath: string | undefined;
  /** The public address of the service, without a slash at the end. */
  readonly publicUrl: string;
  /** The public address of the route that was asked. */
  readonly endpointUrl: string;
  readonly signal: AbortSignal;
  /** Reports what went wrong after the answer had begun. */
  readonly reportBrokenReply: (error: unknown) => void;
}

/** The world of the path, on a route that has one. */
export function pathWorld({ world }: Call): WorldName {
  if (!world) throw new TypeError('This route names no world.');
  return world;
}
