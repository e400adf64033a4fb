import { requireKnownFields, WorldsError } from '@rdf-worlds/core';
import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  type KeyObject,
} from 'jose';
import { isKeySet, requireGoodKey } from './jwt-key.ts';
import type { Authenticate, Principal } from './principal.ts';
import { hasMisspeltClaim, requireGrantFields, TenantClaims, tenantPrincipal } from './tenant-claims.ts';
import { tokenOnly } from './token-only.ts';

export interface JwtOptions {
  /**
   * The key that signs: a public key or shared secret, a set of them (JWKS), a function of jose
   * that finds it, or the address of the issuer's JWKS.
   */
  readonly key: CryptoKey | KeyObject | JWK | JSONWebKeySet | Uint8Array | JWTVerifyGetKey | URL;
  /** The only algorithms that are accepted, such as `['ES256']`. */
  readonly algorithms: readonly string[];
  /** What `iss` must be. */
  readonly issuer: string | readonly string[];
  /** What `aud` must hold. */
  readonly audience: string | readonly string[];
  /** How far the issuer's clock may be off; 0 when not given. */
  readonly clockToleranceSeconds?: number | undefined;
  /**
   * Makes a principal of the claims of a valid token; null: it may do nothing, and is answered like
   * a wrong one. When not given: `sub` is the id, and `namespace`, `grants` and `admin` mean what
   * they mean in `staticTokens`. A token with a misspelling of one of them is not valid.
   */
  readonly principal?: ((claims: JWTPayload) => Principal | null) | undefined;
}

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
