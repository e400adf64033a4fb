import { createHmac, randomBytes } from 'node:crypto';
import type { World } from '@rdf-worlds/core';

/**
 * New in each process. Without a secret, the tag could be matched against guessed revisions. Made
 * for the first tag, because Cloudflare Workers refuse random values while modules load.
 */
let key: Buffer | undefined;

/**
 * The validator of a world's record, or of one representation of its data (RFC 9110 section 8.8.3).
 * It is a keyed hash of the world's name, time of creation and revision, because revisions count
 * the commits of the whole namespace: shown as they are, they would tell how busy other worlds are.
 * The revision moves with every change of record or data, and with nothing else; the time of
 * creation tells a world from another one that had its name and, in a namespace that was made anew,
 * its revision. A restored namespace starts a timeline of its own, so that its tags never match
 * those of the engine that was backed up. Weak for data: the same triples may come in another
 * order. Tags do not outlive the process.
 */
export function etagOf(world: World, representation?: string): string {
  const state = stateOf(world);
  return representation === undefined ? `"${state}"` : `W/"${state}.${representation}"`;
}

/**
 * Whether an If-None-Match header names a validator, by weak comparison (RFC 9110 section 13.1.2).
 */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = opaqueTag(etag);
  return ifNoneMatch.split(',').some((candidate) => opaqueTag(candidate.trim()) === opaque);
}

/**
 * Whether an If-Match header names the state of a world: by any of its validators, of its record or
 * of its data in any format. RFC 9110 section 13.1.1 wants the strong comparison, under which the
 * weak validators of data would never match; what they name is the state all the same, and that is
 * what a writer must not lose.
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
