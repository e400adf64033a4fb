import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyPieces } from './body-pieces.ts';
import { type BodySource, WholeBody } from './body-source.ts';
import { sendContinue } from './expectations.ts';
import { closesConnection } from './http-error.ts';
import { type BodyBounds, type Incoming, NO_QUERY, type OnGone } from './incoming.ts';
import { MessageBody } from './message-body.ts';
import { tooLarge, tooLong, tooSlow } from './request-body.ts';
import { ROUNDS } from './rounds.ts';

/**
 * The origin of requests built from `node:http` messages. The Host header is controlled by the
 * client and never trusted.
 */
const ORIGIN = 'http://localhost';

export interface NodeIncomingOptions {
  /** The body, if something else has already read it; otherwise it is read from the message. */
  readonly body?: Uint8Array;
}

/** Adapts a `node:http` message to `Incoming`. */
export class NodeIncoming implements Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  private readonly message: IncomingMessage;
  private readonly outgoing: ServerResponse;
  private readonly parsed: Uint8Array | undefined;
  private gone: AbortController | undefined;

  constructor(message: IncomingMessage, outgoing: ServerResponse, { body }: NodeIncomingOptions = {}) {
    const target = originForm(message.url ?? '/');
    const question = target.indexOf('?');
    this.method = message.method ?? 'GET';
    this.path = question < 0 ? target : target.slice(0, question);
    this.query = question < 0 ? NO_QUERY : new URLSearchParams(target.slice(question + 1));
    this.message = message;
    this.outgoing = outgoing;
    this.parsed = body;
  }

  /** Created on first use; already aborted if the client has disconnected. */
  get signal(): AbortSignal {
    if (!this.gone) {
      const gone = (this.gone = new AbortController());
      this.onGone(() => gone.abort());
    }
    return this.gone.signal;
  }

  onGone(gone: OnGone): () => void {
    const { outgoing } = this;
    if (outgoing.destroyed) gone();
    const onClose = () => {
      if (!outgoing.writableFinished) ROUNDS.add(gone);
    };
    outgoing.on('close', onClose);
    return () => outgoing.off('close', onClose);
  }

  get remoteAddress(): string | undefined {
    return this.message.socket.remoteAddress;
  }

  header(name: string): string | null {
    // A body that was already read has been decoded and has a different length now.
    if (this.parsed && name === 'content-encoding') return null;
    if (this.parsed && name === 'content-length') return String(this.parsed.length);
    // `message.headers` hides duplicate headers.
    const { rawHeaders } = this.message;
    let found: string | null = null;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const other = rawHeaders[i];
      if (other.length !== name.length || other.toLowerCase() !== name) continue;
      found = found === null ? rawHeaders[i + 1] : `${found}, ${rawHeaders[i + 1]}`;
    }
    return found;
  }

  readBody(bounds: BodyBounds): Promise<Uint8Array> {
    const { parsed, message, outgoing } = this;
    if (!parsed) {
      sendContinue(message, outgoing);
      return this.hasArrived ? readArrived(message, bounds) : readMessage(message, bounds);
    }
    return parsed.length > bounds.maxBytes ? Promise.reject(tooLarge(bounds)) : Promise.resolve(parsed);
  }

  /** Short bodies arrive together with their headers. Chunked ones are counted by piece instead. */
  private get hasArrived(): boolean {
    const { message } = this;
    return (
      message.complete &&
      !message.destroyed &&
      message.readableFlowing === null &&
      this.header('content-length') !== null
    );
  }

  openBody(): BodySource {
    const { parsed, message, outgoing } = this;
    if (parsed) return new WholeBody(parsed);
    sendContinue(message, outgoing);
    return new MessageBody(message);
  }

  /**
   * Builds a Fetch Request; `body` may be the message's stream. Throws `TypeError` for methods that
   * Fetch forbids, such as TRACE.
   */
  toRequest(body?: ReadableStream<Uint8Array>): Request {
    const headers = new Headers();
    const { rawHeaders } = this.message;
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1]);
    const query = this.query.size > 0 ? `?${this.query}` : '';
    const { method, signal } = this;
    return new Request(`${ORIGIN}${urlPath(this.path)}${query}`, {
      method,
      headers,
      signal,
      body,
      // Required by Fetch for a streamed body, but missing in Node's types.
      ...(body && { duplex: 'half' }),
    });
  }
}

/**
 * Returns the request target as path and query. A target in absolute form (RFC 9112 section 3.2.2),
 * as proxies send it, loses its origin.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Escapes a path so that URL parsers leave it unchanged; they would resolve dot segments and treat
 * backslashes as slashes.
 */
function urlPath(path: string): string {
  return path
    .replaceAll('\\', '%5C')
    .replaceAll('#', '%23')
    .replace(/(^|\/)((?:\.|%2e){1,2})(?=\/|$)/gi, (_, slash, dots) => slash + dots.replace(/\.|%2e/gi, '%252e'));
}

const drop = () => {};

/** Reads a body of which no byte is outstanding: without timers and listeners. */
async function readArrived(message: IncomingMessage, bounds: BodyBounds): Promise<Uint8Array> {
  const pieces = new BodyPieces(bounds);
  for (let piece: Buffer | null; (piece = message.read()) !== null; ) pieces.add(piece);
  return pieces.whole();
}

/**
 * Reads a body to its end. Stops reading as soon as the body is refused as too large or too slow.
 */
function readMessage(message: IncomingMessage, bounds: BodyBounds): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces = new BodyPieces(bounds);
    const idle = setTimeout(() => refuse(tooSlow(bounds)), bounds.idleMs);
    const whole = setTimeout(() => refuse(tooLong(bounds)), bounds.totalMs);
    const stop = () => {
      clearTimeout(idle);
      clearTimeout(whole);
      message.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const refuse = (error: Error) => {
      stop();
      // A paused message would still buffer 64 KiB, with one Buffer per chunk even for chunks of
      // one byte. If the connection will be closed, the remaining bytes are dropped instead.
      if (closesConnection(error)) message.on('data', drop);
      else message.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      idle.refresh();
      try {
        pieces.add(chunk);
      } catch (error) {
        refuse(error as Error);
      }
    };
    const onEnd = () => {
      stop();
      resolve(pieces.whole());
    };
    const onClose = () => {
      stop();
      ROUNDS.add(() => reject(new Error('The connection was closed before the body ended.')));
    };
    // Never removed: an error event after a refusal must not go unhandled.
    message.on('error', onClose);
    if (message.destroyed && !message.readableEnded) return onClose();
    message.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
