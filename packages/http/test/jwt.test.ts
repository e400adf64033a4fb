import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { type JwtOptions, jwt } from '../src/index.ts';

const REQUEST = new Request('http://localhost/');
let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let options: JwtOptions;
beforeAll(async () => {
  keys = await generateKeyPair('ES256');
  options = { key: keys.publicKey, algorithms: ['ES256'], issuer: 'https://issuer.example', audience: 'worlds' };
});

interface Token {
  readonly claims?: Record<string, unknown>;
  readonly issuer?: string;
  readonly audience?: string;
  readonly expires?: string | number | null;
}

async function sign(
  {
    claims = { sub: 'ada', namespace: 'acme' },
    issuer = 'https://issuer.example',
    audience = 'worlds',
    expires = '1m',
  }: Token = {},
  key = keys.privateKey,
): Promise<string> {
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).setIssuer(issuer).setAudience(audience);
  if (expires !== null) token.setExpirationTime(expires);
  return token.sign(key);
}

describe('jwt', () => {
  it('takes a token with everything right', async () => {
    expect(await jwt(options)(await sign(), REQUEST)).toEqual({
      id: 'ada',
      defaultNamespace: 'acme',
      grants: [{ namespace: 'acme', read: true, write: true }],
      admin: undefined,
    });
    const grants = [{ namespace: 'acme', world: 'a', read: true }];
    expect(await jwt(options)(await sign({ claims: { sub: 'ada', grants } }), REQUEST)).toMatchObject({ grants });
  });

  it.each<[string, Token]>([
    ['of another issuer', { issuer: 'https://other.example' }],
    ['for another audience', { audience: 'others' }],
    ['that has expired', { expires: 1 }],
    ['that never expires', { expires: null }],
    ['that grants nothing', { claims: { sub: 'ada' } }],
    ['with claims of the wrong shape', { claims: { sub: 'ada', namespace: 'no/name' } }],
    [
      'with a misspelt claim',
      { claims: { sub: 'ada', namespace: 'acme', grant: [{ namespace: 'acme', read: true }] } },
    ],
    [
      'with a misspelt field of a grant',
      { claims: { sub: 'ada', grants: [{ namespace: 'acme', wold: 'a', read: true }] } },
    ],
    ['with grants of the wrong shape', { claims: { sub: 'ada', admin: 'yes' } }],
  ])('refuses a token %s', async (_, token) => {
    expect(await jwt(options)(await sign(token), REQUEST)).toBeNull();
  });

  it('refuses tokens of another key, of another algorithm, without a signature, and no tokens', async () => {
    const authenticate = jwt(options);
    const other = await generateKeyPair('ES256');
    expect(await authenticate(await sign({}, other.privateKey), REQUEST)).toBeNull();
    const claims = { sub: 'ada', namespace: 'acme' };
    const unsigned = new UnsecuredJWT(claims).setIssuer('https://issuer.example').setAudience('worlds');
    expect(await authenticate(unsigned.setExpirationTime('1m').encode(), REQUEST)).toBeNull();
    // The public key as a shared secret: the classic confusion.
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(keys.publicKey)));
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('https://issuer.example')
      .setAudience('worlds')
      .setExpirationTime('1m')
      .sign(secret);
    expect(await authenticate(confused, REQUEST)).toBeNull();
    for (const token of ['', 'x', 'a.b.c', '..']) expect(await authenticate(token, REQUEST)).toBeNull();
  });

  it('asks the host what claims mean', async () => {
    const principal = ({ sub }: { sub?: string }) => (sub === 'ada' ? { id: 'host', grants: [], admin: true } : null);
    const authenticate = jwt({ ...options, principal });
    expect(await authenticate(await sign(), REQUEST)).toEqual({ id: 'host', grants: [], admin: true });
    expect(await authenticate(await sign({ claims: { sub: 'eve', admin: true } }), REQUEST)).toBeNull();
  });

  it('fetches the keys of an issuer; that they cannot be fetched is not the fault of the token', async () => {
    let status = 200;
    const jwk = { ...(await exportJWK(keys.publicKey)), alg: 'ES256', use: 'sig' };
    const issuer = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    try {
      const key = new URL(`http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`);
      expect(await jwt({ ...options, key })(await sign(), REQUEST)).toMatchObject({ id: 'ada' });
      status = 500;
      await expect(async () => jwt({ ...options, key })(await sign(), REQUEST)).rejects.toThrow(/200 OK/);
    } finally {
      issuer.close();
    }
  });

  it.each(['key', 'algorithms', 'issuer', 'audience'] as const)('does not do without %s', (field) => {
    expect(() => jwt({ ...options, [field]: undefined })).toThrow(`jwt: ${field} is missing`);
    if (field !== 'key') expect(() => jwt({ ...options, [field]: [] })).toThrow(`jwt: ${field} is missing`);
  });

  it.each<[string, Partial<JwtOptions>, RegExp]>([
    ['an empty secret', { key: new Uint8Array(0), algorithms: ['HS256'] }, /at least 32 bytes; this one has 0/],
    ['a short secret', { key: new Uint8Array(31), algorithms: ['HS256'] }, /at least 32 bytes; this one has 31/],
    [
      'a secret that is short for one',
      { key: new Uint8Array(32), algorithms: ['HS256', 'HS512'] },
      /at least 64 bytes/,
    ],
    ['a short secret as KeyObject', { key: createSecretKey(Buffer.alloc(16, 1)), algorithms: ['HS256'] }, /32 bytes/],
    ['a short secret as JWK', { key: { kty: 'oct', k: 'AAAA' }, algorithms: ['HS256'] }, /32 bytes/],
    ['a secret for key pairs', { key: new Uint8Array(32), algorithms: ['RS256'] }, /shared secret/],
    [
      'secrets at an address',
      { key: new URL('https://issuer.example/keys'), algorithms: ['HS256'] },
      /need a shared secret/,
    ],
    ['algorithms of both kinds', { algorithms: ['ES256', 'HS256'] }, /mixes/],
    [
      'an unknown option',
      { audiences: 'worlds' } as object,
      /jwt: there is no field "audiences"; did you mean audience\?/,
    ],
  ])('does not take %s', (_, wrong, message) => {
    expect(() => jwt({ ...options, ...wrong })).toThrow(message);
  });

  it('does not take a public key for secrets, and takes a long secret', async () => {
    expect(() => jwt({ ...options, algorithms: ['HS256'] })).toThrow(/need a shared secret/);
    const key = Buffer.alloc(32, 7);
    const claims = new SignJWT({ namespace: 'acme' }).setIssuer('https://issuer.example').setAudience('worlds');
    const token = await claims.setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1m').sign(key);
    expect(await jwt({ ...options, key, algorithms: ['HS256'] })(token, REQUEST)).not.toBeNull();
  });

  it('does not take tokens that nobody signed', () => {
    expect(() => jwt({ ...options, algorithms: ['ES256', 'none'] })).toThrow(/nobody signed/);
  });
});
