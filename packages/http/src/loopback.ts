import { HttpError } from './http-error.ts';
import type { Incoming } from './incoming.ts';

/**
 * What a page can send to other origins without being asked first (Fetch standard, "CORS-safelisted
 * request-header").
 */
const SIMPLE_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);

/**
 * Whether a host is this machine by its own name or number: a name that somebody made resolve to
 * 127.0.0.1 is another. With its port, as headers and addresses have it, or without.
 */
export function isLoopback(host: string): boolean {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return name === 'localhost' || name === '[::1]' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/**
 * Throws HttpError 403 and 415 for what a page of another origin could have sent, see
 * `loopbackOnly`.
 */
export function requireLocal(incoming: Incoming): void {
  const host = incoming.header('host');
  if (host === null || !isLoopback(host)) {
    throw new HttpError(403, 'The Host of the request is not this machine; ask http://localhost or http://127.0.0.1.');
  }
  const origin = incoming.header('origin');
  if (origin !== null && origin !== `http://${host}`) {
    throw new HttpError(403, 'Pages of other origins may not use this service, which asks for no credentials.');
  }
  if (incoming.method !== 'POST') return;
  const type = incoming.header('content-type')?.split(';')[0].trim().toLowerCase();
  if (type === undefined || type === '' || SIMPLE_TYPES.has(type)) {
    throw new HttpError(
      415,
      'Content-Type: without credentials a POST needs one that no form can send, such as application/json or application/sparql-query.',
    );
  }
}
