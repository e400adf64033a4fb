/** A request to a path of the HTTP interface. */
export interface ClientRequest {
  /** Default: GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | undefined;
  /**
   * Whether the request may be repeated after a failure that leaves open whether the server has
   * processed it. Default: true for GET and HEAD. A request that the server refused before doing
   * anything is repeated in any case, unless its body is a stream.
   */
  readonly isIdempotent?: boolean | undefined;
  /**
   * Milliseconds after which the call throws TIMEOUT, measured to the end of the answer. Default:
   * no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** Aborts the request, including the reading of its answer. */
  readonly signal?: AbortSignal | undefined;
}
