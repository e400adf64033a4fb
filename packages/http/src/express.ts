/**
 * `@rdf-worlds/http/express`: the handler as a middleware.
 *
 * @module @rdf-worlds/http/express
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WorldsEngine } from '@rdf-worlds/core';
import type { WorldsHandlerOptions } from './handler-options.ts';
import { NodeIncoming } from './node-incoming.ts';
import { sendReply } from './node-reply.ts';
import { RequestTurns } from './request-turns.ts';
import { WorldsService } from './worlds-service.ts';

/** Middleware for Express 4 and 5, Connect, and frameworks with the same signature. */
export type Middleware = (
  request: IncomingMessage & { readonly body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Returns the service as Express middleware: at the root or under a prefix, before or after
 * `express.json()` and other body parsers. Other paths are passed to `next`. Under a prefix, set
 * `baseUrl` to an address that includes it, because the names that the service generates start with
 * it.
 */
export function worldsRouter(engine: WorldsEngine | Promise<WorldsEngine>, options: WorldsHandlerOptions): Middleware {
  const service = new WorldsService(engine, options);
  const turns = new RequestTurns(service.limits.maxPipelinedRequests);
  return (message, outgoing, next) => {
    // Express removes the prefix from the message's `url`.
    const incoming = new NodeIncoming(message, outgoing, { body: parsedBody(message) });
    if (!service.knows(incoming.path)) return next();
    turns.take(message, () =>
      service
        .answer(incoming)
        .then((reply) => sendReply(reply, message, outgoing))
        .catch((error) => {
          next(error);
          return { takesMore: outgoing.shouldKeepAlive, caller: undefined };
        }),
    );
  };
}

/**
 * Reconstructs the bytes of a body that a parser has already consumed; undefined if the message is
 * still unread.
 */
function parsedBody(message: IncomingMessage & { readonly body?: unknown }): Uint8Array | undefined {
  const { body, readableDidRead } = message;
  if (!readableDidRead || body === undefined || body === null) return undefined;
  // The parser may belong to another realm, so `instanceof` does not work here.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (typeof body === 'string') return Buffer.from(body);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(message.headers['content-type'] ?? '');
  return Buffer.from(isForm ? String(formOf(body)) : JSON.stringify(body));
}

function formOf(fields: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) form.append(name, String(one));
  }
  return form;
}
