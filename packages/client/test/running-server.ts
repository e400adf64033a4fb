import type { AddressInfo } from 'node:net';
import { WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { createLimitedServer, nodeListener } from '@rdf-worlds/http/node';

type HandlerOptions = Parameters<typeof createWorldsHandler>[1];

/** A server on a port of the loopback, with an empty engine. */
export interface RunningServer {
  readonly url: string;
  /** Of a caller that may do everything. */
  readonly token: string;
  readonly engine: WorldsEngine;
  close(): Promise<void>;
}

const ADMIN = 'token-of-the-admin';

/** Tokens of callers with fewer rights. */
export const TOKENS = {
  /** May read and write one world of the namespace `shared`. */
  guest: 'token-of-the-guest',
  /** May write, but not read, the namespace `shared`. */
  writer: 'token-of-the-writer',
} as const;

export async function startServer(
  options: Partial<HandlerOptions> = {},
  settings: WorldsEngineOptions = {},
): Promise<RunningServer> {
  const engine = await WorldsEngine.open(settings);
  const handler = createWorldsHandler(engine, {
    authenticate: staticTokens([
      { token: ADMIN, namespace: 'admin', admin: true },
      {
        token: TOKENS.guest,
        namespace: 'guest',
        grants: [{ namespace: 'shared', world: 'open', read: true, write: true }],
      },
      { token: TOKENS.writer, namespace: 'shared', grants: [{ namespace: 'shared', write: true }] },
    ]),
    ...options,
  });
  const server = createLimitedServer();
  server.on('request', nodeListener(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    token: ADMIN,
    engine,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.close();
    },
  };
}
