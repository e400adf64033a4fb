import type { WorldsClientOptions } from '@rdf-worlds/client';

/**
 * Settings of all clients of commands: the user waits as long as they like, and decides whether to
 * try again.
 */
export const CLIENT_SETTINGS = {
  idleTimeoutMs: Number.POSITIVE_INFINITY,
  retry: { retries: 0 },
} as const satisfies Partial<WorldsClientOptions>;
