import { isError } from '../../model/any-realm.ts';
import { throwIfAborted, WorldsError } from '../../model/worlds-error.ts';
import { EmbedderLie } from '../embedder-lie.ts';

/** A longer requested pause is reported as the failure, not waited for. */
const MAX_PAUSE_MS = 60_000;

export interface RetryOptions {
  /** Maximum number of retries. */
  readonly retries: number;
  /** First delay; it doubles each time. */
  readonly delayMs: number;
  readonly signal: AbortSignal;
}

/** Retry hints that errors of different HTTP clients carry. */
interface ErrorHints {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly retryAfter?: unknown;
  readonly headers?: unknown;
  readonly responseHeaders?: unknown;
}

/**
 * Calls until success, retrying transient failures: too many requests, server errors, no
 * connection.
 */
export async function retried<Result>(call: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { retries, delayMs, signal } = options;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      throwIfAborted(signal);
      if (attempt >= retries || !mayPass(error)) throw error;
      const asked = retryAfterMs(error);
      if (asked !== undefined && asked > MAX_PAUSE_MS) throw error;
      // Jitter of one to two delays, so that clients rejected together do not retry together.
      const own = delayMs * 2 ** attempt * (1 + Math.random());
      await pause(Math.min(MAX_PAUSE_MS, Math.max(asked ?? 0, own)), signal);
    }
  }
}

/** Returns whether an error is transient. */
export function mayPass(error: unknown): boolean {
  if (error instanceof EmbedderLie) return false;
  if (error instanceof WorldsError && error.code === 'TIMEOUT') return true;
  const hints = (typeof error === 'object' && error !== null ? error : {}) as ErrorHints;
  if (typeof hints.isRetryable === 'boolean') return hints.isRetryable;
  const status = statusOf(hints);
  if (status !== undefined) return status === 408 || status === 429 || status >= 500;
  return isConnectionError(error);
}

/**
 * Returns the pause that a server requested, in milliseconds (RFC 9110, section 10.2.3: seconds or
 * a date).
 */
export function retryAfterMs(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const hints = error as ErrorHints;
  const value = hints.retryAfter ?? headerOf(hints.headers) ?? headerOf(hints.responseHeaders);
  if (typeof value !== 'string') return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function headerOf(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  if ('get' in headers && typeof headers.get === 'function') return headers.get('retry-after') ?? undefined;
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
}

function statusOf({ status, statusCode }: ErrorHints): number | undefined {
  for (const each of [status, statusCode]) if (typeof each === 'number' && each >= 100) return each;
  return undefined;
}

/** Codes of Node and undici for failed or broken connections. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Checks the causes too, where `fetch` hides the actual error, sometimes several levels deep. */
function isConnectionError(error: unknown): boolean {
  for (let depth = 0; depth < 4 && typeof error === 'object' && error !== null; depth++) {
    const { code, cause } = error as ErrorHints;
    if (typeof code === 'string' && CONNECTION_CODES.has(code)) return true;
    if (isError(error) && error.name === 'AggregateError' && (error as AggregateError).errors.some(isConnectionError))
      return true;
    error = cause;
  }
  return false;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
  throwIfAborted(signal);
}
