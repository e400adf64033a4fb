import { NAME_PATTERN, NAME_RULE, nearestName } from '@rdf-worlds/core/internal';
import { requireKnownFields } from '@rdf-worlds/core/plugin';
import { z } from 'zod';
import type { Grant, Principal } from './principal.ts';

const name = z.string().regex(NAME_PATTERN, { error: `must ${NAME_RULE}` });

/** Range of scheduling weights: more extreme ones would starve a caller, or all others. */
const MIN_WEIGHT = 0.01;
const MAX_WEIGHT = 100;

/** The claims about a token's bearer: from an entry of a tokens file, or from a JWT. */
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
  weight: z.number().min(MIN_WEIGHT).max(MAX_WEIGHT).optional(),
});

export type TenantClaims = z.output<typeof TenantClaims>;

/**
 * Returns the principal described by the claims; null if they grant nothing. `namespace` includes
 * permission to read and write all of it, unless `grants` has an entry for that namespace.
 */
export function tenantPrincipal(id: string, { namespace, admin, grants = [], weight }: TenantClaims): Principal | null {
  const all: Grant[] = grants.filter(({ read, write }) => read || write);
  const isExplicit = grants.some((grant) => grant.namespace === namespace);
  if (namespace !== undefined && !isExplicit) all.push({ namespace, read: true, write: true });
  if (all.length === 0 && !admin) return null;
  return { id, defaultNamespace: namespace, grants: all, admin, ...(weight !== undefined && { weight }) };
}

export const CLAIM_FIELDS = ['namespace', 'admin', 'grants', 'weight'] as const;
export const GRANT_FIELDS = ['namespace', 'world', 'read', 'write'] as const;

/** Throws `INVALID_ARGUMENT` for a grant with an unknown field. */
export function requireGrantFields(grants: unknown, where: string): void {
  if (!Array.isArray(grants)) return;
  grants.forEach((grant: unknown, i) => {
    if (typeof grant === 'object' && grant !== null) requireKnownFields(grant, GRANT_FIELDS, `${where}.grants[${i}]`);
  });
}

/**
 * Returns true if the claims of a JWT, which may contain arbitrary others, include a misspelling of
 * one of ours.
 */
export function hasMisspeltClaim(claims: object): boolean {
  return Object.keys(claims).some(
    (name) =>
      !(CLAIM_FIELDS as readonly string[]).includes(name) && nearestName(name, CLAIM_FIELDS, 1 / 3) !== undefined,
  );
}
