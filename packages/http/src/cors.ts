import type { CorsOptions } from './handler-options.ts';
import type { Incoming } from './incoming.ts';
import type { Reply } from './reply.ts';

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Accept, If-Match, If-None-Match, Prefer, RDF-Worlds-If-Revision, RDF-Worlds-Revision-Token, X-Request-Id, Mcp-Session-Id, Mcp-Protocol-Version';
const EXPOSED_HEADERS =
  'ETag, Location, Retry-After, X-Request-Id, Mcp-Session-Id, RDF-Worlds-Inserted, RDF-Worlds-Deleted, RDF-Worlds-Quads, RDF-Worlds-Created-Graphs, RDF-Worlds-Revision, RDF-Worlds-Revision-Token, RDF-Worlds-Elsewhere, RDF-Worlds-Notes, RDF-Worlds-Error';
const DEFAULT_MAX_AGE_SECONDS = 600;

/**
 * Adds the CORS headers to a reply, so that pages of the permitted origins can read it (Fetch
 * standard, CORS protocol). Credentials are bearer tokens, never cookies.
 */
export function addCorsHeaders(incoming: Incoming, { headers }: Reply, cors: CorsOptions | undefined): void {
  if (!cors) return;
  if (cors.origins === '*') headers['access-control-allow-origin'] = '*';
  else {
    headers['vary'] = headers['vary'] === undefined ? 'Origin' : `${headers['vary']}, Origin`;
    const origin = incoming.header('origin');
    if (origin === null || !cors.origins.includes(origin)) return;
    headers['access-control-allow-origin'] = origin;
  }
  headers['access-control-expose-headers'] = EXPOSED_HEADERS;
  if (incoming.method !== 'OPTIONS' || incoming.header('access-control-request-method') === null) return;
  headers['access-control-allow-methods'] = headers['allow'] ?? '';
  headers['access-control-allow-headers'] = ALLOWED_HEADERS;
  headers['access-control-max-age'] = String(cors.maxAgeSeconds ?? DEFAULT_MAX_AGE_SECONDS);
}
