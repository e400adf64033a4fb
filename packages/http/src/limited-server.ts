import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { BoundedMessage } from './bounded-message.ts';
import { expectContinue } from './expectations.ts';
import { checkedLimits } from './handler-options.ts';
import type { Limits } from './limits.ts';
import { refuseMalformed } from './malformed-messages.ts';
import { ReadTurns } from './read-turns.ts';

/** Interval of the check for connections with overdue headers. */
const CHECK_MS = 2_000;

/**
 * Returns a `node:http` server that enforces the connection limits: number, idle time, and size and
 * duration of headers. Add a listener with `server.on('request', nodeListener(handler))`. What is
 * no message of HTTP is answered with an error and closes its connection, behind any listener for
 * `clientError`. Throws `INVALID_ARGUMENT` for invalid limits.
 */
export function createLimitedServer(limits: Partial<Limits> = {}): Server {
  const checked = checkedLimits(limits);
  const { maxConnections, maxRequestsPerSocket, maxHeaderBytes, headersTimeoutMs, keepAliveTimeoutMs } = checked;
  const turns = new ReadTurns();
  const server = createServer({
    IncomingMessage: class extends BoundedMessage {
      constructor(socket: Socket) {
        super(socket, turns);
      }
    },
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs),
    maxHeaderSize: Math.min(maxHeaderBytes, 2 ** 31 - 1),
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // A backstop: the handler's own limits fire first and send an answer. A streamed body also
    // waits for the work on it.
    requestTimeout: headersTimeoutMs + checked.bodyMs + checked.timeoutMs + CHECK_MS,
  });
  server.maxRequestsPerSocket = Number.isFinite(maxRequestsPerSocket) ? maxRequestsPerSocket : 0;
  server.on('connection', (socket) => turns.add(socket));
  limitConnections(server, maxConnections);
  refuseMalformed(server);
  // The interim response is sent when the body is read, and never for a request that is refused.
  server.on('checkContinue', (message, outgoing) => {
    expectContinue(message);
    server.emit('request', message, outgoing);
  });
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
