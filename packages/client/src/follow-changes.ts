import type { World, WorldSource } from '@rdf-worlds/core';
import { dataFactory, fromWireValue, WorldsError } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';
import type { Answer } from './answer.ts';
import type { ClientSettings } from './client-options.ts';
import { serverEvents } from './event-lines.ts';
import { retryDelayMs } from './retry-delay.ts';
import { worldAnswer } from './world-answer.ts';

/** Selects the commits of a change feed. Names a world or a namespace. */
export interface FollowRequest {
  /** The world to follow. Default: all worlds of the namespace that the caller may read. */
  readonly source?: WorldSource | undefined;
  /** Default: the default namespace. */
  readonly namespace?: string | undefined;
  /**
   * Where the feed starts: the `id` of a change or, for callers that may read the whole namespace,
   * a revision. Default: now.
   */
  readonly after?: string | number | undefined;
  /** Maximum number of quads of one change. Default: the `maxRows` of the server. */
  readonly maxQuads?: number | undefined;
  /** Whether to wait for new changes; false ends the feed after the last one. Default: true. */
  readonly follow?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One commit, as reported by a server. */
export interface RemoteChange {
  /** Position of the feed after the commit. Pass it as `after` to resume. */
  readonly id: string;
  /** Revision of the namespace; undefined for callers that may not read all of it. */
  readonly revision: number | undefined;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** Whether the commit created, changed or deleted the world. */
  readonly kind: 'created' | 'changed' | 'deleted';
  /** Record of the world after the commit, or the last record of a deleted world. */
  readonly world: World;
  /** Number of quads that the commit added, and that it removed. */
  readonly insertedCount: number;
  readonly deletedCount: number;
  /** Quads that the commit added. Incomplete if `omitted` is not 0. */
  readonly inserted: readonly RDF.Quad[];
  /** Quads that the commit removed. Does not list the quads of a deleted world. */
  readonly deleted: readonly RDF.Quad[];
  /** Number of quads that the server did not send, because of `maxQuads` or a limit. */
  readonly omitted: number;
}

interface WireQuad {
  readonly subject: object;
  readonly predicate: object;
  readonly object: object;
  readonly graph: { readonly type: string };
}

interface WireRows {
  readonly inserted: readonly WireQuad[];
  readonly deleted: readonly WireQuad[];
  readonly more: boolean;
}

type WireChange = WireRows &
  Pick<RemoteChange, 'revision' | 'timeMs' | 'kind' | 'insertedCount' | 'deletedCount' | 'omitted'> & {
    readonly world: Parameters<typeof worldAnswer>[0];
  };

interface WireEnd {
  readonly code?: string;
  readonly message?: string;
  readonly revision?: number;
  readonly oldestRevision?: number;
}

/** What a feed ends with although it can be continued. */
const RESUMED = ['UNAVAILABLE', 'TIMEOUT', 'OVERLOADED'];

export interface FollowOptions {
  /** Opens the feed after a position. Repeats what failed without effect. */
  readonly open: (after: string | undefined) => Promise<Answer>;
  readonly after: string | undefined;
  readonly retry: ClientSettings['retry'];
  /** Waits; returns early if the feed is no longer wanted. */
  readonly pause: (delayMs: number) => Promise<void>;
}

/**
 * Yields the changes of a feed. When the connection breaks or the server stops, the feed is
 * continued after the last change; after `retries` attempts without an event the error is thrown.
 */
export async function* followChanges({ open, after, retry, pause }: FollowOptions): AsyncGenerator<RemoteChange> {
  let position = after;
  let attempt = 0;
  // A new token may be accepted where the one of the feed has expired.
  let hasAuthenticatedAgain = false;
  for (;;) {
    try {
      const answer = await open(position);
      await answer.requireType('text/event-stream');
      const events = serverEvents(answer.chunks(), (id) => {
        if (id !== '') position = id;
      });
      let change: { id: string; head: WireChange; inserted: RDF.Quad[]; deleted: RDF.Quad[] } | undefined;
      for await (const { type, data, id } of events) {
        attempt = 0;
        if (type === 'end') {
          const { code, message = '', revision, oldestRevision } = JSON.parse(data) as WireEnd;
          if (code === undefined) return;
          throw new WorldsError(code as WorldsError['code'], message, { revision, oldestRevision });
        }
        hasAuthenticatedAgain = false;
        if (type !== 'change' && type !== 'quads') continue;
        const rows = JSON.parse(data) as WireRows;
        if (type === 'change') change = { id, head: rows as WireChange, inserted: [], deleted: [] };
        if (!change) continue;
        for (const row of rows.inserted) change.inserted.push(quadOf(row));
        for (const row of rows.deleted) change.deleted.push(quadOf(row));
        if (rows.more) continue;
        yield changeOf(change.head, id, change.inserted, change.deleted);
        change = undefined;
      }
      // The server closed the connection without saying why.
      throw new WorldsError('UNAVAILABLE', 'The change feed ended without a reason.');
    } catch (error) {
      if (!(error instanceof WorldsError)) throw error;
      if (error.code === 'UNAUTHENTICATED' && position !== undefined && !hasAuthenticatedAgain) {
        hasAuthenticatedAgain = true;
        continue;
      }
      const delayMs = RESUMED.includes(error.code) ? retryDelayMs(retry, attempt++, null) : undefined;
      if (delayMs === undefined) throw error;
      await pause(delayMs);
    }
  }
}

function changeOf(
  { revision, timeMs, kind, world, insertedCount, deletedCount, omitted }: WireChange,
  id: string,
  inserted: readonly RDF.Quad[],
  deleted: readonly RDF.Quad[],
): RemoteChange {
  return {
    ...{ id, revision, timeMs, kind, world: worldAnswer({ ...world, revision }) },
    ...{ insertedCount, deletedCount, inserted, deleted, omitted },
  };
}

function quadOf({ subject, predicate, object, graph }: WireQuad): RDF.Quad {
  return dataFactory.quad(
    fromWireValue(subject, 'subject') as RDF.Quad_Subject,
    fromWireValue(predicate, 'predicate') as RDF.Quad_Predicate,
    fromWireValue(object, 'object') as RDF.Quad_Object,
    graph.type === 'default' ? dataFactory.defaultGraph() : (fromWireValue(graph, 'graph') as RDF.Quad_Graph),
  );
}
