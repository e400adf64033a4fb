import { WorldsError } from '@rdf-worlds/core';
import type { CryptoKey, JSONWebKeySet } from 'jose';
import type { JwtOptions } from './jwt-options.ts';

/**
 * RFC 7518 section 3.2: "A key of the same size as the hash output (for instance, 256 bits for
 * HS256) or larger MUST be used".
 */
const SECRET_BYTES: Readonly<Record<string, number>> = { HS256: 32, HS384: 48, HS512: 64 };

/**
 * Validates the key. Throws `INVALID_ARGUMENT` if the algorithms mix shared secrets and key pairs
 * (which would let a public key pass for a secret), or if the key does not suit the algorithms, is
 * empty, or is a secret that is too short. Keys that a function provides cannot be checked here.
 */
export function requireGoodKey(key: JwtOptions['key'], algorithms: readonly string[]): void {
  const secrets = algorithms.filter((name) => name.startsWith('HS'));
  if (secrets.length > 0 && secrets.length < algorithms.length) {
    invalid(`algorithms: ${algorithms.join(', ')} mixes shared secrets and key pairs; use algorithms of one kind.`);
  }
  for (const name of secrets)
    if (!Object.hasOwn(SECRET_BYTES, name)) invalid(`algorithms: there is no ${JSON.stringify(name)}.`);
  if (typeof key === 'function') return;
  if (isKeySet(key)) {
    if (key.keys.length === 0) invalid('key: the set has no keys.');
    for (const each of key.keys) requireGoodKey(each, algorithms);
    return;
  }
  const isSecretKey = secretBytes(key) !== undefined;
  if (isSecretKey !== secrets.length > 0) {
    invalid(
      isSecretKey
        ? `key: it is a shared secret, and ${algorithms.join(', ')} need a public key.`
        : `key: ${algorithms.join(', ')} need a shared secret, which it is not.`,
    );
  }
  const least = Math.max(0, ...secrets.map((name) => SECRET_BYTES[name]));
  const length = secretBytes(key);
  if (length !== undefined && length < least) {
    invalid(`key: a secret for ${secrets.join(', ')} must have at least ${least} bytes; this one has ${length}.`);
  }
}

/** Returns true if the key is a JWK Set (RFC 7517 section 5). */
export function isKeySet(key: JwtOptions['key']): key is JSONWebKeySet {
  return 'keys' in key && Array.isArray(key.keys);
}

/** Returns the length of a shared secret in bytes; undefined for other keys. */
function secretBytes(
  key: Exclude<JwtOptions['key'], JSONWebKeySet | ((...parts: never) => unknown)>,
): number | undefined {
  if (key instanceof URL) return undefined;
  if (ArrayBuffer.isView(key)) return key.byteLength;
  if ('symmetricKeySize' in key && typeof key.symmetricKeySize === 'number') return key.symmetricKeySize;
  if ('kty' in key) return key.kty === 'oct' ? Buffer.from(key.k ?? '', 'base64url').length : undefined;
  if ('type' in key && key.type === 'secret') {
    const { length } = (key as CryptoKey).algorithm as { length?: number };
    return (length ?? 0) / 8;
  }
  return undefined;
}

function invalid(problem: string): never {
  throw new WorldsError('INVALID_ARGUMENT', `jwt: ${problem}`);
}
