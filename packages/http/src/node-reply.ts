import type { IncomingMessage, ServerResponse } from 'node:http';
import { isStreamed, type Reply } from './reply.ts';

/**
 * So much of a body that nobody wants is let through, to keep the connection. For more than that
 * the client is not waited for.
 */
const MAX_DRAIN_BYTES = 1 << 20;
/** In so many pieces at most. */
const MAX_DRAIN_PIECES = 4096;
/** How long a client that still sends has to read its answer before the connection is closed. */
const LINGER_MS = 1000;

/**
 * Sends a reply through `node:http`, as fast as the client takes it. A body that fails on the way
 * destroys the connection: the client must not take what it has for the whole. Gives whether the
 * connection takes further requests.
 */
export async function sendReply(
  { status, headers, body, signal }: Reply,
  message: IncomingMessage,
  outgoing: ServerResponse,
): Promise<boolean> {
  if (outgoing.destroyed) {
    if (isStreamed(body)) await body[Symbol.asyncIterator]().return?.();
    return false;
  }
  // An upload that is refused costs neither memory nor much time, however large it is.
  const sendsTooMuch = !message.complete && !(Number(message.headers['content-length']) <= MAX_DRAIN_BYTES);
  if (!message.complete && !sendsTooMuch) message.resume();
  outgoing.writeHead(status, sendsTooMuch ? { ...headers, connection: 'close' } : headers);
  if (sendsTooMuch && headers.connection !== 'close' && !isStreamed(body)) {
    if (body) outgoing.write(body);
    else outgoing.flushHeaders();
    await linger(message, outgoing);
    outgoing.end();
  } else if (!isStreamed(body)) outgoing.end(body);
  else {
    try {
      await sendChunks(body, outgoing, signal);
      outgoing.end();
    } catch {
      // Reported where it happened.
      outgoing.destroy();
    }
  }
  return outgoing.shouldKeepAlive && !sendsTooMuch && headers.connection !== 'close';
}

async function sendChunks(
  chunks: AsyncIterable<Uint8Array>,
  outgoing: ServerResponse,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const chunk of chunks) {
    // The request's signal has stopped the work by then.
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing, signal);
  }
}

/** Waits until more can be written, nothing any more, or the next step of the chunks fails. */
function drained(outgoing: ServerResponse, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    if (outgoing.destroyed || signal?.aborted) return resolve();
    outgoing.on('drain', done).on('close', done);
    signal?.addEventListener('abort', done);
  });
}

/**
 * Waits, with the answer sent, for the end of a body that nobody wants: until it is there after
 * all, the client goes away, or time is up. To close at once would reset the connection, and a
 * client that is still sending might never get to read why it was refused.
 */
function linger(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    let pieces = 0;
    const drop = (chunk: Buffer) => {
      bytes += chunk.length;
      // What is so small that it costs more than it says is not worth waiting for: a pause would
      // keep each piece as a buffer of its own.
      if (++pieces > MAX_DRAIN_PIECES) done();
      // The rest stays with the client, but for what the buffers on the way take.
      else if (bytes > MAX_DRAIN_BYTES) message.pause();
    };
    const done = () => {
      clearTimeout(timer);
      message.off('end', done);
      outgoing.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, LINGER_MS);
    if (outgoing.destroyed || message.complete) return done();
    outgoing.on('close', done);
    message.on('data', drop).on('end', done).resume();
  });
}
