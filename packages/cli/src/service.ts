/**
 * What the commands talk to: the HTTP interface, of a running server or of a memory engine in this
 * process.
 */
export interface Service {
  /**
   * The world that is meant where the command line names none; undefined: there is no such world.
   */
  readonly defaultWorld: string | undefined;
  /**
   * Sends a request to a path of the interface. Throws when there is no answer, or one that is no
   * success: its message is the server's.
   */
  send(path: string, init?: ServiceRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface ServiceRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Ends the request, also while its answer is read. */
  readonly signal?: AbortSignal;
  /** Statuses that are no failure here, besides 2xx. */
  readonly alsoFine?: readonly number[];
}

/** A request with a JSON body. */
export function jsonRequest(method: string, body: unknown): ServiceRequest {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
