import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { staticTokens, TokenList } from '../src/index.ts';

const REQUEST = new Request('http://localhost/');

describe('staticTokens', () => {
  it('finds the principal of a token', () => {
    const authenticate = staticTokens([
      { token: 'aaaaaaaaaaaaaaaa', namespace: 'acme' },
      { token: 'bbbbbbbbbbbbbbbb', id: 'bob', grants: [{ namespace: 'acme', world: 'x', read: true }] },
      { token: 'cccccccccccccccc', admin: true },
      { token: 'dddddddddddddddd', namespace: 'acme', grants: [{ namespace: 'acme', read: true }] },
      { token: 'eeeeeeeeeeeeeeee', namespace: 'acme', grants: [{ namespace: 'beta', read: true }] },
    ]);
    expect(authenticate('aaaaaaaaaaaaaaaa', REQUEST)).toMatchObject({
      defaultNamespace: 'acme',
      grants: [{ namespace: 'acme', read: true, write: true }],
    });
    expect(authenticate('bbbbbbbbbbbbbbbb', REQUEST)).toEqual({
      id: 'bob',
      defaultNamespace: undefined,
      admin: undefined,
      grants: [{ namespace: 'acme', world: 'x', read: true }],
    });
    expect(authenticate('cccccccccccccccc', REQUEST)).toMatchObject({ admin: true });
    // What is said about the very namespace counts, and not what would be given without it.
    expect(authenticate('dddddddddddddddd', REQUEST)).toMatchObject({ grants: [{ namespace: 'acme', read: true }] });
    expect(authenticate('eeeeeeeeeeeeeeee', REQUEST)).toMatchObject({
      grants: [
        { namespace: 'beta', read: true },
        { namespace: 'acme', read: true, write: true },
      ],
    });
  });

  it('gives a caller the weight of its token', () => {
    const authenticate = staticTokens([{ token: 'aaaaaaaaaaaaaaaa', namespace: 'acme', weight: 2.5 }]);
    expect(authenticate('aaaaaaaaaaaaaaaa', REQUEST)).toMatchObject({ weight: 2.5 });
  });

  it.each([0, -1, 101, Number.NaN, '2'])('refuses the weight %j', (weight) => {
    const entry = { token: 'aaaaaaaaaaaaaaaa', namespace: 'acme', weight: weight as number };
    expect(() => staticTokens([entry])).toThrow(/tokens\[0\]: weight: /);
  });

  it.each(['', 'A'.repeat(16), `${'a'.repeat(16)} `, 'a'.repeat(17), '__proto__'])('does not know %j', (token) => {
    expect(staticTokens([{ token: 'aaaaaaaaaaaaaaaa', admin: true }])(token, REQUEST)).toBeNull();
  });

  it('does not name a token in the id that it makes', () => {
    const principal = staticTokens([{ token: 'secret-token-of-test', admin: true }])('secret-token-of-test', REQUEST);
    expect(JSON.stringify(principal)).not.toContain('secret');
  });

  it.each([
    ['that grants nothing', { token: 'secret-of-this-test' }, /tokens\[0\]: it grants nothing/],
    ['with grants of nothing', { token: 'secret-of-this-test', grants: [{ namespace: 'acme' }] }, /grants nothing/],
    ['with an empty list of grants', { token: 'secret-of-this-test', grants: [] }, /grants nothing/],
    ['that is not an admin', { token: 'secret-of-this-test', admin: false }, /grants nothing/],
    ['without text', { token: '', admin: true }, /tokens\[0\]: token: expected/],
    ['with a space', { token: 'se cret-of-this-test', admin: true }, /token: expected/],
    ['of another type', { token: 1, admin: true }, /token: expected/],
    ['that is missing', {}, /token: expected/],
    ['that is short', { token: 'secret-of-15-ch', admin: true }, /tokens\[0\]: token: expected at least 16 characters/],
    ['with half a hash', { token: 'sha256:secret0123456789', admin: true }, /token: expected at least 16 characters/],
    [
      'with a misspelt field',
      { token: 'secret-of-this-test', namespace: 'acme', grant: [{ namespace: 'acme', read: true }] },
      /tokens\[0\]: there is no field "grant"; did you mean grants\?/,
    ],
    [
      'with a misspelt field of a grant',
      { token: 'secret-of-this-test', grants: [{ namespace: 'acme', wrold: 'a', read: true }] },
      /tokens\[0\]\.grants\[0\]: there is no field "wrold"; did you mean world\?/,
    ],
    [
      'with another field',
      { token: 'secret-of-this-test', admin: true, comment: 'x' },
      /there is no field "comment"; they are token, id, /,
    ],
    [
      'with an expiry that is not a time',
      { token: 'secret-of-this-test', admin: true, expiresAt: 'soon' },
      /expiresAt: /,
    ],
    [
      'with an expiry without a zone',
      { token: 'secret-of-this-test', admin: true, expiresAt: '2027-01-31T00:00:00' },
      /expiresAt: /,
    ],
    ['with a namespace that is not a name', { token: 'secret-of-this-test', namespace: '_' }, /namespace: must begin/],
    [
      'with a grant of the wrong shape',
      { token: 'secret-of-this-test', grants: [{ world: 'x', read: true }] },
      /grants\.0\.namespace/,
    ],
    [
      'with a grant of the wrong type',
      { token: 'secret-of-this-test', grants: [{ namespace: 'x', read: 'yes' }] },
      /grants\.0\.read/,
    ],
  ])('refuses one %s', (_, entry, message) => {
    const make = () => staticTokens([entry as never]);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(make).not.toThrow(/secret/);
  });

  it('takes a hash for the token of which it is one, and only for that', () => {
    const token = 'a-token-of-this-test';
    const hashed = `sha256:${createHash('sha256').update(token).digest('hex').toUpperCase()}`;
    const authenticate = staticTokens([{ token: hashed, admin: true }]);
    expect([authenticate(token, REQUEST), authenticate(hashed, REQUEST)]).toMatchObject([{ admin: true }, null]);
    expect(() =>
      staticTokens([
        { token, admin: true },
        { token: hashed, admin: true },
      ]),
    ).toThrow(/the same token/);
  });

  it('knows a token until it expires', () => {
    vi.useFakeTimers({ now: Date.parse('2027-01-30T23:59:59Z') });
    try {
      const token = 'a-token-of-this-test';
      const authenticate = staticTokens([{ token, admin: true, expiresAt: '2027-01-31T01:00:00+01:00' }]);
      expect(authenticate(token, REQUEST)).not.toBeNull();
      vi.advanceTimersByTime(1000);
      expect(authenticate(token, REQUEST)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuses the same token twice', () => {
    const entries = [
      { token: 'aaaaaaaaaaaaaaaa', admin: true },
      { token: 'bbbbbbbbbbbbbbbb', admin: true },
      { token: 'aaaaaaaaaaaaaaaa', namespace: 'acme' },
    ];
    expect(() => staticTokens(entries)).toThrow('tokens[2]: the same token as tokens[0].');
  });
});

describe('TokenList', () => {
  it('is replaced as a whole, or not at all', () => {
    const [first, second] = ['the-first-of-two-tokens', 'the-second-of-two-tokens'];
    const list = new TokenList([{ token: first, admin: true }]);
    const known = () => [first, second].map((token) => list.authenticate(token, REQUEST) !== null);
    expect(() => list.replace([{ token: second, admin: true }, { token: 'short' }])).toThrow(/tokens\[1\]/);
    expect(known()).toEqual([true, false]);
    list.replace([{ token: second, admin: true }]);
    expect(known()).toEqual([false, true]);
  });
});
