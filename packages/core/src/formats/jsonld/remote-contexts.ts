import { allowableAddress } from '../../model/allowable-address.ts';
import { fieldsOf, requireKnownFields } from '../../model/known-fields.ts';
import { kindOf, requireOptions } from '../../model/passed-value.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { DocumentLoader } from './load-context.ts';

const EXAMPLE = "remoteContexts({ allow: ['https://schema.org/'] })";
/** Contexts kept at a time, the oldest of which makes room. */
const MAX_CACHED = 64;
const ACCEPT = 'application/ld+json, application/json;q=0.9, */*;q=0.1';

/** Options of {@link remoteContexts}. */
export interface RemoteContextsOptions {
  /**
   * What may be fetched: URLs such as `https://schema.org/`, which allow every address of the same
   * origin whose path begins with theirs; `https:` allows all over TLS. A plain `http` address is
   * fetched over TLS unless an entry with `http:` allows it. Redirects must be allowed, too.
   */
  readonly allow: readonly string[];
  /** Bytes of a context, after decompression. Default: 1 MiB. */
  readonly maxBytes?: number | undefined;
  /** Default: 5. */
  readonly maxRedirects?: number | undefined;
  /** Milliseconds for a context, with its redirects. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds for which a context is not fetched again. Default: 600,000. */
  readonly cacheMs?: number | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

const FIELDS = fieldsOf<RemoteContextsOptions>({
  allow: true,
  maxBytes: true,
  maxRedirects: true,
  timeoutMs: true,
  cacheMs: true,
  fetch: true,
});
const DEFAULTS = { maxBytes: 1 << 20, maxRedirects: 5, timeoutMs: 10_000, cacheMs: 600_000 };
type Bounds = typeof DEFAULTS;

/**
 * Returns a `documentLoader` that fetches the remote contexts of JSON-LD documents from allowed
 * addresses, within limits. It sends neither cookies nor credentials. Documents decide what is
 * requested: if they come from people you do not trust, do not allow addresses of your own network,
 * and so not all of `https:`.
 *
 * Throws INVALID_ARGUMENT for invalid options. The loader rejects with UNSUPPORTED for an address
 * that is not allowed and for an answer that is not JSON, with LIMIT_EXCEEDED, and with UNAVAILABLE
 * if there is no successful answer in time.
 */
export function remoteContexts(options: RemoteContextsOptions): DocumentLoader {
  requireOptions(options, 'remoteContexts', EXAMPLE);
  requireKnownFields(options, FIELDS, 'remoteContexts');
  const bounds = boundsOf(options);
  const allowed = allowedOf(options.allow);
  const send = options.fetch ?? fetch;
  const cached = new Map<string, { readonly until: number; readonly document: ReturnType<DocumentLoader> }>();
  return (url) => {
    const known = cached.get(url);
    if (known && known.until > Date.now()) return known.document;
    cached.delete(url);
    const document = fetched(url, allowed, bounds, send);
    const entry = { until: Date.now() + bounds.cacheMs, document };
    cached.set(url, entry);
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
    // The caller gets the failure; the next one tries again.
    document.catch(() => cached.get(url) === entry && cached.delete(url));
    return document;
  };
}

function boundsOf(options: RemoteContextsOptions): Bounds {
  const bounds: Bounds = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof Bounds)[]) {
    const value: unknown = options[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || (value as number) < 0)
      throw new WorldsError('INVALID_ARGUMENT', `remoteContexts: ${name}: expected an integer of at least 0.`);
    bounds[name] = value as number;
  }
  return bounds;
}

/** Returns whether an address is allowed. */
type Allowed = (address: URL) => boolean;

function allowedOf(allow: unknown): Allowed {
  if (!Array.isArray(allow) || allow.length === 0)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `remoteContexts: allow: expected addresses, not ${Array.isArray(allow) ? 'an empty array' : kindOf(allow)}; write ${EXAMPLE}.`,
    );
  const rules = allow.map(allowedBy);
  return (address) => rules.some((allows) => allows(address));
}

