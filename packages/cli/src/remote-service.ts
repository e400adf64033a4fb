import type { Service, ServiceRequest } from './service.ts';
import { succeeded } from './succeeded.ts';
import { UsageError } from './usage-error.ts';

/** A running server. */
export class RemoteService implements Service {
  readonly defaultWorld = undefined;
  private readonly url: string;
  private readonly token: string | undefined;

  /** Throws UsageError for what is no address of a server. */
  constructor(url: string, token: string | undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new UsageError(`--url: expected an address such as http://127.0.0.1:8080, found ${JSON.stringify(url)}.`);
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
      // Without it a body that is a stream is refused (Fetch standard, RequestInit).
      duplex: 'half',
      // The interface has none; a token is not carried to wherever someone points.
      redirect: 'error',
    }).catch((cause) => {
      throw new Error(`The request to ${this.url} failed: ${rootOf(cause)}.`, { cause });
    });
    return succeeded(response, alsoFine);
  }

  async close(): Promise<void> {}
}

/** `fetch` says only that it failed; why is the cause, and that of a connection may be several. */
function rootOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootOf(error.cause);
}
