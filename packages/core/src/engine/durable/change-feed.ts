import type * as RDF from '@rdfjs/types';
import { anySignal } from '../../model/any-realm.ts';
import { dataFactory } from '../../model/term.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Dictionary } from '../../quads/dictionary.ts';
import type { Overlay } from '../../quads/overlay.ts';
import { Slicer } from '../../storage/slicer.ts';
import type { Head, NamespaceStorage } from '../../storage/storage.ts';
import type { NamespaceState } from '../namespace-state.ts';
import { readingOverlay } from '../search-feed.ts';
import type { World } from '../world.ts';
import { type ChangeKind, type CommitRecord, decodeCommitRecord, type RunRows } from './commit-record.ts';
import type { Journal } from './journal.ts';

/** One commit, as the change feed gives it. */
export interface WorldChange {
  /** The namespace's revision after it: where a consumer goes on from. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly kind: ChangeKind;
  /** The world's record after the commit; of a world that was deleted, the last one. */
  readonly world: World;
  /** Quads that were not there before. */
  readonly inserted: ChangedQuads;
  /**
   * Quads that were there before. A world that is deleted takes its quads along: they are not in
   * here.
   */
  readonly deleted: ChangedQuads;
}

/** Quads of a commit; terms are made as they are read, as often as they are read. */
export class ChangedQuads implements Iterable<RDF.Quad> {
  readonly length: number;
  private readonly rows: RunRows;
  private readonly terms: Overlay;

  constructor(rows: RunRows, terms: Overlay) {
    this.rows = rows;
    this.terms = terms;
    this.length = rows.subject.length;
  }

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

/** A namespace, and where its commits are read. */
export interface FollowedLog {
  readonly namespace: NamespaceState;
  readonly storage: NamespaceStorage;
  readonly journal: Journal;
}

export interface ChangeFeedOptions {
  /** The revision behind which it begins; the present one when not given. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Ends the feed: aborts when the engine closes. */
  readonly closing: AbortSignal;
  /** Whether no commit can come: the feed ends with the last one. */
  readonly isFinal: boolean;
}

/**
 * The commits of a namespace behind a revision, oldest first, then those that come, until the
 * engine is closed; of a read-only storage until the last one. Throws TRUNCATED, with the revision
 * at which to start again, when the log does not have that revision or the namespace was deleted,
 * ABORTED by the signal.
 */
export function changesOf(
  followed: FollowedLog,
  { after, ...options }: ChangeFeedOptions,
): AsyncGenerator<WorldChange> {
  const { head } = followed.journal.state;
  const position = after === undefined ? head.position : after - revisionAt(followed, 0);
  if (position < 0 || position > head.position) throw truncated(followed.namespace, after!);
  return follow(followed, { ...head, position }, options);
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
        // It may be durable a moment before it is visible.
        await journal.beyond(stored.head.position - 1, either);
        const where = `the namespace ${namespace.name}, commit ${stored.head.position}`;
        yield toChange(namespace, await slicer.run(decodeCommitRecord(stored.data, where)));
        head = stored.head;
        position = head.position;
        if (closing.aborted) return;
      }
    }
  } catch (cause) {
    if (closing.aborted && !signal?.aborted) return;
    // The storage knows positions; followers know revisions.
    if (!isTruncated(cause) || cause.revision !== undefined) throw cause;
    throw truncated(namespace, revisionAt(followed, position), cause);
  } finally {
    release();
  }
}

function toChange(namespace: NamespaceState, record: CommitRecord): WorldChange {
  const { revision, timeMs, kind, inserted, deleted } = record;
  const { dictionary } = namespace.store;
  // A compaction keeps what the log mentions, but the log may have been let go of while the
  // consumer was busy.
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

/** The revision of the commit at a position of the log: a commit moves both by one. */
function revisionAt({ namespace, journal }: FollowedLog, position: number): number {
  return namespace.revision - journal.state.head.position + position;
}

function isTruncated(cause: unknown): cause is WorldsError {
  return cause instanceof WorldsError && cause.code === 'TRUNCATED';
}

function truncated({ name, revision }: NamespaceState, after: number, cause?: unknown): WorldsError {
  return new WorldsError(
    'TRUNCATED',
    `The changes of the namespace ${name} after revision ${after} are not in its log, or of another timeline. Read its worlds, then continue with changes({ after: ${revision} }).`,
    { cause, revision },
  );
}
