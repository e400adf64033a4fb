import { type WorldChange, WorldsError } from '@rdf-worlds/core';
import { assignCaller, incarnationOf, RequestBudget } from '@rdf-worlds/core/internal';
import type { Access } from '../access.ts';
import type { Call } from '../call.ts';
import { changeEvents, eventText, heartbeatText } from '../change-event.ts';
import { FeedBody } from '../feed-body.ts';
import { isSealed, openedRevision, sealedRevision } from '../feed-position.ts';
import { emptyReply, type Reply } from '../reply.ts';
import { unknownWorld } from '../unknown-world.ts';
import { quoted, shown } from '../world-name.ts';
import { consistencyOf } from './consistency.ts';
import { upToDate } from './up-to-date.ts';

/** How long a browser waits before it reconnects, in milliseconds. */
const RECONNECT_MS = 2_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies that compress or collect an answer would hold events back.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/**
 * Streams the changes of a namespace, or of one world, as server-sent events. Callers get the
 * changes of the worlds that they may read. The permission is checked again with every heartbeat.
 */
export async function changes(call: Call): Promise<Reply> {
  const { engine, access, incoming, limits, namespace, world } = call;
  const { query } = incoming;
  const position = incoming.header('last-event-id') || single(query, 'after');
  const maxQuads = Math.min(limits.maxRows, wholeNumber(single(query, 'quads'), 'quads') ?? limits.maxRows);
  const follows = truth(single(query, 'follow'), 'follow') ?? true;
  await upToDate(call, [namespace], consistencyOf(query.getAll('consistency')));
  const record = await engine.getNamespace({ namespace });
  if (!record) throw new WorldsError('NOT_FOUND', `There is no namespace ${namespace} with worlds.`);
  if (world && position === undefined && !(await engine.getWorld({ source: world }))) throw unknownWorld(world);
  const secret = `${namespace} ${await incarnationOf(engine, namespace)}`;
  const isWhole = access.mayAll('read', namespace);
  const after = position === undefined ? record.revision : revisionOf(position, { isWhole, secret, namespace });
  // Another server may have seen more.
  const head =
    engine.isShared && after > record.revision
      ? await engine.catchUp({ namespace, revision: after, signal: call.signal })
      : record.revision;
  if (incoming.method === 'HEAD') return emptyReply(200, HEADERS);

  const release = call.feeds.slots.take(access.caller.name);
  let now = access;
  let seen = after;
  const idOf = (revision: number) => (isWhole ? String(revision) : sealedRevision(revision, secret));
  const sent = ({ world: changed }: WorldChange) =>
    (world === undefined || changed.slug === world.slug) && now.may('read', changed);

  async function* events(signal: AbortSignal): AsyncGenerator<string> {
    yield `retry: ${RECONNECT_MS}\n${eventText('open', { namespace, world: world?.slug }, idOf(after))}`;
    if (follows || after < head) {
      for await (const change of engine.changes({ namespace, after, signal })) {
        if (sent(change)) {
          call.record.rows = (call.record.rows ?? 0) + 1;
          yield* changeEvents(change, {
            id: idOf(change.revision),
            isWhole,
            maxQuads,
            signal,
            budget: () => new RequestBudget(engine.memoryPool, limits.maxMemoryBytes),
          });
        }
        seen = change.revision;
        if (!follows && seen >= head) break;
      }
    }
    if (follows) throw new WorldsError('UNAVAILABLE', 'The engine was closed; reconnect with the last id.');
    yield eventText('end', { after: idOf(seen) });
  }

  const body = new FeedBody(
    {
      open: events,
      heartbeat: async () => {
        now = await call.feeds.authenticateAgain();
        requireStill(now, call, isWhole);
        return heartbeatText(idOf(seen));
      },
      lastEvent: (error) => lastEvent(error, idOf, isWhole),
      client: incoming.signal,
      stopping: call.feeds.stopping,
      heartbeatMs: limits.feedHeartbeatMs,
      idleMs: limits.feedIdleMs,
      report: call.feeds.report,
      release,
    },
    (signal) => assignCaller(signal, access.caller),
  );
  return { status: 200, headers: { ...HEADERS }, body, signal: body.signal };
}

/** The reason for which the server ended a feed. The id of TRUNCATED is where a reader restarts. */
function lastEvent(error: WorldsError, idOf: (revision: number) => string, isWhole: boolean) {
  const { code, message, revision, oldestRevision } = error;
  if (revision === undefined) return eventText('end', { code, message });
  // The message of the engine has revisions.
  const text = isWhole ? message : 'Some changes are no longer known. Read the worlds, then continue after this event.';
  const data = { code, message: text, ...(isWhole && { revision, oldestRevision }), after: idOf(revision) };
  return eventText('end', data, idOf(revision));
}

/** Throws if the caller may no longer read what the feed was opened for. */
function requireStill(access: Access, { namespace, world }: Call, isWhole: boolean): void {
  if (world) access.require('read', world);
  else access.requireEntry(namespace, 'read');
  if (access.mayAll('read', namespace) === isWhole) return;
  throw new WorldsError('PERMISSION_DENIED', 'Your permissions have changed; open the feed again.');
}

/**
 * Returns the revision of a position. Throws `INVALID_ARGUMENT` for any other text, and
 * `PERMISSION_DENIED` for a revision of a caller who may not know it.
 */
function revisionOf(
  position: string,
  { isWhole, secret, namespace }: { readonly isWhole: boolean; readonly secret: string; readonly namespace: string },
): number {
  if (/^\d{1,15}$/.test(position)) {
    if (isWhole) return Number(position);
    throw new WorldsError(
      'PERMISSION_DENIED',
      `after: revisions count the commits of the whole namespace ${shown(namespace)}, which you may not read; pass the id of an event.`,
    );
  }
  if (!isSealed(position))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `after, or Last-Event-ID: expected the id of an event, or a revision such as 12, found ${quoted(position)}.`,
    );
  // A position that cannot be opened belongs to a deleted namespace: no revision of this one.
  return openedRevision(position, secret) ?? Number.MAX_SAFE_INTEGER;
}

function single(query: URLSearchParams, field: string): string | undefined {
  const [value, ...more] = query.getAll(field);
  if (more.length > 0) throw new WorldsError('INVALID_ARGUMENT', `${field}: it is given more than once.`);
  return value;
}

function wholeNumber(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new WorldsError('INVALID_ARGUMENT', `${field}: expected a whole number, 0 or more, found ${quoted(text)}.`);
}

function truth(text: string | undefined, field: string): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new WorldsError('INVALID_ARGUMENT', `${field}: expected true or false, found ${quoted(text)}.`);
}
