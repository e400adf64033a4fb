/**
 * `@rdf-worlds/http/node`: the handler as a listener of `node:http`, and a server with limits on
 * connections.
 *
 * @module @rdf-worlds/http/node
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_LIMITS } from './limits.ts';
import { bodyStream } from './node-body-stream.ts';
import { NodeIncoming } from './node-incoming.ts';
import { sendReply } from './node-reply.ts';
import { jsonReply, type Reply } from './reply.ts';
import { type Answered, RequestTurns } from './request-turns.ts';
import { responseBody } from './response-body.ts';
import { serviceOf, type WorldsHandler } from './worlds-handler.ts';

export { createLimitedServer } from './limited-server.ts';

/** A request listener of `node:http`. */
export type NodeListener = (message: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Returns a listener for `http.createServer` that answers with a handler. If the client
 * disconnects, the request's signal fires and its work stops. Connection limits belong to the
 * server: see `createLimitedServer`.
 */
export function nodeListener(handler: WorldsHandler): NodeListener {
  const service = serviceOf(handler);
  // Bypassing Request and Response halves the cost of a small exchange. A handler that wraps ours
  // needs both.
  const answer = service
    ? (incoming: NodeIncoming) => service.answer(incoming)
    : (incoming: NodeIncoming, message: IncomingMessage) => throughFetch(handler, incoming, message);
  const turns = new RequestTurns((service?.limits ?? DEFAULT_LIMITS).maxPipelinedRequests);
  return (message, outgoing) =>
    turns.take(message, () =>
      answer(new NodeIncoming(message, outgoing), message)
        .then((reply) => sendReply(reply, message, outgoing))
        .catch(() => {
          if (!outgoing.headersSent) return sendReply(BROKEN, message, outgoing);
          outgoing.destroy();
          return REFUSING;
        })
        .catch(() => {
          outgoing.destroy();
          return REFUSING;
        }),
    );
}

/** For wrapping handlers, which may reject; our own never does. */
const BROKEN = jsonReply({ error: { message: 'Internal error.' } }, 500);
const REFUSING: Answered = { takesMore: false, caller: undefined };

async function throughFetch(handler: WorldsHandler, incoming: NodeIncoming, message: IncomingMessage): Promise<Reply> {
  const { headers } = message;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  // Fetch forbids a body for these methods, whatever the client sent.
  const mayHaveBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const response = await handler(incoming.toRequest(hasBody && mayHaveBody ? bodyStream(message) : undefined));
  const { status, body } = response;
  return {
    status,
    headers: Object.fromEntries(response.headers),
    ...(body ? responseBody(body) : { body: undefined }),
  };
}
