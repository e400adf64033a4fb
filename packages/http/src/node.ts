import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_LIMITS } from './limits.ts';
import { bodyStream } from './node-body-stream.ts';
import { NodeIncoming } from './node-incoming.ts';
import { sendReply } from './node-reply.ts';
import { jsonReply, type Reply } from './reply.ts';
import { RequestTurns } from './request-turns.ts';
import { serviceOf, type WorldsHandler } from './worlds-handler.ts';

export { createLimitedServer } from './limited-server.ts';

export type NodeListener = (message: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * A listener for `http.createServer` that answers by a handler. When the client goes away, the
 * request's signal fires and the work for it stops. What is about connections is for the server,
 * see `createLimitedServer`.
 */
export function nodeListener(handler: WorldsHandler): NodeListener {
  const service = serviceOf(handler);
  // Without a Request and a Response between them a small exchange costs half; a handler that wraps
  // ours needs both.
  const answer = service
    ? (incoming: NodeIncoming) => service.answer(incoming)
    : (incoming: NodeIncoming, message: IncomingMessage) => throughFetch(handler, incoming, message);
  const turns = new RequestTurns((service?.limits ?? DEFAULT_LIMITS).maxPipelinedRequests);
  return (message, outgoing) =>
    turns.take(message.socket, () =>
      answer(new NodeIncoming(message, outgoing), message)
        .then((reply) => sendReply(reply, message, outgoing))
        .catch(() => {
          if (!outgoing.headersSent) return sendReply(BROKEN, message, outgoing);
          outgoing.destroy();
          return false;
        })
        .catch(() => {
          outgoing.destroy();
          return false;
        }),
    );
}

/** Ours never rejects; a handler around it may. */
const BROKEN = jsonReply({ error: { message: 'Something went wrong on our side.' } }, 500);

async function throughFetch(handler: WorldsHandler, incoming: NodeIncoming, message: IncomingMessage): Promise<Reply> {
  const { headers } = message;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  // A Request has no body with these, whatever was sent.
  const mayHaveBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const response = await handler(incoming.toRequest(hasBody && mayHaveBody ? bodyStream(message) : undefined));
  const { status, body } = response;
  return { status, headers: Object.fromEntries(response.headers), ...(body ? streamBody(body) : { body: undefined }) };
}

/** The chunks of a stream, and a signal for when it breaks though nobody reads. */
function streamBody(stream: ReadableStream<Uint8Array>): Pick<Reply, 'body' | 'signal'> {
  const reader = stream.getReader();
  const broken = new AbortController();
  reader.closed.catch((cause) => broken.abort(cause));
  const chunks: AsyncIterator<Uint8Array> = {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
  return { body: { [Symbol.asyncIterator]: () => chunks }, signal: broken.signal };
}
