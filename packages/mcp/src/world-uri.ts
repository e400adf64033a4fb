import { WorldsError } from '@rdf-worlds/core';
import type { WorldName } from '@rdf-worlds/memory';

const SCHEME = 'world://';

/** Templates of the resources, by RFC 6570. */
export const WORLD_TEMPLATE = `${SCHEME}{namespace}/{slug}`;
export const ENTITY_TEMPLATE = `${SCHEME}{namespace}/{slug}/{entity}`;

/** Returns the URI of a world as a resource. */
export function worldUri({ namespace, slug }: WorldName): string {
  return `${SCHEME}${namespace}/${slug}`;
}

/** A world, or an entity of it. */
export interface ResourceName extends WorldName {
  readonly entity: string | undefined;
}

/** Reads `world://namespace/slug` or `world://namespace/slug/entity`. Throws `INVALID_ARGUMENT`. */
export function readWorldUri(uri: string): ResourceName {
  const match = /^world:\/\/([^/?#]+)\/([^/?#]+)(?:\/([^/?#]+))?$/.exec(uri);
  try {
    if (match) {
      const [namespace, slug, entity] = match.slice(1).map((part) => part && decodeURIComponent(part));
      return { namespace, slug, entity };
    }
  } catch {
    // A malformed percent-encoding is as wrong as a missing part.
  }
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${JSON.stringify(uri.slice(0, 200))} is no resource of this server; expected ${WORLD_TEMPLATE} or ${ENTITY_TEMPLATE}, with the entity percent-encoded.`,
  );
}
