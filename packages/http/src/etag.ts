import { createHmac } from 'node:crypto';
import type { World } from '@rdf-worlds/core';
import { incarnationOf } from '@rdf-worlds/core/internal';
import type { Call } from './call.ts';

/** Validators of one state of a world (RFC 9110 section 8.8.3). */
export interface StateTags {
  /** The strong validator of the world's record. */
  readonly record: string;
  /**
   * The validator of one representation of the world's data. Weak: the order of triples may vary.
   */
  readonly ofData: (representation: string) => string;
  /**
   * Returns true if an If-Match header names this state, by the validator of the record or of the
   * data in any representation. RFC 9110 section 13.1.1 requires strong comparison, under which the
   * weak validators of data would never match; they still identify the state that a writer must not
   * overwrite.
   */
  readonly match: (ifMatch: string) => boolean;
}

/**
 * Returns the validators of a world as it was read. They contain a keyed hash of the world's name,
 * creation time and revision. Hashed, because revisions count the commits of the whole namespace
 * and would reveal the activity of other worlds; keyed, because guessed revisions could be hashed
 * too. The key is the namespace's incarnation, so that all servers on one storage make the same
 * tags, also after a restart, while a restored namespace never makes those of the original. The
 * revision changes with every change of record or data, and only then. The creation time
 * distinguishes a world from an earlier one of the same name.
 */
export async function stateTags(
  { engine }: Pick<Call, 'engine'>,
  { namespace, slug, revision, createdAt }: World,
): Promise<StateTags> {
  const key = await incarnationOf(engine, namespace);
  const state = hashOf(key, `${namespace}/${slug} ${createdAt} ${revision}`);
  return {
    record: `"${state}"`,
    ofData: (representation) => `W/"${state}.${representation}"`,
    match: (ifMatch) =>
      ifMatch.split(',').some((candidate) => {
        const tag = /^(?:W\/)?"([^"]*)"$/.exec(candidate.trim())?.[1];
        return tag === state || tag?.startsWith(`${state}.`) === true;
      }),
  };
}

/** The last hashes, by key and text: making one is a tenth of the CPU time of a short request. */
const hashes = new Map<string, string>();
const MAX_HASHES = 1024;

function hashOf(key: string, text: string): string {
  const name = `${key} ${text}`;
  let hash = hashes.get(name);
  if (hash === undefined) {
    hash = createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
    if (hashes.size === MAX_HASHES) hashes.clear();
    hashes.set(name, hash);
  }
  return hash;
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

function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
