import { WorldsError } from '@rdf-worlds/core';
import { kindOf } from '@rdf-worlds/core/internal';
import { requireKnownFields, requireOptions } from '@rdf-worlds/core/plugin';
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
 * Authenticates with signed JSON Web Tokens (RFC 7519). A token must be signed with one of the
 * algorithms and contain the issuer, the audience and an expiry. Throws `INVALID_ARGUMENT` if a
 * required option is missing, for unknown options, and for a key that is empty, too short, or does
 * not suit all of the algorithms.
 */
export function jwt(given: JwtOptions): Authenticate {
  requireOptions(given, 'jwt', "jwt({ key: new URL(jwksUrl), algorithms: ['RS256'], issuer, audience })");
  requireKnownFields(given, JWT_FIELDS, 'jwt');
  const { key, algorithms, issuer, audience, clockToleranceSeconds, principal = principalOfClaims } = given;
  for (const [field, value] of Object.entries({ key, algorithms, issuer, audience })) {
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `jwt: ${field} is missing; without it, tokens issued for other services would be accepted.`,
      );
    }
  }
  if (!Array.isArray(algorithms)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `jwt: algorithms: expected an array such as ['RS256'], not ${kindOf(algorithms)}.`,
    );
  }
  for (const [field, value] of Object.entries({ issuer, audience })) {
    if (typeof value !== 'string' && !Array.isArray(value))
      throw new WorldsError('INVALID_ARGUMENT', `jwt: ${field}: expected a string or an array of strings.`);
  }
  if (typeof key !== 'function' && typeof key !== 'object') {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `jwt: key: expected bytes, a key, a key set or its URL, not ${kindOf(key)}; for a shared secret, write new TextEncoder().encode(secret).`,
    );
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
    // jose checks only an expiry that is present; a token without one would never expire.
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
 * Returns true for errors that are the token's fault, as opposed to a failure to fetch the issuer's
 * keys.
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
    // The token's fault, which cannot be fixed here: answered like an invalid token.
    return null;
  }
  return tenantPrincipal(claims.sub ?? 'jwt', parsed.data);
}
