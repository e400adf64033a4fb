import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { WorldsError } from '@rdf-worlds/core';
import { kindOf } from '@rdf-worlds/core/internal';

/** Options of `serveStdio`. */
export interface StdioOptions {
  /** Default: `process.stdin`. */
  readonly input?: Readable | undefined;
  /** Default: `process.stdout`, on which nothing else may be written. */
  readonly output?: Writable | undefined;
  /** Stops the server. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds that running calls may take to finish once the input has ended or the signal has
   * fired. Default: 5,000.
   */
  readonly graceMs?: number | undefined;
}

/**
 * Serves MCP over standard input and output until the client closes its end, or the signal fires.
 * Calls that are still running after `graceMs` are cancelled.
 */
export async function serveStdio(
  server: Server,
  { input = process.stdin, output = process.stdout, signal, graceMs = 5_000 }: StdioOptions = {},
): Promise<void> {
  if (typeof server?.connect !== 'function') {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `serveStdio: expected a server, not ${kindOf(server)}; write serveStdio(createMcpServer(engine)).`,
    );
  }
  const transport = new CountingTransport(input, output);
  const ended = new Promise<void>((resolve) => {
    // The transport does not watch for the end of its input (MCP, lifecycle: shutdown, stdio).
    input.once('end', resolve).once('close', resolve);
    output.once('error', () => resolve());
    signal?.addEventListener('abort', () => resolve(), { once: true });
    if (signal?.aborted) resolve();
  });
  await server.connect(transport);
  transport.count();
  await ended;
  await transport.idle(graceMs);
  await server.close();
}

/** Knows which requests are not answered yet. */
class CountingTransport extends StdioServerTransport {
  private readonly pending = new Set<RequestId>();
  private onIdle: (() => void) | undefined;

  /** Counts requests from now on. */
  count(): void {
    const receive = this.onmessage;
    this.onmessage = (message: JSONRPCMessage) => {
      if ('method' in message && 'id' in message) this.pending.add(message.id);
      // A cancelled request gets no answer.
      if ('method' in message && message.method === 'notifications/cancelled')
        this.answered(message.params?.requestId as RequestId);
      receive?.(message);
    };
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message) && message.id !== undefined) this.answered(message.id);
  }

  /** Resolves once all requests are answered, or after `maxMs`. */
  idle(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.pending.size === 0) return resolve();
      const timer = setTimeout(resolve, maxMs);
      this.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private answered(id: RequestId): void {
    this.pending.delete(id);
    if (this.pending.size === 0) this.onIdle?.();
  }
}

/** Time that a client has to send its first request before it is told why there is no server. */
const REFUSAL_MS = 2_000;

/**
 * Answers the first request of a client with an error that says why there is no server: most
 * clients show it, while standard error ends in a log that few people read. Returns when the client
 * has the answer, asks nothing for two seconds, or has gone.
 */
export async function refuseStdio(
  reason: string,
  { input = process.stdin, output = process.stdout, signal }: StdioOptions = {},
): Promise<void> {
  const transport = new StdioServerTransport(input, output);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, REFUSAL_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    input.once('end', done).once('close', done);
    output.once('error', done);
    signal?.addEventListener('abort', done, { once: true });
    transport.onmessage = (message) => {
      if (!('method' in message) || !('id' in message)) return;
      const error = { code: ErrorCode.InternalError, message: reason };
      void transport.send({ jsonrpc: '2.0', id: message.id, error }).then(done);
    };
    void transport.start();
  });
  await transport.close();
}