function allowedBy(text: unknown): Allowed {
  if (text === 'https:' || text === 'http:') return ({ protocol }) => protocol === text;
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `remoteContexts: allow: expected URLs such as "https://schema.org/", or "https:" for all addresses over TLS, not ${typeof text === 'string' ? JSON.stringify(text) : kindOf(text)}.`,
    );
  return ({ origin, pathname }) => origin === url.origin && pathname.startsWith(url.pathname);
}

/** Returns the address to fetch for a URL: itself, or the same over TLS. */
function addressOf(url: URL, isAllowed: Allowed): URL {
  const secure = new URL(url);
  // Many documents name http://schema.org, which redirects to the same with TLS.
  if (url.protocol === 'http:') secure.protocol = 'https:';
  const hasCredentials = url.username !== '' || url.password !== '';
  const found = hasCredentials ? undefined : [url, secure].find(isAllowed);
  if (found) return found;
  const isWeb = /^https?:$/.test(url.protocol) && !hasCredentials;
  throw new WorldsError(
    'UNSUPPORTED',
    isWeb
      ? `The context <${url}> is remote, and its address is not allowed: add "${allowableAddress(secure.href)}" to allow of remoteContexts.`
      : `The context <${url}> cannot be fetched: only https and http addresses without credentials can.`,
  );
}

async function fetched(
  context: string,
  isAllowed: Allowed,
  { maxBytes, maxRedirects, timeoutMs }: Bounds,
  send: typeof fetch,
): Promise<{ document: string; documentUrl: string }> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  try {
    let address = addressOf(new URL(context), isAllowed);
    for (let redirects = 0; ; redirects++) {
      if (redirects > maxRedirects)
        throw new WorldsError('LIMIT_EXCEEDED', `The context <${context}> redirects more than ${maxRedirects} times.`);
      const response = await send(address, {
        headers: { accept: ACCEPT },
        credentials: 'omit',
        redirect: 'manual',
        signal: ending.signal,
      });
      const next = nextAddress(response, address);
      if (next) {
        await response.body?.cancel();
        address = addressOf(next, isAllowed);
        continue;
      }
      requireJson(response, context);
      return { document: await textOf(response, context, maxBytes), documentUrl: address.href };
    }
  } catch (cause) {
    if (cause instanceof WorldsError) throw cause;
    const reason = ending.signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(cause);
    throw new WorldsError('UNAVAILABLE', `The context <${context}> could not be fetched: ${reason}.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** The message of `fetch` alone is `fetch failed`. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message || (cause as NodeJS.ErrnoException).code})` : message;
}

const isJson = (type: string) => /^application\/(?:json|[^;]*\+json)\s*(?:;|$)/i.test(type);

/**
 * Returns where an answer points: a redirect, or the alternative in JSON-LD of a page (JSON-LD 1.1
 * API, section 9.4.2 LoadDocumentCallback, step 5), as https://schema.org/ has it.
 */
function nextAddress({ status, headers }: Response, address: URL): URL | undefined {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null) return new URL(location, address);
  if (status !== 200 || isJson(headers.get('content-type') ?? '')) return undefined;
  for (const [, target, parameters] of (headers.get('link') ?? '').matchAll(/<([^>]*)>([^<]*)/g))
    if (/\brel="?alternate\b/i.test(parameters) && /\btype="?application\/ld\+json\b/i.test(parameters))
      return new URL(target, address);
  return undefined;
}

function requireJson({ status, headers, type }: Response, context: string): void {
  // Browsers reveal nothing of a redirect.
  if (type === 'opaqueredirect')
    throw new WorldsError('UNSUPPORTED', `The context <${context}> redirects; name the final address.`);
  if (status !== 200)
    throw new WorldsError(
      'UNAVAILABLE',
      `The context <${context}> could not be fetched: the server responded with ${status}.`,
    );
  const mediaType = headers.get('content-type') ?? '';
  // Servers of files often do not know JSON-LD, but what is meant for people is a mistake.
  if (/^(?:text\/html|application\/xhtml\+xml)/i.test(mediaType))
    throw new WorldsError('UNSUPPORTED', `The context <${context}> is a page (${mediaType}), not JSON-LD.`);
}

async function textOf({ body }: Response, context: string, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new WorldsError('LIMIT_EXCEEDED', `The context <${context}> is larger than ${maxBytes} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
