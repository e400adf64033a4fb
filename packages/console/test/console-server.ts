import type { AddressInfo, Server } from 'node:net';
import { consolePages } from '@rdf-worlds/console';
import { WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { createWorldsHandler, type StaticToken, TokenList } from '@rdf-worlds/http';
import { createLimitedServer, nodeListener } from '@rdf-worlds/http/node';
import { inject } from 'vitest';

type HandlerOptions = Parameters<typeof createWorldsHandler>[1];

export const TOKENS = {
  admin: 'token-of-the-admin',
  /** May read and write the namespace `acme` only. */
  tenant: 'token-of-the-tenant',
  /** May read one world of `acme`. */
  reader: 'token-of-the-reader',
} as const;

const CALLERS: readonly StaticToken[] = [
  { token: TOKENS.admin, id: 'ada', namespace: 'acme', admin: true },
  { token: TOKENS.tenant, id: 'tim', namespace: 'acme' },
  { token: TOKENS.reader, id: 'rita', namespace: 'rita', grants: [{ namespace: 'acme', world: 'open', read: true }] },
];

/** A server with the console on a port of the loopback. */
export class ConsoleServer {
  readonly engine: WorldsEngine;
  readonly tokens: TokenList;
  private readonly options: Partial<HandlerOptions>;
  private server: ReturnType<typeof createLimitedServer> | undefined;
  private port = 0;

  private constructor(engine: WorldsEngine, options: Partial<HandlerOptions>) {
    this.engine = engine;
    this.options = options;
    this.tokens = new TokenList(CALLERS);
  }

  /** Accepts all tokens again. */
  resetTokens(): void {
    this.tokens.replace(CALLERS);
  }

  static async start(
    options: Partial<HandlerOptions> = {},
    engineOptions: WorldsEngineOptions = {},
  ): Promise<ConsoleServer> {
    const engine = await WorldsEngine.open({ defaultNamespace: 'acme', ...engineOptions });
    const server = new ConsoleServer(engine, options);
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens again on the same port, with the same worlds. */
  async listen(): Promise<void> {
    const handler = createWorldsHandler(this.engine, {
      authenticate: this.tokens.authenticate,
      pages: [consolePages({ directory: inject('consoleApp') })],
      ...this.options,
    });
    const server = createLimitedServer();
    server.on('request', nodeListener(handler));
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Stops listening, and breaks all connections. */
  async hangUp(): Promise<void> {
    const server = this.server as Server & { closeAllConnections(): void };
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async close(): Promise<void> {
    await this.hangUp();
    await this.engine.close();
  }
}
