import type { CryptoKey, JSONWebKeySet, JWK, JWTPayload, JWTVerifyGetKey, KeyObject } from 'jose';
import type { Principal } from './principal.ts';

/** Which JSON Web Tokens are accepted (RFC 7519), and what they permit. */
export interface JwtOptions {
  /**
   * The verification key: a public key or shared secret, a set of them (JWKS), a key-resolving
   * function of jose, or the URL of the issuer's JWKS.
   */
  readonly key: CryptoKey | KeyObject | JWK | JSONWebKeySet | Uint8Array | JWTVerifyGetKey | URL;
  /** The accepted algorithms, such as `['ES256']`; all others are rejected. */
  readonly algorithms: readonly string[];
  /** Accepted values of `iss`. */
  readonly issuer: string | readonly string[];
  /** Accepted values of `aud`; the token must contain one of them. */
  readonly audience: string | readonly string[];
  /** Tolerated clock skew of the issuer; 0 by default. */
  readonly clockToleranceSeconds?: number | undefined;
  /**
   * Maps the claims of a valid token to a principal; null rejects the token like an invalid one. By
   * default `sub` is the id, `namespace`, `grants` and `admin` have the same meaning as in
   * `staticTokens`, and a token that misspells one of them is invalid.
   */
  readonly principal?: ((claims: JWTPayload) => Principal | null) | undefined;
}
