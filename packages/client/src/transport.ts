import { asBytes, throwIfAborted, WorldsError } from '@rdf-worlds/core/remote';
import { onAbort } from './abort-listeners.ts';
import { Answer } from './answer.ts';
import { answerError } from './answer-error.ts';
import type { ClientSettings } from './client-options.ts';
import type { ClientRequest } from './client-request.ts';
import { connectionError, inDoubt } from './connection-error.ts';
import { retryDelayMs } from './retry-delay.ts';
import { RevisionTokens } from './revision-tokens.ts';
import { Upload } from './upload.ts';
import { Watch } from './watch.ts';

/** What failed, and whether the request can be repeated. */
interface Failure {
  readonly error: unknown;
  /** `refused`: nothing was done. `unknown`: it may have been. `final`: do not repeat. */
  readonly kind: 'refused' | 'unknown' | 'final';
  readonly retryAfter: string | null;
}

/** Sends requests to one server: credentials, time limits, repetition, errors. */
export class Transport {
  private readonly settings: ClientSettings;
  private readonly closing = new AbortController();
  private readonly tokens = new RevisionTokens();

  constructor(settings: ClientSettings) {
    this.settings = settings;
  }

  /** Ends all requests; later ones throw INVALID_ARGUMENT. */
  close(): void {
    if (this.closing.signal.aborted) return;
    this.closing.abort(new WorldsError('INVALID_ARGUMENT', 'The client is closed; create another one.'));
  }

  /** Throws INVALID_ARGUMENT if the client is closed. */
  requireOpen(): void {
    throwIfAborted(this.closing.signal);
  }

  /**
   * Sends a request to a path below the address. Returns a successful answer as soon as its headers
   * have arrived. Throws the error of the server otherwise, ABORTED, TIMEOUT, UNAVAILABLE for a
   * request that had no effect, and IN_DOUBT for one that may have had one.
   */
  async send(path: string, request: ClientRequest = {}): Promise<Answer> {
    const { method = 'GET', body, signal } = request;
    const { isIdempotent = method === 'GET' || method === 'HEAD' } = request;
    const canRepeat = body === undefined || typeof body === 'string' || asBytes(body) !== undefined || isBlob(body);
    for (let attempt = 0; ; attempt++) {
      this.requireOpen();
      throwIfAborted(signal);
      const result = await this.attempt(path, { ...request, method, isIdempotent });
      if (result instanceof Answer) return result;
      const { error, kind, retryAfter } = result;
      if (!canRepeat || kind === 'final' || (kind === 'unknown' && !isIdempotent)) throw error;
      const delayMs = retryDelayMs(this.settings.retry, attempt, retryAfter);
      if (delayMs === undefined) throw error;
      await this.pause(delayMs, signal);
    }
  }

  private async attempt(path: string, request: ClientRequest): Promise<Answer | Failure> {
    const { url, idleTimeoutMs, fetch } = this.settings;
    const { isIdempotent, method, body } = request;
    const headers = await this.headers(request);
    const begun = this.tokens.begin();
    const watch = new Watch({ request, idleTimeoutMs, closing: this.closing.signal });
    const upload = isStream(body) ? new Upload(body, watch) : undefined;
    watch.wait();
    let response: Response;
    try {
      const init = {
        method,
        headers,
        body: upload ? upload.stream : (body as Exclude<typeof body, ReadableStream>),
        signal: watch.signal,
        // Required for a streamed body (Fetch standard, RequestInit).
        duplex: 'half',
        // The interface never redirects. Headers of the caller must not follow a redirect
        // elsewhere.
        redirect: 'manual',
      } as const;
      response = await fetch(url + path, init);
    } catch (cause) {
      watch.end();
      // The server discards a body without an end.
      if (upload?.failed) return { error: upload.failed.error, kind: 'final', retryAfter: null };
      return this.failure(cause, watch, !isIdempotent);
    }
    watch.rest();
    if (response.ok) this.tokens.keep(response.headers.get('rdf-worlds-revision-token'), begun);
    if (response.ok || response.status === 304) return new Answer(response, watch, url);
    watch.wait();
    const error = isRedirect(response) ? await redirected(response, url) : await answerError(response);
    watch.end();
    const { status } = response;
    return { error, kind: kindOf(error, status), retryAfter: response.headers.get('retry-after') };
  }

  private async headers({ headers }: ClientRequest): Promise<Record<string, string>> {
    const { token, headers: own } = this.settings;
    const current = typeof token === 'function' ? await token() : token;
    const { header } = this.tokens;
    const all: Record<string, string> = {
      ...(header !== undefined && { 'rdf-worlds-revision-token': header }),
      ...own,
      ...headers,
    };
    if (current !== undefined) all['authorization'] = `Bearer ${current}`;
    return all;
  }

  private failure(cause: unknown, watch: Watch, isWrite: boolean): Failure {
    let error: WorldsError = connectionError(cause, this.settings.url, isWrite);
    try {
      watch.throwIfEnded();
    } catch (reason) {
      const ended = reason as WorldsError;
      // The server may still be at work.
      error = isWrite && ended.code === 'TIMEOUT' ? inDoubt(ended.message, ended) : ended;
      return { error, kind: 'final', retryAfter: null };
    }
    return { error, kind: error.code === 'IN_DOUBT' ? 'unknown' : 'refused', retryAfter: null };
  }

  /** Waits; returns early if the client is closed or the signal fires. */
  async pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ends: readonly (() => void)[] = [];
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, delayMs);
      ends = [this.closing.signal, ...(signal ? [signal] : [])].map((source) => onAbort(source, resolve));
    });
    clearTimeout(timer);
    for (const end of ends) end();
  }
}

/** OVERLOADED is raised before anything is done; a gateway may answer while the server works. */
function kindOf(error: WorldsError, status: number): Failure['kind'] {
  if (error.code === 'OVERLOADED') return 'refused';
  return status === 502 || status === 503 || status === 504
    ? error.code === 'UNAVAILABLE' || status === 504
      ? 'unknown'
      : 'final'
    : 'final';
}

/** Browsers do not reveal the status of a redirect. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

async function redirected(response: Response, url: string): Promise<WorldsError> {
  const location = response.headers.get('location');
  await response.body?.cancel().catch(() => undefined);
  const where = location === null ? 'to another address' : `to ${location.slice(0, 300)}`;
  return new WorldsError('UNSUPPORTED', `${url} redirects ${where}; pass the final address as url.`);
}

function isBlob(body: unknown): body is Blob {
  return typeof (body as Partial<Blob> | undefined)?.arrayBuffer === 'function';
}

function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof (body as Partial<ReadableStream> | undefined)?.getReader === 'function';
}
