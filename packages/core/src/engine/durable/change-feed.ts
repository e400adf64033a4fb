import type * as RDF from '@rdfjs/types';
import { Slicer } from '../../contracts/slicer.ts';
import type { Head, NamespaceStorage } from '../../contracts/storage.ts';
import { anySignal } from '../../model/any-realm.ts';
import { dataFactory } from '../../model/term.ts';
import { WorldsError, type WorldsErrorOptions } from '../../model/worlds-error.ts';
import type { Dictionary } from '../../quads/dictionary.ts';
import type { Overlay } from '../../quads/overlay.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { readingOverlay } from '../reading-overlay.ts';
import type { World } from '../world.ts';
import { type ChangeKind, type CommitRecord, decodeCommitRecord, type RunRows } from './commit-record.ts';
import type { Journal } from './journal.ts';

/** One commit, as reported by the change feed. */
export interface WorldChange {
  /** Revision of the namespace after the commit. Pass it as `after` to resume. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** Whether the commit created, changed or deleted the world. */
  readonly kind: ChangeKind;
  /** Record of the world after the commit, or the last record of a deleted world. */
  readonly world: World;
  /** Quads that the commit added. */
  readonly inserted: ChangedQuads;
  /** Quads that the commit removed. Does not list the quads of a deleted world. */
  readonly deleted: ChangedQuads;
}

/** Quads of a commit. Terms are decoded on each iteration. */
export class ChangedQuads implements Iterable<RDF.Quad> {
  /** Number of quads. */
  readonly length: number;
  private readonly rows: RunRows;
  private readonly terms: Overlay;

  constructor(rows: RunRows, terms: Overlay) {
    this.rows = rows;
    this.terms = terms;
    this.length = rows.subject.length;
  }

  /** Returns the quads, for `JSON.stringify`. */
  toJSON(): readonly RDF.Quad[] {
    return [...this];
  }

  /** Yields the quads, by graph. */
  *[Symbol.iterator](): Generator<RDF.Quad> {
    const { graphs, starts, subject, predicate, object } = this.rows;
    for (let entry = 0; entry < graphs.length; entry++) {
      const graph = this.terms.term(graphs[entry]) as RDF.Quad_Graph;
      for (let row = starts[entry]; row < starts[entry + 1]; row++) {
        yield dataFactory.quad(
          this.terms.term(subject[row]) as RDF.Quad_Subject,
          this.terms.term(predicate[row]) as RDF.Quad_Predicate,
          this.terms.term(object[row]) as RDF.Quad_Object,
          graph,
        );
      }
    }
  }
}

/** A namespace and the log with its commits. */
export interface FollowedLog {
  readonly namespace: NamespaceState;
  readonly storage: NamespaceStorage;
  readonly journal: Journal;
}

export interface ChangeFeedOptions {
  /** Revision after which the feed starts. Default: the current revision. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Aborts when the engine closes, which ends the feed. */
  readonly closing: AbortSignal;
  /** Whether no further commits are possible, so that the feed ends with the last one. */
  readonly isFinal: boolean;
}

/**
 * Yields the commits of a namespace after a revision, oldest first, then new ones until the engine
 * closes. On a read-only storage that does not follow its writer it ends with the last commit.
 * Throws TRUNCATED, with the revision to resume from and the oldest one that is kept, if the log
 * does not contain the revision or the namespace was deleted; ABORTED if the signal fires.
 */
export function changesOf(
  followed: FollowedLog,
  { after, ...options }: ChangeFeedOptions,
): AsyncGenerator<WorldChange> {
  const { head } = followed.journal.state;
  const position = after === undefined ? head.position : after - revisionAt(followed, 0);
  if (position < 0 || position > head.position) return refuse(followed, after!);
  return follow(followed, { ...head, position }, options);
}

/** The feed of a revision that this log never had. */
// biome-ignore lint/correctness/useYield: a feed that ends with its error
async function* refuse(followed: FollowedLog, after: number): AsyncGenerator<WorldChange> {
  throw truncated(followed.namespace, after, { oldestRevision: await oldestRevision(followed) });
}

