import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { checkedLimits } from './handler-options.ts';
import type { Limits } from './limits.ts';

/** Interval of the check for connections with overdue headers. */
const CHECK_MS = 2_000;

/**
 * Returns a `node:http` server that enforces the connection limits: number, idle time, and size and
 * duration of headers. Add a listener with `server.on('request', nodeListener(handler))`. Throws
 * `INVALID_ARGUMENT` for invalid limits.
 */
export function createLimitedServer(limits: Partial<Limits> = {}): Server {
  const { maxConnections, maxRequestsPerSocket, maxHeaderBytes, headersTimeoutMs, keepAliveTimeoutMs, bodyMs } =
    checkedLimits(limits);
  const server = createServer({
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs),
    maxHeaderSize: Math.min(maxHeaderBytes, 2 ** 31 - 1),
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // A backstop: the handler's own limits fire first and send an answer.
    requestTimeout: headersTimeoutMs + bodyMs + CHECK_MS,
  });
  server.maxRequestsPerSocket = Number.isFinite(maxRequestsPerSocket) ? maxRequestsPerSocket : 0;
  limitConnections(server, maxConnections);
  return server;
}

/**
 * Limits the connections of a server. A new connection above the limit replaces the one that has
 * been idle longest, so that idle connections cannot lock clients out; if all others are busy, the
 * new one is closed.
 */
function limitConnections(server: Server, maxConnections: number): void {
  let open = 0;
  /** Connections without a request, longest idle first. */
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
