import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { checkedLimits } from './handler-options.ts';
import type { Limits } from './limits.ts';

/** How often connections are looked at whose headers do not come. */
const CHECK_MS = 2_000;

/**
 * A server of `node:http` that obeys the limits of connections: how many, how long they may be
 * idle, how large and how slow headers may be. Give it a listener by
 * `server.on('request', nodeListener(handler))`. Throws INVALID_ARGUMENT for limits that cannot be
 * meant.
 */
export function createLimitedServer(limits: Partial<Limits> = {}): Server {
  const { maxConnections, maxRequestsPerSocket, maxHeaderBytes, headersTimeoutMs, keepAliveTimeoutMs, bodyMs } =
    checkedLimits(limits);
  const server = createServer({
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs),
    maxHeaderSize: Math.min(maxHeaderBytes, 2 ** 31 - 1),
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // The handler's own bound comes first, and has an answer.
    requestTimeout: headersTimeoutMs + bodyMs + CHECK_MS,
  });
  server.maxRequestsPerSocket = Number.isFinite(maxRequestsPerSocket) ? maxRequestsPerSocket : 0;
  limitConnections(server, maxConnections);
  return server;
}

/**
 * Bounds the connections of a server. A new one above the bound takes the place of the one that has
 * been without a request for longest, so that connections that are only held open lock nobody out;
 * it is closed when all the others are at work.
 */
function limitConnections(server: Server, maxConnections: number): void {
  let open = 0;
  /** Without a request, oldest first. */
  const idle = new Set<Socket>();
  server.on('connection', (socket) => {
    if (++open > maxConnections) {
      const [longest = socket] = idle;
      idle.delete(longest);
      longest.destroy();
    }
    if (!socket.destroyed) idle.add(socket);
    socket.once('close', () => {
      open--;
      idle.delete(socket);
    });
  });
  server.prependListener('request', ({ socket }, outgoing) => {
    idle.delete(socket);
    outgoing.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}
