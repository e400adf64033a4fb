import { type RemoteChange, WorldsError } from '@rdf-worlds/client';
import type { Quad, Term } from '@rdfjs/types';
import { client } from '../../session/service.ts';

/** What one commit did to an entity. */
export interface EntityChange {
  /** Position of the change feed after the commit. */
  readonly id: string;
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly kind: RemoteChange['kind'];
  /** Quads with the entity as subject or object. */
  readonly inserted: readonly Quad[];
  readonly deleted: readonly Quad[];
  /** Number of quads of the commit, and of those that were not read and may name the entity too. */
  readonly quads: number;
  readonly unread: number;
}

/** The changes of an entity in consecutive revisions of its namespace. */
export interface HistoryPart {
  /** Newest first. Contains the commits that were not read to their end. */
  readonly changes: readonly EntityChange[];
  /** The commits after this revision were read. */
  readonly after: number;
  /** True if there is no earlier commit to read. */
  readonly isOldest: boolean;
  /** True if there were earlier commits that the server no longer keeps. */
  readonly isTruncated: boolean;
}

/** Commits of the namespace that are read in one step. */
export const MAX_COMMITS = 2_000;
/** Quads that are read of one commit, and of all commits in one step. */
export const MAX_COMMIT_QUADS = 10_000;
const MAX_QUADS = 50_000;

/**
 * Reads the changes of an entity in a world up to the revision `before`, by default the newest
 * ones. Returns undefined for callers that are not told revisions: only they know where to start.
 *
 * A feed begins with its oldest change. So the sizes of the commits are read first, without quads;
 * then the quads of the newest commits that fit into the limits.
 */
export async function historyPart(
  name: string,
  world: string,
  before: number | undefined,
  signal: AbortSignal,
): Promise<HistoryPart | undefined> {
  const last = before ?? (await client.getWorld({ source: world }))?.revision ?? Number.NaN;
  if (Number.isNaN(last)) return undefined;
  let start = Math.max(0, last - MAX_COMMITS);
  let isTruncated = false;
  const read = (after: number, maxQuads: number) => changesBetween(world, { after, before, maxQuads, signal });
  const sizes = async () => {
    const found: { readonly revision: number; readonly quads: number }[] = [];
    for await (const change of read(start, 0)) found.push({ revision: change.revision!, quads: quadsOf(change) });
    return found;
  };
  const commits = await sizes().catch((error: unknown) => {
    if (!isTruncation(error)) throw error;
    isTruncated = true;
    // A server that does not say it is older than this console.
    start = error.oldestRevision ?? error.revision ?? last;
    return sizes();
  });
  const after = newestThatFit(commits) ?? start;
  const changes: EntityChange[] = [];
  for await (const change of read(after, MAX_COMMIT_QUADS)) {
    const { id, revision, timeMs, kind, omitted } = change;
    const [inserted, deleted] = [change.inserted, change.deleted].map((quads) =>
      quads.filter(({ subject, object }) => isNamed(subject, name) || isNamed(object, name)),
    ) as [Quad[], Quad[]];
    // The quads of a deleted world are not listed, so that nothing tells whether it had the entity.
    if (inserted.length + deleted.length + omitted === 0 && kind !== 'deleted') continue;
    changes.push({ id, revision: revision!, timeMs, kind, inserted, deleted, quads: quadsOf(change), unread: omitted });
  }
  const isFirst = after === start;
  return {
    changes: changes.reverse(),
    after,
    isOldest: isFirst && (start === 0 || isTruncated),
    isTruncated: isFirst && isTruncated,
  };
}

interface Range {
  readonly after: number;
  readonly before: number | undefined;
  readonly maxQuads: number;
  readonly signal: AbortSignal;
}

async function* changesBetween(source: string, { before, ...range }: Range): AsyncGenerator<RemoteChange> {
  for await (const change of client.changes({ source, ...range, follow: false })) {
    if (before !== undefined && change.revision! > before) return;
    yield change;
  }
}

/** Returns the revision before the newest commits that fit into the limit; undefined if all do. */
function newestThatFit(commits: readonly { readonly revision: number; readonly quads: number }[]): number | undefined {
  let left = MAX_QUADS;
  for (let i = commits.length - 1; i >= 0; i--) {
    left -= Math.min(commits[i]!.quads, MAX_COMMIT_QUADS);
    if (left < 0) return commits[i]!.revision;
  }
  return undefined;
}

function isTruncation(error: unknown): error is WorldsError {
  return error instanceof WorldsError && error.code === 'TRUNCATED';
}

const quadsOf = ({ insertedCount, deletedCount }: RemoteChange) => insertedCount + deletedCount;

/** `name` is an IRI, or `_:` and the label of a blank node. */
function isNamed(term: Term, name: string): boolean {
  return name.startsWith('_:')
    ? term.termType === 'BlankNode' && term.value === name.slice(2)
    : term.termType === 'NamedNode' && term.value === name;
}