async function* follow(
  followed: FollowedLog,
  start: Head,
  { signal, closing, isFinal }: Omit<ChangeFeedOptions, 'after'>,
): AsyncGenerator<WorldChange> {
  const either = signal ? anySignal([signal, closing]) : closing;
  const { namespace, storage, journal } = followed;
  const slicer = new Slicer(either);
  const release = namespace.hold();
  let { position } = start;
  try {
    for (let head = start; ; ) {
      position = head.position;
      if (isFinal && position >= journal.state.head.position) return;
      await journal.beyond(position, either);
      if (closing.aborted) return;
      if (namespace.dropped) throw truncated(namespace, namespace.revision);
      for await (const stored of storage.read(head, either)) {
        // A commit is durable slightly before it is visible.
        await journal.beyond(stored.head.position - 1, either);
        if (closing.aborted) return;
        // Dropped before it was visible: its terms were never in this dictionary.
        if (namespace.dropped && journal.state.head.position < stored.head.position)
          throw truncated(namespace, namespace.revision);
        const where = `the namespace ${namespace.name}, commit ${stored.head.position}`;
        yield changeOf(namespace, await slicer.run(decodeCommitRecord(stored.data, where)));
        head = stored.head;
        position = head.position;
        if (closing.aborted) return;
      }
    }
  } catch (cause) {
    if (closing.aborted && !signal?.aborted) return;
    // The storage reports positions; consumers need revisions.
    if (!isTruncated(cause) || cause.revision !== undefined) throw cause;
    const after = revisionAt(followed, position);
    throw truncated(namespace, after, { cause, oldestRevision: await oldestRevision(followed) });
  } finally {
    release();
  }
}

/** Returns a commit of a namespace as a change. Throws TRUNCATED if its terms were freed. */
export function changeOf(namespace: NamespaceState, record: CommitRecord): WorldChange {
  const { revision, timeMs, kind, inserted, deleted } = record;
  const { dictionary } = namespace.store;
  // A compaction keeps the terms that the log references, but the log may have been truncated while
  // the consumer was busy.
  if (!hasTerms(inserted, dictionary) || !hasTerms(deleted, dictionary)) throw truncated(namespace, revision - 1);
  const terms = readingOverlay(dictionary);
  return {
    revision,
    timeMs,
    kind,
    world: { ...record.record, namespace: namespace.name, revision },
    inserted: new ChangedQuads(inserted, terms),
    deleted: new ChangedQuads(deleted, terms),
  };
}

function hasTerms({ graphs, subject, predicate, object }: RunRows, { table }: Dictionary): boolean {
  return table.isGapless || [graphs, subject, predicate, object].every((ids) => ids.every((id) => !table.isFree(id)));
}

/** Revision of the commit at a position of the log. Each commit increments both. */
function revisionAt({ namespace, journal }: FollowedLog, position: number): number {
  return namespace.revision - journal.state.head.position + position;
}

/** Number of attempts to read the size of a log and its head while nobody writes to it. */
const ATTEMPTS = 3;

/**
 * Returns the revision before the first commit that is in the log; undefined for a namespace that
 * was deleted. If others keep writing meanwhile, it is a little later.
 */
async function oldestRevision(followed: FollowedLog): Promise<number | undefined> {
  const { namespace, storage } = followed;
  if (namespace.dropped) return undefined;
  let head = await storage.head();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { logRecords } = await storage.stats();
    const before = head;
    head = await storage.head();
    if (head.position === before.position || attempt === ATTEMPTS - 1)
      return revisionAt(followed, head.position - logRecords);
  }
  return undefined;
}

function isTruncated(cause: unknown): cause is WorldsError {
  return cause instanceof WorldsError && cause.code === 'TRUNCATED';
}

/** The error of a feed whose next commit is no longer known. */
export function truncated(
  { name, revision }: NamespaceState,
  after: number,
  { cause, oldestRevision }: Pick<WorldsErrorOptions, 'cause' | 'oldestRevision'> = {},
): WorldsError {
  const oldest =
    oldestRevision === undefined
      ? ''
      : ` The oldest that are known are those of changes({ after: ${oldestRevision} }).`;
  return new WorldsError(
    'TRUNCATED',
    `The changes of the namespace ${name} after revision ${after} are no longer in its log, or belong to another timeline. Read its worlds, then continue with changes({ after: ${revision} }).${oldest}`,
    { cause, revision, oldestRevision },
  );
}
