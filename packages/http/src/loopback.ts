import { HttpError } from './http-error.ts';
import type { Incoming } from './incoming.ts';

/**
 * Content types that a page may send cross-origin without a preflight request (Fetch standard,
 * "CORS-safelisted request-header").
 */
const SIMPLE_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);

/**
 * Returns true if a host, with or without port, is a literal loopback name or address. Other names
 * are rejected even if they resolve to 127.0.0.1 (DNS rebinding).
 */
export function isLoopback(host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return name === 'localhost' || name === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/**
 * Throws `HttpError` 403 or 415 for requests that a page of another origin could have sent. See
 * `loopbackOnly`.
 */
export function requireLocal(incoming: Incoming): void {
  const host = incoming.header('host');
  if (host === null || !isLoopback(host)) {
    throw new HttpError(403, 'The Host of the request is not this machine; use http://localhost or http://127.0.0.1.');
  }
  const origin = incoming.header('origin');
  if (origin !== null && origin !== `http://${host}`) {
    throw new HttpError(403, 'Pages of other origins may not use this service, because it requires no credentials.');
  }
  if (incoming.method !== 'POST') return;
  const type = incoming.header('content-type')?.split(';')[0].trim().toLowerCase();
  if (type === undefined || type === '' || SIMPLE_TYPES.has(type)) {
    throw new HttpError(
      415,
      'Content-Type: without credentials, a POST needs a type that HTML forms cannot send, such as application/json or application/sparql-query.',
    );
  }
}
