import type { Authenticate, Principal } from './principal.ts';

type AuthenticateToken = (token: string) => Principal | null | Promise<Principal | null>;

const TOKEN_ONLY = new WeakSet<AuthenticateToken>();

/** Marks a function that needs only the token, so that no Request has to be built for it. */
export function tokenOnly(authenticate: AuthenticateToken): Authenticate {
  TOKEN_ONLY.add(authenticate);
  return authenticate;
}

export function isTokenOnly(authenticate: Authenticate): authenticate is AuthenticateToken {
  return TOKEN_ONLY.has(authenticate as AuthenticateToken);
}
