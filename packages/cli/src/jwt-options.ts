import { createPublicKey } from 'node:crypto';
import { type Authenticate, isLoopback, type JwtOptions, jwt } from '@rdf-worlds/http';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { readGuarded } from './guarded-file.ts';
import { integer, several } from './option-value.ts';
import { UsageError } from './usage-error.ts';

/** Options for authentication with an issuer's signed tokens. */
export const JWT_OPTIONS: readonly Option[] = [
  new Option('--jwt-issuer <ISSUER>', 'accept JSON Web Tokens from this issuer (repeatable)').argParser(several),
  new Option('--jwt-audience <AUDIENCE>', 'required audience, the aud claim (repeatable)').argParser(several),
  new Option('--jwt-algorithms <NAME>', 'accepted signature algorithm, such as ES256 (repeatable)').argParser(several),
  new Option(
    '--jwt-jwks-url <URL>',
    'the JWKS with the keys of the issuer; the only URL that the server requests',
  ).conflicts('jwtKeyFile'),
  new Option(
    '--jwt-key-file <FILE>',
    'instead of a URL, a file with the key: PEM of a public key, JWK, JWKS, or a shared secret',
  ),
  new Option(
    '--jwt-clock-tolerance-seconds <N>',
    'tolerated difference from the clock of the issuer, in seconds',
  ).argParser(integer(0, 3_600)),
];

/**
 * Returns the JWT authentication that the options describe; undefined without them. Throws
 * `UsageError` for incomplete options and `INVALID_ARGUMENT` for an unsuitable key.
 */
export async function jwtOf(given: Arguments): Promise<Authenticate | undefined> {
  const issuer = given.texts('jwt-issuer');
  const audience = given.texts('jwt-audience');
  const algorithms = given.texts('jwt-algorithms');
  const url = given.text('jwt-jwks-url');
  const file = given.text('jwt-key-file');
  const hasKey = url !== undefined || file !== undefined;
  const parts = [issuer.length > 0, audience.length > 0, algorithms.length > 0, hasKey];
  if (!parts.includes(true)) return undefined;
  if (parts.includes(false)) {
    throw new UsageError(
      'JSON Web Tokens need --jwt-issuer, --jwt-audience, --jwt-algorithms, and --jwt-jwks-url or --jwt-key-file: without all of them, tokens issued for other services would be accepted.',
    );
  }
  const key = url !== undefined ? jwksUrl(url) : await keyOf(file!);
  const clockToleranceSeconds = given.integer('jwt-clock-tolerance-seconds');
  return jwt({ key, issuer, audience, algorithms, clockToleranceSeconds });
}

/** Requires https (or loopback), because keys fetched without protection could be forged. */
function jwksUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw new UsageError('--jwt-jwks-url: expected an https URL.');
}

async function keyOf(path: string): Promise<JwtOptions['key']> {
  const { content, warning } = await readGuarded(path);
  const text = content.trim();
  if (/PRIVATE KEY/.test(text)) throw isPrivate(path);
  if (text.startsWith('-----BEGIN')) return createPublicKey(text);
  if (text.startsWith('{')) {
    const key = parsed(text, path);
    const all = Array.isArray(key.keys) ? (key.keys as readonly Jwk[]) : [key];
    if (all.some((each) => each.d !== undefined)) throw isPrivate(path);
    return key as JwtOptions['key'];
  }
  if (warning) throw new UsageError(`${path}: other users can read the shared secret; run chmod 600.`);
  return Buffer.from(text);
}

/** A JSON Web Key, or a set of them. */
type Jwk = { readonly d?: unknown; readonly keys?: unknown };

/** Parses JSON. Error messages never include the file's content, which may be secret. */
function parsed(text: string, path: string): Jwk {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path}: it is not valid JSON.`);
  }
}

function isPrivate(path: string): UsageError {
  return new UsageError(`${path}: it contains a private key, which only the issuer needs; pass the public key.`);
}
