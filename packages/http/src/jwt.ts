import { requireKnownFields, WorldsError } from '@rdf-worlds/core';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { isKeySet, requireGoodKey } from './jwt-key.ts';
import type { JwtOptions } from './jwt-options.ts';
import type { Authenticate, Principal } from './principal.ts';
import { hasMisspeltClaim, requireGrantFields, TenantClaims, tenantPrincipal } from './tenant-claims.ts';
import { tokenOnly } from './token-only.ts';

const JWT_FIELDS = Object.keys({
  key: true,
  algorithms: true,
  issuer: true,
  audience: true,
  clockToleranceSeconds: true,
  principal: true,
} satisfies Record<keyof JwtOptions, true>);

/**
 * Authenticates by signed JSON Web Tokens (RFC 7519). A token must be signed with one of the
 * algorithms, and carry the issuer, the audience and an expiry. Throws INVALID_ARGUMENT when one of
 * them is left open, for unknown options, and for a key that is empty, too short, or not for all of
 * the algorithms.
 */
export function jwt(given: JwtOptions): Authenticate {
  requireKnownFields(given, JWT_FIELDS, 'jwt');
  const { key, algorithms, issuer, audience, clockToleranceSeconds, principal = principalOfClaims } = given;
  for (const [field, value] of Object.entries({ key, algorithms, issuer, audience })) {
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `jwt: ${field} is missing; without it tokens of others would be valid.`,
      );
    }
  }
  if (algorithms.includes('none')) {
    throw new WorldsError('INVALID_ARGUMENT', 'jwt: algorithms: "none" would accept tokens that nobody signed.');
  }
  requireGoodKey(key, algorithms);
  const source = key instanceof URL ? createRemoteJWKSet(key) : isKeySet(key) ? createLocalJWKSet(key) : key;
  const options = {
    algorithms: [...algorithms],
    issuer: typeof issuer === 'string' ? issuer : [...issuer],
    audience: typeof audience === 'string' ? audience : [...audience],
    // jose checks an expiry that is there; a token without one would be valid for ever.
    requiredClaims: ['exp'],
    clockTolerance: clockToleranceSeconds,
  };
  return tokenOnly(async (token) => {
    try {
      const { payload } = await jwtVerify(token, source, options);
      return principal(payload);
    } catch (error) {
      if (isTokensFault(error)) return null;
      throw error;
    }
  });
}

/**
 * Everything that jose finds wrong with a token; not that the issuer's keys could not be fetched.
 */
function isTokensFault(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC')
  );
}

function principalOfClaims(claims: JWTPayload): Principal | null {
  if (hasMisspeltClaim(claims)) return null;
  const parsed = TenantClaims.safeParse(claims);
  if (!parsed.success) return null;
  try {
    requireGrantFields(claims['grants'], 'claims');
  } catch {
    // Of a token that nobody can mend here: it is answered like a wrong one.
    return null;
  }
  return tenantPrincipal(claims.sub ?? 'jwt', parsed.data);
}
