import { connect, type Socket } from 'node:net';
import type { Answered } from './exchange.ts';

/** What came back over a socket that the test wrote to itself. */
export interface RawAnswer extends Answered {
  /** Whether the server ended the connection by itself, after the answer. */
  readonly closed: boolean;
}

export interface RawOptions {
  /** Gives up when no whole answer has come by then. */
  readonly timeoutMs?: number;
}

/**
 * Sends bytes as they are, which a client library would mend, and reads one answer. Rejects when
 * the connection ends before there is one.
 */
export async function rawExchange(
  port: number,
  bytes: string | Uint8Array,
  { timeoutMs = 10_000 }: RawOptions = {},
): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(bytes);
    return await rawAnswer(socket, { timeoutMs });
  } finally {
    socket.destroy();
  }
}

/** Reads one answer of a socket. */
export function rawAnswer(socket: Socket, { timeoutMs = 10_000 }: RawOptions = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const timer = setTimeout(
      () => reject(new Error(`no whole answer in ${timeoutMs} ms, only: ${received.toString('latin1')}`)),
      timeoutMs,
    );
    const finish = (closed: boolean) => {
      const answer = parseAnswer(received, closed);
      if (!answer) return false;
      clearTimeout(timer);
      resolve(answer);
      return true;
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      finish(false);
    });
    // After a refusal the server may reset a connection on which the client still sends.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (finish(true)) return;
      clearTimeout(timer);
      reject(new Error(`the connection ended before a whole answer: ${JSON.stringify(received.toString('latin1'))}`));
    });
  });
}

function parseAnswer(received: Buffer, closed: boolean): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine, ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = new Headers();
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim());
  const body = readBody(received.subarray(end + 4), headers, status, closed);
  if (!body) return undefined;
  const text = body.toString('utf8');
  return {
    status,
    headers,
    text,
    bytes: body,
    mediaType: (headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase(),
    json: () => JSON.parse(text),
    closed,
  };
}

function readBody(rest: Buffer, headers: Headers, status: number, closed: boolean): Buffer | undefined {
  if (status === 204 || status === 304) return Buffer.alloc(0);
  const length = headers.get('content-length');
  if (length !== null) return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
  if (headers.get('transfer-encoding') !== 'chunked') return closed ? rest : undefined;
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = rest.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, line).toString('latin1'), 16);
    if (size === 0) return Buffer.concat(parts);
    if (rest.length < line + 2 + size + 2) return undefined;
    parts.push(rest.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
