import { isError } from '../../model/any-realm.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { EmbedderLie } from '../embedder-lie.ts';

/** Size limit of a response; no embedding response is larger. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** Maximum length of a server's text quoted in a message. */
const MAX_QUOTE = 300;

export interface PostOptions {
  readonly url: URL;
  readonly body: unknown;
  /** Sent, but never included in messages. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
  /** Advice by status, overriding the general table. */
  readonly advice?: Readonly<Record<number, string>> | undefined;
}

/** Advice by status. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'Check the model and the options.',
  401: 'Check the API key.',
  403: 'Check the API key and its permissions.',
  404: 'Check the URL and the name of the model.',
  413: 'Send fewer texts per call (batchSize).',
  422: 'Check the model and the options.',
  429: 'The server limits the rate of requests: lower the concurrency, or check the limits of the account.',
};

/**
 * A request that was answered with an error status. `status` and `retryAfter` determine whether to
 * retry.
 */
class RefusedRequest extends WorldsError {
  readonly status: number;
  readonly retryAfter: string | undefined;

  constructor(message: string, status: number, retryAfter: string | undefined) {
    super('UNSUPPORTED', message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Posts JSON and returns the JSON response. Throws UNSUPPORTED for all failures, naming the
 * endpoint but no secret.
 */
export async function postJson({ url, body, headers, signal, fetch, advice }: PostOptions): Promise<unknown> {
  const place = `POST ${url.origin}${url.pathname}`;
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
      // Texts must not be sent anywhere but to the configured URL.
      redirect: 'manual',
    });
    text = await bodyOf(response, place);
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof WorldsError) throw error;
    const message = `${place} failed: ${reasonOf(error)}. Check that the server is running and reachable.`;
    throw new WorldsError('UNSUPPORTED', message, { cause: error });
  }
  const secrets = Object.values(headers);
  const { status } = response;
  if (!response.ok) {
    const said = quote(text, secrets);
    const what = status >= 300 && status < 400 ? 'The server redirects; set the URL that it redirects to.' : undefined;
    const todo =
      what ?? advice?.[status] ?? ADVICE[status] ?? (status >= 500 ? 'The server has a problem; try again later.' : '');
    throw new RefusedRequest(
      [`${place} responded with ${status}${said && `: ${said}`}.`, todo].filter(Boolean).join(' '),
      status,
      response.headers.get('retry-after') ?? undefined,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    // Omit the syntax error: its position is useless if the response is not JSON at all.
    throw new EmbedderLie(
      `${place} responded with something that is not JSON: ${quote(text, secrets)}. Check the URL.`,
    );
  }
}

async function bodyOf(response: Response, place: string): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES)
      throw new EmbedderLie(
        `${place} responded with more than ${MAX_ANSWER_BYTES} bytes; send fewer texts per call (batchSize).`,
      );
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Returns the message of a response, or its start, on one line and with the sent headers masked.
 */
function quote(text: string, secrets: readonly string[]): string {
  let said = messageIn(text) ?? text;
  for (const secret of secrets) {
    for (const part of [secret, ...secret.split(/\s+/)]) if (part.length >= 6) said = said.replaceAll(part, '***');
  }
  // Servers often echo the start of a key.
  said = said.replace(/\b(?:sk|pk|key|hf|gsk|api)[-_][\w*-]{4,}/gi, '***');
  said = said.replace(/\s+/g, ' ').trim();
  return said.length > MAX_QUOTE ? `${said.slice(0, MAX_QUOTE)} ...` : said.replace(/\.$/, '');
}

/** Returns the message from `{error: {message}}`, `{error}`, `{message}` or `{detail}`. */
function messageIn(text: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Not JSON: quote the text itself.
    return undefined;
  }
  for (const name of ['error', 'message', 'detail']) {
    const value = (parsed as Record<string, unknown> | null)?.[name];
    if (typeof value === 'string') return value;
    const inner = (value as Record<string, unknown> | null | undefined)?.['message'];
    if (typeof inner === 'string') return inner;
  }
  return undefined;
}

/** Returns the underlying reason: `fetch failed` is useless, its cause is not. */
function reasonOf(error: unknown): string {
  let last = error;
  for (let depth = 0; depth < 4 && isError(last) && last.cause !== undefined; depth++) last = last.cause;
  if (isError(last) && last.name === 'AggregateError') last = (last as AggregateError).errors[0] ?? last;
  const { message, code } = (last ?? {}) as { message?: string; code?: string };
  return [message, message?.includes(code ?? '') ? '' : code].filter(Boolean).join(' ') || String(last);
}

/**
 * Parses the URL of an endpoint. Throws INVALID_ARGUMENT unless it is http or https and without
 * credentials, which would appear in messages.
 */
export function endpointOf(url: string | URL, option = 'url'): URL {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `The option ${option} is not an http or https URL; pass one such as http://127.0.0.1:8080/v1.`,
    );
  if (parsed.username || parsed.password)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `The option ${option} contains a user name or password; pass them as headers.`,
    );
  return parsed;
}
