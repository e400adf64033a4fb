import { type World, WorldsError } from '@rdf-worlds/core';
import type { Call } from './call.ts';
import { tokenHeader } from './revision-token.ts';
import { quoted } from './world-name.ts';

/**
 * Revisions count the commits of a whole namespace. Only callers that may read all of it are told
 * them or may set conditions on them: to others they would reveal the activity of its other worlds.
 */
function maySeeRevisions({ access }: Call, namespace: string): boolean {
  return access.mayAll('read', namespace);
}

const PREFERS_REVISION = /(?:^|,)\s*revision\s*(?:$|[,;])/i;

/**
 * Returns true if the worlds of a namespace are sent with their `revision`: the caller asked for it
 * with `Prefer: revision` (RFC 7240) and may know it.
 */
export function sendsRevisions(call: Call, namespace: string): boolean {
  return PREFERS_REVISION.test(call.incoming.header('prefer') ?? '') && maySeeRevisions(call, namespace);
}

/**
 * Returns the revision of a world after a write, as a header of a reply without a body, with the
 * token for further requests.
 */
export function revisionHeader(
  call: Call,
  { namespace, revision }: Pick<World, 'namespace' | 'revision'>,
): Record<string, string> {
  const token = tokenHeader(call, namespace, revision);
  return maySeeRevisions(call, namespace) ? { 'rdf-worlds-revision': String(revision), ...token } : token;
}

/**
 * Returns the revision at which a write requires its world, from the header
 * `RDF-Worlds-If-Revision`. Throws `INVALID_ARGUMENT` for anything that is not a revision, and
 * `PERMISSION_DENIED`.
 */
export function requiredRevision(call: Call, namespace: string): number | undefined {
  const header = call.incoming.header('rdf-worlds-if-revision');
  if (header === null) return undefined;
  if (!/^\d{1,15}$/.test(header)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `RDF-Worlds-If-Revision: expected the revision of a world, such as 12, found ${quoted(header)}.`,
    );
  }
  if (maySeeRevisions(call, namespace)) return Number(header);
  throw new WorldsError(
    'PERMISSION_DENIED',
    'RDF-Worlds-If-Revision: revisions count the changes of a whole namespace; only callers that may read all of it can use them. Use If-Match.',
  );
}
