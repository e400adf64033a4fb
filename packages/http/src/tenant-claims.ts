import { NAME_PATTERN, NAME_RULE } from '@rdf-worlds/core';
import { z } from 'zod';
import type { Grant, Principal } from './principal.ts';

const name = z.string().regex(NAME_PATTERN, { error: `must ${NAME_RULE}` });

/** What a token says about its bearer: an entry of a tokens file, or the claims of a JWT. Unknown fields are ignored. */
export const TenantClaims = z.object({
  namespace: name.optional(),
  admin: z.boolean().optional(),
  grants: z
    .array(
      z.object({
        namespace: name,
        world: name.optional(),
        read: z.boolean().optional(),
        write: z.boolean().optional(),
      }),
    )
    .optional(),
});

export type TenantClaims = z.output<typeof TenantClaims>;

/**
 * The principal of some claims; null when they grant nothing. A `namespace` brings leave to read and write all of it, unless `grants` says
 * something about that very namespace.
 */
export function tenantPrincipal(id: string, { namespace, admin, grants = [] }: TenantClaims): Principal | null {
  const all: Grant[] = grants.filter(({ read, write }) => read || write);
  const isExplicit = grants.some((grant) => grant.namespace === namespace);
  if (namespace !== undefined && !isExplicit) all.push({ namespace, read: true, write: true });
  if (all.length === 0 && !admin) return null;
  return { id, defaultNamespace: namespace, grants: all, admin };
}
