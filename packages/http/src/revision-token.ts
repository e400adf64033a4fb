import { WorldsError } from '@rdf-worlds/core';
import { NAME_PATTERN } from '@rdf-worlds/core/internal';
import type { Call } from './call.ts';

const HEADER = 'rdf-worlds-revision-token';
/** Namespaces that one request may name. */
const MAX_NAMESPACES = 64;

/** The least that a request must see of a namespace: a revision, or all that was acknowledged. */
export type LeastRevision = number | 'latest';

/**
 * Returns the token of a write, for servers that share a storage: a request that sends it back sees
 * the write wherever it goes. `latest` stands for the revision where that must not be told, or is
 * unknown, as after the deletion of a namespace.
 */
export function tokenHeader(
  { engine, access }: Pick<Call, 'engine' | 'access'>,
  namespace: string,
  revision: number,
): Record<string, string> {
  if (!engine.isShared) return {};
  const isTold = revision > 0 && access.mayAll('read', namespace);
  return { [HEADER]: `${namespace}=${isTold ? revision : 'latest'}` };
}

/** Like {@link tokenHeader}, for a write that has no revision. */
export async function tokenOfNow(call: Call, namespace: string): Promise<Record<string, string>> {
  if (!call.engine.isShared) return {};
  return tokenHeader(call, namespace, await call.engine.catchUp({ namespace, revision: 0 }));
}

/** Returns what the tokens of a request require, by namespace. Throws `INVALID_ARGUMENT`. */
export function requiredTokens({ incoming }: Pick<Call, 'incoming'>): ReadonlyMap<string, LeastRevision> {
  const required = new Map<string, LeastRevision>();
  const header = incoming.header(HEADER);
  if (header === null) return required;
  for (const token of header.split(',')) {
    const [, namespace, text] = /^\s*([^=\s]+)=(\d{1,16}|latest)\s*$/.exec(token) ?? [];
    const revision = text === 'latest' ? text : Number(text);
    if (namespace === undefined || !NAME_PATTERN.test(namespace) || !(revision === 'latest' || isRevision(revision)))
      throw malformed('expected what an answer to a write had in this header, such as acme=12');
    const known = required.get(namespace);
    required.set(namespace, known === 'latest' || revision === 'latest' ? 'latest' : Math.max(known ?? 0, revision));
    if (required.size > MAX_NAMESPACES) throw malformed(`expected at most ${MAX_NAMESPACES} namespaces`);
  }
  return required;
}

function isRevision(value: number): boolean {
  return Number.isSafeInteger(value);
}

function malformed(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', `RDF-Worlds-Revision-Token: ${message}.`);
}
