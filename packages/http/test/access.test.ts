import { describe, expect, it } from 'vitest';
import { Access } from '../src/access.ts';
import type { Principal } from '../src/principal.ts';

const access = (principal: Partial<Principal>) => new Access({ id: 'x', grants: [], ...principal }, 'platform');
const world = (name: string) => ({ namespace: name.split('/')[0], slug: name.split('/')[1] });

describe('Access', () => {
  const reader = access({
    grants: [
      { namespace: 'acme', world: 'a', read: true },
      { namespace: 'acme', world: 'b', write: true },
      { namespace: 'acme', world: 'b', read: false },
      { namespace: 'beta', read: true },
      { namespace: 'none' },
      { namespace: '__proto__', world: 'constructor', read: true },
    ],
  });

  it.each([
    ['read', 'acme/a', true],
    ['write', 'acme/a', false],
    ['read', 'acme/b', false],
    ['write', 'acme/b', true],
    ['read', 'acme/c', false],
    ['read', 'beta/anything', true],
    ['write', 'beta/anything', false],
    ['read', 'none/a', false],
    ['read', '__proto__/constructor', true],
    ['read', '__proto__/toString', false],
    ['read', 'constructor/name', false],
  ] as const)('%s %s: %s', (permission, name, expected) => {
    expect(reader.may(permission, world(name))).toBe(expected);
  });

  it('enters a namespace with any grant in it', () => {
    expect(['acme', 'beta', 'none', 'gamma'].map((name) => reader.mayEnter(name))).toEqual([true, true, false, false]);
    expect(['acme', 'beta'].map((name) => reader.mayEnter(name, 'write'))).toEqual([true, false]);
    expect(reader.mayAnywhere('write')).toBe(true);
    expect(access({ grants: [{ namespace: 'beta', read: true }] }).mayAnywhere('write')).toBe(false);
  });

  it('gives no leave by a default namespace alone', () => {
    const tenant = access({ defaultNamespace: 'acme' });
    expect(tenant.defaultNamespace).toBe('acme');
    expect(tenant.mayEnter('acme')).toBe(false);
    expect(access({}).defaultNamespace).toBe('platform');
  });

  it('lets an admin do everything', () => {
    const admin = access({ admin: true });
    expect(admin.may('write', world('any/thing'))).toBe(true);
    expect(admin.mayAll('read', 'any')).toBe(true);
    expect(admin.mayEnter('any', 'write')).toBe(true);
  });

  it('refuses with PERMISSION_DENIED, and shortens anything that is not a name', () => {
    expect(() => reader.require('write', world('acme/a'))).toThrow('You may not write acme/a; ask for a grant on it.');
    expect(() => reader.requireEntry('gamma')).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
    const refusal = () => reader.requireEntry('x'.repeat(10_000));
    expect(refusal).toThrow(expect.objectContaining({ message: expect.stringMatching(/^.{1,400}$/s) }));
  });
});
