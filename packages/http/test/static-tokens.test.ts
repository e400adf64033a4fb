import { describe, expect, it } from 'vitest';
import { staticTokens } from '../src/index.ts';

const REQUEST = new Request('http://localhost/');

describe('staticTokens', () => {
  it('finds the principal of a token', () => {
    const authenticate = staticTokens([
      { token: 'a', namespace: 'acme' },
      { token: 'b', id: 'bob', grants: [{ namespace: 'acme', world: 'x', read: true }] },
      { token: 'c', admin: true },
      { token: 'd', namespace: 'acme', grants: [{ namespace: 'acme', read: true }] },
      { token: 'e', namespace: 'acme', grants: [{ namespace: 'beta', read: true }] },
    ]);
    expect(authenticate('a', REQUEST)).toMatchObject({
      defaultNamespace: 'acme',
      grants: [{ namespace: 'acme', read: true, write: true }],
    });
    expect(authenticate('b', REQUEST)).toEqual({
      id: 'bob',
      defaultNamespace: undefined,
      admin: undefined,
      grants: [{ namespace: 'acme', world: 'x', read: true }],
    });
    expect(authenticate('c', REQUEST)).toMatchObject({ admin: true });
    // What is said about the very namespace counts, and not what would be given without it.
    expect(authenticate('d', REQUEST)).toMatchObject({ grants: [{ namespace: 'acme', read: true }] });
    expect(authenticate('e', REQUEST)).toMatchObject({
      grants: [
        { namespace: 'beta', read: true },
        { namespace: 'acme', read: true, write: true },
      ],
    });
  });

  it.each(['', 'A', 'a ', 'ab', '__proto__'])('does not know %j', (token) => {
    expect(staticTokens([{ token: 'a', admin: true }])(token, REQUEST)).toBeNull();
  });

  it('does not name a token in the id that it makes', () => {
    const principal = staticTokens([{ token: 'secret-token', admin: true }])('secret-token', REQUEST);
    expect(JSON.stringify(principal)).not.toContain('secret');
  });

  it.each([
    ['that grants nothing', { token: 'secret' }, /tokens\[0\]: it grants nothing/],
    ['with grants of nothing', { token: 'secret', grants: [{ namespace: 'acme' }] }, /grants nothing/],
    ['with an empty list of grants', { token: 'secret', grants: [] }, /grants nothing/],
    ['that is not an admin', { token: 'secret', admin: false }, /grants nothing/],
    ['without text', { token: '', admin: true }, /tokens\[0\]: token: expected/],
    ['with a space', { token: 'se cret', admin: true }, /token: expected/],
    ['of another type', { token: 1, admin: true }, /token: expected/],
    ['that is missing', {}, /token: expected/],
    ['with a namespace that is no name', { token: 'secret', namespace: '_' }, /namespace: must begin/],
    [
      'with a grant of the wrong shape',
      { token: 'secret', grants: [{ world: 'x', read: true }] },
      /grants\.0\.namespace/,
    ],
    [
      'with a grant of the wrong type',
      { token: 'secret', grants: [{ namespace: 'x', read: 'yes' }] },
      /grants\.0\.read/,
    ],
  ])('refuses one %s', (_, entry, message) => {
    const make = () => staticTokens([entry as never]);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    expect(make).not.toThrow(/secret/);
  });

  it('refuses the same token twice', () => {
    const entries = [
      { token: 'a', admin: true },
      { token: 'b', admin: true },
      { token: 'a', namespace: 'acme' },
    ];
    expect(() => staticTokens(entries)).toThrow('tokens[2]: the same token as tokens[0].');
  });
});
