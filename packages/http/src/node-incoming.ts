import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyPieces } from './body-pieces.ts';
import { HttpError } from './http-error.ts';
import { type BodyBounds, type Incoming, NO_QUERY } from './incoming.ts';
import { tooLarge, tooLong, tooSlow } from './request-body.ts';

/**
 * Where requests of `node:http` seem to come from: the Host header is the client's word, and
 * nothing here believes it.
 */
const ORIGIN = 'http://localhost';

export interface NodeIncomingOptions {
  /** The body, if something has read it already; the message itself when not given. */
  readonly body?: Uint8Array;
}

/** A message of `node:http` as the service sees it. */
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

  /** Made when it is first asked for; a client that went away before has aborted it. */
  get signal(): AbortSignal {
    if (!this.gone) {
      const { outgoing } = this;
      const gone = (this.gone = new AbortController());
      if (outgoing.destroyed) gone.abort();
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) gone.abort();
      });
    }
    return this.gone.signal;
  }

  get remoteAddress(): string | undefined {
    return this.message.socket.remoteAddress;
  }

  header(name: string): string | null {
    // What something has read already was decoded then, and has another length now.
    if (this.parsed && name === 'content-encoding') return null;
    if (this.parsed && name === 'content-length') return String(this.parsed.length);
    // `message.headers` hides that one was sent twice.
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
    const { parsed, message } = this;
    if (!parsed) return readMessage(message, bounds);
    return parsed.length > bounds.maxBytes ? Promise.reject(tooLarge(bounds)) : Promise.resolve(parsed);
  }

  /**
   * `body` may be its stream. Throws TypeError for what the Fetch standard has no request for, such
   * as TRACE.
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
      // The standard asks for it with a stream; the types of Node do not know it.
      ...(body && { duplex: 'half' }),
    });
  }
}

/**
 * The target as a path with its query; a target in absolute form (RFC 9112 section 3.2.2), as
 * proxies send it, loses its origin.
 */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * A path as a part of a URL that no parser changes: it would resolve dot segments, and take
 * backslashes for slashes.
 */
function urlPath(path: string): string {
  return path
    .replaceAll('\\', '%5C')
    .replaceAll('#', '%23')
    .replace(/(^|\/)((?:\.|%2e){1,2})(?=\/|$)/gi, (_, slash, dots) => slash + dots.replace(/\.|%2e/gi, '%252e'));
}

const drop = () => {};

const closesConnection = (error: Error): boolean => error instanceof HttpError && error.headers.connection === 'close';

/**
 * Reads a body to its end. Nothing of a refused request is read, and nothing more of one that is
 * too large or too slow.
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
      // A paused message still takes 64 KiB, each chunk of one byte as a buffer of its own. The
      // connection is closed: what comes until then is dropped.
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
      reject(new Error('The connection was closed before the body ended.'));
    };
    // Stays: an error after a refusal is nobody's.
    message.on('error', onClose);
    if (message.destroyed && !message.readableEnded) return onClose();
    message.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}
