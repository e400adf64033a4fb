import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitsContinue } from './expectations.ts';
import { isStreamed, type Reply } from './reply.ts';
import type { Answered } from './request-turns.ts';

/**
 * Bytes of an unread body that are drained to keep the connection alive. A longer body closes it.
 */
const MAX_DRAIN_BYTES = 1 << 20;
/** Maximum number of chunks that are drained. */
const MAX_DRAIN_PIECES = 4096;
/**
 * Time that a client that is still sending has to read its answer before the connection is closed.
 */
const LINGER_MS = 1000;

/**
 * Sends a reply through `node:http`, with backpressure. A body that fails midway destroys the
 * connection, so that the client cannot mistake the partial body for a complete one.
 */
export async function sendReply(
  { status, headers, body, signal, caller }: Reply,
  message: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Answered> {
  if (outgoing.destroyed) {
    if (isStreamed(body)) await body[Symbol.asyncIterator]().return?.();
    return { takesMore: false, caller };
  }
  // Keeps a refused upload cheap in memory and time, whatever its size.
  const isHeldBack = !message.complete && awaitsContinue(message);
  const sendsTooMuch =
    isHeldBack || (!message.complete && !(Number(message.headers['content-length']) <= MAX_DRAIN_BYTES));
  if (!message.complete && !sendsTooMuch) message.resume();
  outgoing.writeHead(status, sendsTooMuch ? { ...headers, connection: 'close' } : headers);
  if (sendsTooMuch && !isHeldBack && headers.connection !== 'close' && !isStreamed(body)) {
    if (body) outgoing.write(body);
    else outgoing.flushHeaders();
    await linger(message, outgoing);
    outgoing.end();
  } else if (!isStreamed(body)) outgoing.end(body);
  else {
    try {
      await sendChunks(body, outgoing, signal);
      outgoing.end();
      // A feed that was ended because nobody reads it: its last event may never be read either.
      if (signal?.aborted) destroySoon(outgoing);
    } catch {
      // The failure was already reported at its source.
      outgoing.destroy();
    }
  }
  return { takesMore: outgoing.shouldKeepAlive && !sendsTooMuch && headers.connection !== 'close', caller };
}

/** Gives a client a moment to read the end of its answer. */
function destroySoon(outgoing: ServerResponse): void {
  if (outgoing.writableFinished) return;
  const timer = setTimeout(() => outgoing.destroy(), LINGER_MS);
  outgoing.once('close', () => clearTimeout(timer)).once('finish', () => clearTimeout(timer));
}

async function sendChunks(
  chunks: AsyncIterable<Uint8Array>,
  outgoing: ServerResponse,
  signal: AbortSignal | undefined,
): Promise<void> {
  for await (const chunk of chunks) {
    // The request's signal has already stopped the work.
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing, signal);
  }
}

/** Resolves when the response accepts more data, is closed, or the next chunk is known to fail. */
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
 * Waits, after the answer was sent, for the end of the unread request body: until it ends, the
 * client disconnects or `LINGER_MS` passes. Closing immediately would reset the connection, and a
 * client that is still sending might never read why it was refused.
 */
function linger(message: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    let pieces = 0;
    const drop = (chunk: Buffer) => {
      bytes += chunk.length;
      // Tiny chunks cost more than their content: pausing would buffer each as an object of its
      // own, so the connection is closed instead.
      if (++pieces > MAX_DRAIN_PIECES) done();
      // Backpressure: the rest stays with the client, except for what network buffers hold.
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
