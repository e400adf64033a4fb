import type { Socket } from 'node:net';

const CALLERS = new WeakMap<Socket, string>();

/** Returns the caller of the last authenticated request of a connection; undefined if none was. */
export function connectionCaller(socket: Socket): string | undefined {
  return CALLERS.get(socket);
}

/** Records the caller of a request; undefined if the request was not authenticated. */
export function setConnectionCaller(socket: Socket, caller: string | undefined): void {
  if (caller === undefined) CALLERS.delete(socket);
  else CALLERS.set(socket, caller);
}
