import { createHash, timingSafeEqual } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import { kindOf } from '@rdf-worlds/core/internal';
import { requireKnownFields, requireOptions } from '@rdf-worlds/core/plugin';
import { z } from 'zod';
import type { Authenticate, Grant, Principal } from './principal.ts';
import { requireGrantFields, TenantClaims, tenantPrincipal } from './tenant-claims.ts';
import { tokenOnly } from './token-only.ts';

/**
 * A token and its permissions. At least one of `namespace`, `admin` and `grants` must grant
 * something.
 */
export interface StaticToken {
  /** At least 16 characters, or `sha256:` followed by the token's hash in 64 hexadecimal digits. */
  readonly token: string;
  /** Identifies the caller in logs; derived from the token's hash by default. */
  readonly id?: string | undefined;
  /**
   * The tenant: the default namespace, with permission to read and write all of it. If `grants` has
   * entries for this namespace, they decide instead.
   */
  readonly namespace?: string | undefined;
  /** Permits everything, in all namespaces. Default: false. */
  readonly admin?: boolean | undefined;
  /** Permissions for single worlds or namespaces. Default: none. */
  readonly grants?: readonly Grant[] | undefined;
  /**
   * Scheduling weight, from 0.01 to 100: the caller's share of processor time relative to other
   * callers that have work at the same time. Default: 1.
   */
  readonly weight?: number | undefined;
  /**
   * Expiry in ISO 8601 with a time zone, such as `2027-01-31T00:00:00Z`. Never expires by default.
   */
  readonly expiresAt?: string | undefined;
}

const FIELDS = Object.keys({
  token: true,
  id: true,
  namespace: true,
  admin: true,
  grants: true,
  weight: true,
  expiresAt: true,
} satisfies Record<keyof StaticToken, true>);

/** Bearer tokens consist of visible ASCII characters; others could not be sent. */
const TOKEN = /^[\x21-\x7e]+$/;
/** Shorter tokens could be guessed. */
const MIN_TOKEN_LENGTH = 16;
const HASHED = 'sha256:';
const EXPIRY = z.object({ expiresAt: z.iso.datetime({ offset: true }).optional(), id: z.string().min(1).optional() });

interface KnownToken {
  readonly hash: Buffer;
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

/** A list of tokens that can be replaced at run time. */
export class TokenList {
  private known: readonly KnownToken[];
  /** Resolves tokens to principals; pass it to the handler's options. */
  readonly authenticate: Authenticate;

  /** Throws `INVALID_ARGUMENT` as `staticTokens` does. */
  constructor(tokens: readonly StaticToken[]) {
    this.known = knownTokens(tokens);
    this.authenticate = tokenOnly((token) => this.find(token));
  }

  /**
   * Replaces the tokens for subsequent requests. Throws `INVALID_ARGUMENT` and keeps the old ones
   * if one is invalid.
   */
  replace(tokens: readonly StaticToken[]): void {
    this.known = knownTokens(tokens);
  }

  private find(token: string): Principal | null {
    const hash = sha256(token);
    let found: KnownToken | undefined;
    // No early exit: the duration must not reveal which token came close.
    for (const entry of this.known) if (timingSafeEqual(entry.hash, hash)) found = entry;
    if (!found || (found.expiresAtMs !== Number.POSITIVE_INFINITY && Date.now() >= found.expiresAtMs)) return null;
    return found.principal;
  }
}

/**
 * Authenticates with a fixed list of tokens. They are stored as SHA-256 hashes, and each comparison
 * takes constant time. Throws `INVALID_ARGUMENT` for unknown fields and for a token that is shorter
 * than 16 characters, duplicated, or grants nothing; the message names its position in the list,
 * never the token.
 */
export function staticTokens(tokens: readonly StaticToken[]): Authenticate {
  return new TokenList(tokens).authenticate;
}

function knownTokens(tokens: readonly StaticToken[]): readonly KnownToken[] {
  if (!Array.isArray(tokens)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `staticTokens: expected an array of tokens, not ${kindOf(tokens)}; write staticTokens([{ token, namespace: 'acme' }]).`,
    );
  }
  const known = tokens.map(knownToken);
  const places = new Map<string, number>();
  known.forEach(({ hash }, i) => {
    const name = hash.toString('hex');
    const first = places.get(name);
    if (first !== undefined)
      throw new WorldsError('INVALID_ARGUMENT', `tokens[${i}]: the same token as tokens[${first}].`);
    places.set(name, i);
  });
  return known;
}

function knownToken(entry: StaticToken, i: number): KnownToken {
  const where = `tokens[${i}]`;
  const invalid = (problem: string) => new WorldsError('INVALID_ARGUMENT', `${where}: ${problem}`);
  requireOptions(entry, where, `staticTokens([{ token, namespace: 'acme' }])`);
  if (typeof entry.token !== 'string' || !TOKEN.test(entry.token)) {
    throw invalid('token: expected visible ASCII characters without spaces.');
  }
  requireKnownFields(entry, FIELDS, where);
  requireGrantFields(entry.grants, where);
  const parsed = TenantClaims.and(EXPIRY).safeParse(entry);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue.path.join('.')}: ${issue.message}`);
  }
  const hash = hashOf(entry.token);
  if (!hash) {
    throw invalid(
      `token: expected at least ${MIN_TOKEN_LENGTH} characters, such as the output of openssl rand -hex 32, or ${HASHED} and 64 hexadecimal digits.`,
    );
  }
  const principal = tenantPrincipal(entry.id ?? `token ${hash.toString('hex').slice(0, 8)}`, parsed.data);
  if (!principal) throw invalid('it grants nothing; set namespace, grants, or admin: true.');
  const expiresAtMs = entry.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(entry.expiresAt);
  return { hash, principal, expiresAtMs };
}

/**
 * Returns the hash of a token, or the hash given in its place; undefined for a token that is too
 * short or a malformed hash.
 */
function hashOf(token: string): Buffer | undefined {
  if (!token.startsWith(HASHED)) return token.length < MIN_TOKEN_LENGTH ? undefined : sha256(token);
  const digits = token.slice(HASHED.length);
  return /^[0-9a-f]{64}$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

function sha256(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
