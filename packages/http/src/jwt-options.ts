import type { CryptoKey, JSONWebKeySet, JWK, JWTPayload, JWTVerifyGetKey, KeyObject } from 'jose';
import type { Principal } from './principal.ts';

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
