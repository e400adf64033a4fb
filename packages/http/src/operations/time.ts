import { type Moment, rdfPatchOf, type WorldDiff } from '@rdf-worlds/core';
import { RequestBudget, Slicer, sortedQuads } from '@rdf-worlds/core/internal';
import { acceptOf } from '../accept.ts';
import type { Call } from '../call.ts';
import { stateTags } from '../etag.ts';
import { resolveSource } from '../named-world.ts';
import { jsonReply, type Reply, streamedReply, worldBody } from '../reply.ts';
import { tokenHeader } from '../revision-token.ts';
import { DiffPostBody, ForkPostBody, parseBody } from '../schemas.ts';
import type { WorldName } from '../world-name.ts';
import { momentOf, readingPast } from './moment.ts';
import { jsonBody, optionalJsonBody, targetOf } from './target.ts';
import { upToDate } from './up-to-date.ts';

const RDF_PATCH = 'application/rdf-patch';

/**
 * Creates a world as a copy of another one. Requires `read` on that, and `write` on the new one.
 */
export async function forkWorld(call: Call): Promise<Reply> {
  const { source: given, at, ...fields } = parseBody(ForkPostBody, await jsonBody(call));
  const source = targetOf(call, given, 'read');
  call.record.isWrite = true;
  call.access.require('write', { namespace: source.namespace, slug: fields.slug });
  await upToDate(call, [source.namespace], undefined);
  const moment = momentOf(call, at, source.namespace);
  const world = await readingPast(call, [source], () =>
    call.engine.fork({ source, ...fields, at: moment, signal: call.signal }),
  );
  return jsonReply(worldBody(call, world), 201, {
    etag: (await stateTags(call, world)).record,
    ...tokenHeader(call, world.namespace, world.revision),
  });
}

/** Streams the difference of two states as RDF Patch. Requires `read` on both worlds. */
export async function diffWorlds(call: Call): Promise<Reply> {
  const { source: given, from, to, maxMemoryBytes } = parseBody(DiffPostBody, await optionalJsonBody(call));
  const mediaType = acceptOf(call.incoming.header('accept')).choose([RDF_PATCH]);
  const source = targetOf(call, given, 'read');
  const other = typeof to === 'object' ? resolveSource(to.source, 'to.source', call) : undefined;
  if (other) call.access.require('read', other);
  const worlds: readonly WorldName[] = other ? [source, other] : [source];
  await upToDate(
    call,
    worlds.map(({ namespace }) => namespace),
    undefined,
  );
  const maxBytes = Math.min(call.limits.maxMemoryBytes, maxMemoryBytes ?? Number.POSITIVE_INFINITY);
  const diff = await readingPast(call, worlds, () =>
    call.engine.diff({
      source,
      from: momentOf(call, from, source.namespace, 'from'),
      to: other
        ? { source: other, at: otherMoment(call, to, other) }
        : momentOf(call, simple(to), source.namespace, 'to'),
      maxMemoryBytes: maxBytes,
      signal: call.signal,
    }),
  );
  call.record.rows = diff.inserted.length + diff.deleted.length;
  const pieces = call.access.hides(worlds) ? hidden(call, diff, maxBytes) : rdfPatchOf(diff);
  return streamedReply(call, mediaType, encoded(pieces, call.signal));
}

type Body = ReturnType<typeof DiffPostBody.parse>['to'];

function simple(to: Body): string | number | undefined {
  return typeof to === 'object' ? undefined : to;
}

function otherMoment(call: Call, to: Body, { namespace }: WorldName): Moment | undefined {
  return typeof to === 'object' ? momentOf(call, to.at, namespace, 'to.at') : undefined;
}

/**
 * Writes a difference without revisions and without the order of ids, which would reveal what else
 * the namespace has (docs/decisions/0012). To be sorted, its quads are held in memory.
 */
async function* hidden(call: Call, diff: WorldDiff, maxBytes: number): AsyncGenerator<string> {
  const { signal } = call;
  const memory = new RequestBudget(call.engine.memoryPool, maxBytes);
  try {
    const inserted = await sortedQuads(diff.inserted, { memory, signal });
    const deleted = await sortedQuads(diff.deleted, { memory, signal });
    yield* rdfPatchOf({ ...diff, inserted, deleted }, { revisions: false });
  } finally {
    memory.release();
  }
}

/**
 * Encodes the pieces in time slices, because a client that reads fast never makes the writer wait.
 */
async function* encoded(
  pieces: Iterable<string> | AsyncIterable<string>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const slicer = new Slicer(signal);
  for await (const piece of pieces) {
    yield Buffer.from(piece);
    if (slicer.due) await slicer.pause();
  }
}
