import type { Authenticate } from './principal.ts';
import { isTokenOnly, tokenOnly } from './token-only.ts';

/**
 * Authenticates with the first of several methods that accepts a token, for example administrators'
 * static tokens and an issuer's JWTs.
 */
export function anyOf(...ways: readonly Authenticate[]): Authenticate {
  const byToken = ways.filter(isTokenOnly);
  if (byToken.length === ways.length) {
    return tokenOnly(async (token) => {
      for (const way of byToken) {
        const principal = await way(token);
        if (principal) return principal;
      }
      return null;
    });
  }
  return async (token, request) => {
    for (const way of ways) {
      const principal = await way(token, request);
      if (principal) return principal;
    }
    return null;
  };
}
