import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ROUNDS } from './rounds.ts';

/** Status by the code of an error of Node's parser; 400 for all other codes. */
const STATUS: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/**
 * Answers what is not a message of HTTP and closes the connection, as Node does by default, but in
 * {@link ROUNDS}: Node would end all connections that break off together in one round of the event
 * loop, and format the stack of an error for each.
 */
export function refuseMalformed(server: Server): void {
  /** The last response of each connection. */
  const responses = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  server.prependListener('request', ({ socket }, response) => responses.set(socket, response));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, connection) => {
    const socket = connection as Socket;
    if (refused.has(socket)) return;
    refused.add(socket);
    socket.pause();
    ROUNDS.add(() => {
      if (socket.writable && mayAnswer(socket, responses.get(socket))) socket.write(answer(STATUS.get(code) ?? 400));
      socket.destroy();
    });
  });
}

/** Whether no part of another answer has been sent that this one would be taken for. */
function mayAnswer(socket: Socket, last: ServerResponse | undefined): boolean {
  if (!last || last.writableFinished) return true;
  // A response has the socket while it is sent; others wait for theirs.
  return last.socket === socket && !last.headersSent;
}

function answer(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
}
