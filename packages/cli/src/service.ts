/** The HTTP interface that commands use: of a running server, or of an engine in this process. */
export interface Service {
  /** The world used if the command line names none; undefined if there is no default. */
  readonly defaultWorld: string | undefined;
  /**
   * Sends a request to a path of the interface. Throws if there is no answer, or an unsuccessful
   * one (with the server's message).
   */
  send(path: string, init?: ServiceRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface ServiceRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Aborts the request, including the reading of its answer. */
  readonly signal?: AbortSignal;
  /** Statuses that count as success, in addition to 2xx. */
  readonly alsoFine?: readonly number[];
}

/** Returns a request with a JSON body. */
export function jsonRequest(method: string, body: unknown): ServiceRequest {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
