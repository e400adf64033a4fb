import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsEngine, type WorldsEngineOptions } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { CALLERS } from './callers.ts';
import { LogBook } from './log-book.ts';

/** Where clients of the service find it: not where it listens, as behind a proxy. */
export const PUBLIC_URL = 'https://worlds.example';

type HandlerOptions = Parameters<typeof createWorldsHandler>[1];

export interface ServerOptions {
  /** Besides who may come in; `authenticate` is always that of the callers. */
  readonly handler?: Partial<HandlerOptions>;
  readonly engine?: WorldsEngineOptions;
  /** Puts something between the handler and the engine. */
  readonly wrapEngine?: (engine: WorldsEngine) => WorldsEngine;
  /** Another way to serve than `nodeListener`. */
  readonly listener?: (engine: WorldsEngine, options: HandlerOptions) => RequestListener;
}

/**
 * A service on a port of the loopback; tests prepare worlds through its engine and ask over the
 * socket.
 */
export interface RunningServer {
  readonly origin: string;
  readonly port: number;
  readonly engine: WorldsEngine;
  readonly log: LogBook;
  close(): Promise<void>;
}

export async function startServer({ handler, engine: settings, wrapEngine, listener }: ServerOptions = {}) {
  const engine = await WorldsEngine.open({ textIndex: minisearchIndex(), ...settings });
  const log = new LogBook();
  const options: HandlerOptions = {
    authenticate: staticTokens(Object.values(CALLERS)),
    baseUrl: PUBLIC_URL,
    logger: log,
    ...handler,
  };
  const served = wrapEngine ? wrapEngine(engine) : engine;
  const server = createServer(
    listener ? listener(served, options) : nodeListener(createWorldsHandler(served, options)),
  );
  const port = await listen(server);
  const running: RunningServer = {
    origin: `http://127.0.0.1:${port}`,
    port,
    engine,
    log,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.close();
    },
  };
  return running;
}

/** Listens on a free port of the loopback, and answers which. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
