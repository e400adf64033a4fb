import type { ClientRequest } from '@rdf-worlds/client';

/** The HTTP interface that commands use: of a running server, or of an engine in this process. */
export interface Service {
  /** The world used if the command line names none; undefined if there is no default. */
  readonly defaultWorld: string | undefined;
  /**
   * Sends a request to a path of the interface. Throws `WorldsError` if there is no answer, or an
   * unsuccessful one (with the server's message).
   */
  send(path: string, request?: ClientRequest): Promise<Response>;
  close(): Promise<void>;
}

/** Returns a request with a JSON body. */
export function jsonRequest(method: 'POST' | 'PUT', body: unknown): ClientRequest {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Returns a request with a JSON body that only reads. */
export function jsonQuery(body: unknown): ClientRequest {
  return { ...jsonRequest('POST', body), isIdempotent: true };
}
