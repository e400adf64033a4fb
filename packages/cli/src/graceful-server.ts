import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Limits } from '@rdf-worlds/http';
import { createLimitedServer } from '@rdf-worlds/http/node';

/** Interval at which idle connections are closed while the server stops. */
const SWEEP_MS = 50;

/** A `node:http` server that finishes its pending answers before it stops. */
export class GracefulServer {
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  /**
   * Starts to listen. `listenerAt` makes the request listener and receives the origin, such as
   * `http://127.0.0.1:8080`. Throws the system's error, such as EADDRINUSE.
   */
  static async start(
    { host, port, limits }: { readonly host: string; readonly port: number; readonly limits: Partial<Limits> },
    listenerAt: (origin: string) => RequestListener,
  ): Promise<{ server: GracefulServer; origin: string }> {
    const server = createLimitedServer(limits);
    const origin = await new Promise<string>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        const { address, family, port: bound } = server.address() as AddressInfo;
        const at = `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`;
        // Attached synchronously, before any request can arrive.
        server.on('request', listenerAt(at));
        resolve(at);
      });
    });
    return { server: new GracefulServer(server), origin };
  }

  /**
   * Stops accepting connections and resolves once all requests are answered; those that take longer
   * than `graceMs` are aborted.
   */
  async stop(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const sweep = setInterval(() => this.server.closeIdleConnections(), SWEEP_MS);
    const breakOff = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(breakOff);
  }
}
