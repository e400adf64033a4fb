import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Limits } from '@rdf-worlds/http';
import { createLimitedServer } from '@rdf-worlds/http/node';

/** How often connections without a request are looked for while the server stops. */
const SWEEP_MS = 50;

/** A server on `node:http` that stops without breaking off what it is answering. */
export class GracefulServer {
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  /**
   * Listens; `listenerAt` makes what answers, and is told where, such as `http://127.0.0.1:8080`.
   * Throws what the system says, EADDRINUSE for one.
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
        // In the same turn: no request can have come before.
        server.on('request', listenerAt(at));
        resolve(at);
      });
    });
    return { server: new GracefulServer(server), origin };
  }

  /**
   * Accepts nothing more, and ends when all requests are answered; what takes longer than `graceMs`
   * is broken off.
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
