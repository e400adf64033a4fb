import { createHmac, randomBytes } from 'node:crypto';
import type { World } from '@rdf-worlds/core';

/**
 * A random key for this process; without a secret, tags could be matched against guessed revisions.
 * Created on first use, because Cloudflare Workers forbid random values while modules load.
 */
let key: Buffer | undefined;

/**
 * Returns the validator of a world's record, or of one representation of its data (RFC 9110 section
 * 8.8.3). It is a keyed hash of the world's name, creation time and revision. Hashed, because
 * revisions count the commits of the whole namespace and would reveal the activity of other worlds.
 * The revision changes with every change of record or data, and only then. The creation time
 * distinguishes a world from an earlier one of the same name and, in a recreated namespace, the
 * same revision. A restored namespace starts its own timeline, so its tags never match those of the
 * original engine. Weak for data, because the order of triples may vary. Tags do not outlive the
 * process.
 */
export function etagOf(world: World, representation?: string): string {
  const state = stateOf(world);
  return representation === undefined ? `"${state}"` : `W/"${state}.${representation}"`;
}

/**
 * Returns true if an If-None-Match header matches a validator, by weak comparison (RFC 9110 section
 * 13.1.2).
 */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = opaqueTag(etag);
  return ifNoneMatch.split(',').some((candidate) => opaqueTag(candidate.trim()) === opaque);
}

/**
 * Returns true if an If-Match header names the current state of a world, by the validator of its
 * record or of its data in any format. RFC 9110 section 13.1.1 requires strong comparison, under
 * which the weak validators of data would never match; they still identify the state that a writer
 * must not overwrite.
 */
export function matchesState(ifMatch: string, world: World): boolean {
  const state = stateOf(world);
  return ifMatch.split(',').some((candidate) => {
    const tag = /^(?:W\/)?"([^"]*)"$/.exec(candidate.trim())?.[1];
    return tag === state || tag?.startsWith(`${state}.`) === true;
  });
}

function stateOf({ namespace, slug, revision, createdAt }: World): string {
  const state = `${namespace}/${slug} ${createdAt} ${revision}`;
  key ??= randomBytes(32);
  return createHmac('sha256', key).update(state).digest('base64url').slice(0, 22);
}

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
