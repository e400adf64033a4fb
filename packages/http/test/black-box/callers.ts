/**
 * The callers of the black-box tests, as the entries of a tokens file. Alpha and beta are two
 * tenants; what a name says is all that the caller may do.
 */
export const CALLERS = {
  alice: {
    token: 'alice-of-alpha-0f3a',
    namespace: 'alpha',
    grants: [{ namespace: 'alpha', read: true, write: true }],
  },
  bob: { token: 'bob-of-beta-77c1', namespace: 'beta', grants: [{ namespace: 'beta', read: true, write: true }] },
  /** No tenant, and one world of another's namespace, to read. */
  carol: { token: 'carol-the-guest-19d2', grants: [{ namespace: 'alpha', world: 'shared', read: true }] },
  /** Of alpha, where she only reads. */
  rita: { token: 'rita-the-reader-5b0e', namespace: 'alpha', grants: [{ namespace: 'alpha', read: true }] },
  /** Of alpha: reads all of it, writes one world. */
  wes: {
    token: 'wes-writes-shared-8a44',
    namespace: 'alpha',
    grants: [
      { namespace: 'alpha', read: true },
      { namespace: 'alpha', world: 'shared', write: true },
    ],
  },
  /** Of alpha, and a guest in all of gamma. */
  gita: {
    token: 'gita-of-two-houses-c2d9',
    namespace: 'alpha',
    grants: [
      { namespace: 'alpha', read: true, write: true },
      { namespace: 'gamma', read: true, write: true },
    ],
  },
  /** No tenant: at home in the platform namespace. */
  olga: { token: 'olga-the-operator-e6f7', grants: [{ namespace: 'platform', read: true, write: true }] },
  admin: { token: 'admin-of-everything-3d3d', admin: true },
} as const;

export type Caller = keyof typeof CALLERS;

export const WRONG_TOKEN = 'nobody-has-this-token';

export function bearer(caller: Caller): string {
  return `Bearer ${CALLERS[caller].token}`;
}
