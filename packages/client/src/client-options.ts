import { fieldsOf, requireKnownFields, requireName, requireOptions, WorldsError } from '@rdf-worlds/core/remote';

/** A bearer token, or a function that returns the current one for each request. */
export type TokenSource = string | (() => string | undefined | Promise<string | undefined>);

/** How often and when a request is repeated. */
export interface RetryOptions {
  /** Maximum number of repetitions; 0 for none. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * Upper bound of the first pause in milliseconds. It doubles with each repetition; the actual
   * pause is a random part of it, so that clients do not repeat in step. Default: 200.
   */
  readonly minDelayMs?: number | undefined;
  /**
   * Upper bound of a pause in milliseconds. A server that demands a longer one with `Retry-After`
   * is not asked again. Default: 10,000.
   */
  readonly maxDelayMs?: number | undefined;
}

/** Options of {@link WorldsClient}. */
export interface WorldsClientOptions {
  /** Address of the server, with the path that the service is mounted at, if any. */
  readonly url: string | URL;
  /** Sent as `Authorization: Bearer`, and only to `url`. Default: none. */
  readonly token?: TokenSource | undefined;
  /** Further headers of every request. Sent only to `url`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Namespace of requests that name none. Default: the caller's default namespace on the server.
   */
  readonly defaultNamespace?: string | undefined;
  /**
   * Milliseconds to wait for the server without a byte in either direction; then the call throws
   * TIMEOUT. Requests as a whole are limited by `timeoutMs` and `signal` of each. Default: 60,000.
   */
  readonly idleTimeoutMs?: number | undefined;
  /** Repetition of requests that failed without effect. */
  readonly retry?: RetryOptions | undefined;
  /**
   * Whether imports from streams are sent while they are read. Otherwise they are collected first.
   * Default: true, except in browsers, which can do so only over HTTP/2.
   */
  readonly streamUploads?: boolean | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: ((request: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** The validated options with defaults filled in. */
export interface ClientSettings {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: TokenSource | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** `_` for the caller's default namespace. */
  readonly defaultNamespace: string;
  readonly idleTimeoutMs: number;
  readonly retry: Required<{ [Field in keyof RetryOptions]: number }>;
  readonly streamUploads: boolean;
  readonly fetch: (request: string, init: RequestInit) => Promise<Response>;
}

const FIELDS = fieldsOf<WorldsClientOptions>({
  url: true,
  token: true,
  headers: true,
  defaultNamespace: true,
  idleTimeoutMs: true,
  retry: true,
  streamUploads: true,
  fetch: true,
});
const RETRY_FIELDS = fieldsOf<RetryOptions>({ retries: true, minDelayMs: true, maxDelayMs: true });

/** The maximum delay of a timer, about 24 days: a longer one fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Validates the options and fills in the defaults. Throws INVALID_ARGUMENT. */
export function clientSettings(options: WorldsClientOptions): ClientSettings {
  requireOptions(options, 'WorldsClient', "new WorldsClient({ url: 'http://127.0.0.1:8080', token })");
  requireKnownFields(options, FIELDS, 'WorldsClient');
  const { url, token, headers = {}, defaultNamespace = '_', retry = {}, fetch } = options;
  requireOptions(retry, 'WorldsClient: retry', 'retry: { retries: 3 }');
  requireOptions(headers, 'WorldsClient: headers', "headers: { 'x-name': 'value' }");
  requireKnownFields(retry, RETRY_FIELDS, 'WorldsClient: retry');
  if (token !== undefined && typeof token !== 'string' && typeof token !== 'function')
    throw wrong('token: expected a string or a function that returns one');
  if (fetch !== undefined && typeof fetch !== 'function') throw wrong('fetch: expected a function');
  if (defaultNamespace !== '_') requireName(defaultNamespace, 'WorldsClient: defaultNamespace');
  return {
    url: addressOf(url),
    token,
    headers,
    defaultNamespace,
    idleTimeoutMs: milliseconds(options.idleTimeoutMs ?? 60_000, 'idleTimeoutMs'),
    retry: {
      retries: milliseconds(retry.retries ?? 3, 'retry.retries'),
      minDelayMs: milliseconds(retry.minDelayMs ?? 200, 'retry.minDelayMs'),
      maxDelayMs: milliseconds(retry.maxDelayMs ?? 10_000, 'retry.maxDelayMs'),
    },
    streamUploads: options.streamUploads ?? !isBrowser(),
    // Called without a receiver: the global function of browsers refuses any other than its window.
    fetch: fetch ?? ((request, init) => globalThis.fetch(request, init)),
  };
}

function addressOf(url: unknown): string {
  const text = String(url);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw wrong(`url: expected a URL such as http://127.0.0.1:8080, found ${JSON.stringify(text.slice(0, 200))}`);
  if (parsed.search !== '' || parsed.hash !== '') throw wrong('url: expected a URL without query and fragment');
  if (parsed.username !== '' || parsed.password !== '')
    throw wrong('url: expected a URL without a user name and a password; pass a token instead');
  return parsed.href.replace(/\/+$/, '');
}

function milliseconds(value: unknown, field: string): number {
  if (typeof value === 'number' && value >= 0) return Math.min(value, MAX_TIMER_MS);
  throw wrong(`${field}: expected a number of 0 or more`);
}

/** All browsers claim to be Mozilla; no other runtime does. */
function isBrowser(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent?.startsWith('Mozilla/') ?? false;
}

function wrong(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', `WorldsClient: ${message}.`);
}
