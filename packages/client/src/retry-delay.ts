import type { ClientSettings } from './client-options.ts';

/**
 * Returns the pause before a repetition, in milliseconds: that of `Retry-After` if there is one,
 * else a random part of an exponentially growing bound. Undefined if the request is not to be
 * repeated, because it was repeated often enough or the server demands too long a pause.
 */
export function retryDelayMs(
  { retries, minDelayMs, maxDelayMs }: ClientSettings['retry'],
  attempt: number,
  retryAfter: string | null,
): number | undefined {
  if (attempt >= retries) return undefined;
  const demanded = retryAfter === null ? undefined : retryAfterMs(retryAfter);
  if (demanded !== undefined) return demanded <= maxDelayMs ? demanded : undefined;
  return Math.random() * Math.min(maxDelayMs, minDelayMs * 2 ** attempt);
}

/** RFC 9110 section 10.2.3: a number of seconds, or a date. Undefined for anything else. */
function retryAfterMs(header: string): number | undefined {
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
