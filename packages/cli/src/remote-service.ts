import type { Service, ServiceRequest } from './service.ts';
import { succeeded } from './succeeded.ts';
import { UsageError } from './usage-error.ts';

/** A service on a running server. */
export class RemoteService implements Service {
  readonly defaultWorld = undefined;
  private readonly url: string;
  private readonly token: string | undefined;

  /** Throws `UsageError` if the URL is not an http or https address. */
  constructor(url: string, token: string | undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new UsageError(`--url: expected a URL such as http://127.0.0.1:8080, found ${JSON.stringify(url)}.`);
    }
    this.url = url.replace(/\/+$/, '');
    this.token = token;
  }

  async send(path: string, { method, headers, body, signal, alsoFine }: ServiceRequest = {}): Promise<Response> {
    const authorization: Record<string, string> =
      this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...headers, ...authorization },
      body,
      signal,
      // Required for a streamed body (Fetch standard, RequestInit).
      duplex: 'half',
      // The interface never redirects, and a token must not follow a redirect elsewhere.
      redirect: 'error',
    }).catch((cause) => {
      throw new Error(`The request to ${this.url} failed: ${rootOf(cause)}.`, { cause });
    });
    return succeeded(response, alsoFine);
  }

  async close(): Promise<void> {}
}

/**
 * Returns the message of the root cause: `fetch` itself reports only that it failed, and a
 * connection failure may have several causes.
 */
function rootOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootOf(error.cause);
}
