import { createHash, timingSafeEqual } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import type { Authenticate, Grant, Principal } from './principal.ts';
import { TenantClaims, tenantPrincipal } from './tenant-claims.ts';
import { tokenOnly } from './token-only.ts';

/** A token and what it is good for. At least one of `namespace`, `admin` and `grants` must grant something. */
export interface StaticToken {
  readonly token: string;
  /** For the log; made from the token's hash when not given. */
  readonly id?: string;
  /** The tenant: the default namespace, and leave to read and write all of it - unless `grants` has entries for it: then they decide. */
  readonly namespace?: string;
  readonly admin?: boolean;
  readonly grants?: readonly Grant[];
}

/** A bearer token is one word of visible ASCII: anything else could not be sent. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Authenticates by a fixed list of tokens. They are kept as SHA-256 hashes, and every one is compared in constant time. Throws
 * INVALID_ARGUMENT for a token that is empty, given twice, or grants nothing; the message names its place in the list, never the token.
 */
export function staticTokens(tokens: readonly StaticToken[]): Authenticate {
  const known = tokens.map((entry, i) => {
    const invalid = (problem: string) => new WorldsError('INVALID_ARGUMENT', `tokens[${i}]: ${problem}`);
    if (typeof entry?.token !== 'string' || !TOKEN.test(entry.token)) {
      throw invalid('token: expected visible ASCII characters without spaces.');
    }
    const parsed = TenantClaims.safeParse(entry);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw invalid(`${issue.path.join('.')}: ${issue.message}`);
    }
    const hash = sha256(entry.token);
    const principal = tenantPrincipal(entry.id ?? `token ${hash.toString('hex').slice(0, 8)}`, parsed.data);
    if (!principal) throw invalid('it grants nothing; give it a namespace, grants, or admin: true.');
    return { hash, principal };
  });
  known.forEach(({ hash }, i) => {
    const first = known.findIndex((other) => other.hash.equals(hash));
    if (first < i) throw new WorldsError('INVALID_ARGUMENT', `tokens[${i}]: the same token as tokens[${first}].`);
  });
  return tokenOnly((token) => {
    const hash = sha256(token);
    let found: Principal | null = null;
    // No early way out: how long it takes says nothing about which token came close.
    for (const entry of known) if (timingSafeEqual(entry.hash, hash)) found = entry.principal;
    return found;
  });
}

function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
