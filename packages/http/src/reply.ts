import type { TripleSearchResult, World } from '@rdf-worlds/core';
import type { Call } from './call.ts';
import { contentType } from './media-type.ts';
import { sendsRevisions } from './revisions.ts';

/** A reply before it becomes a Response or is written to a socket. */
export interface Reply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  /**
   * The whole body, or chunks produced on demand. If the chunks fail, the connection must be
   * broken.
   */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /**
   * Fires once the chunks have failed, or are certain to fail at the next step: the sender then
   * stops waiting for the client.
   */
  readonly signal?: AbortSignal;
  /** The scheduling name of the authenticated caller; never sent. */
  caller?: string | undefined;
}

/** Returns true if the body is streamed in chunks. */
export function isStreamed(body: Reply['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !ArrayBuffer.isView(body);
}

export function jsonReply(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  // `node:http` writes a string to the socket together with the headers.
  return wholeReply(JSON.stringify(value), 'application/json', status, headers);
}

export function wholeReply(
  body: string | Uint8Array,
  mediaType: string,
  status: number,
  headers: Record<string, string>,
): Reply {
  return {
    status,
    headers: { 'content-type': contentType(mediaType), 'content-length': String(Buffer.byteLength(body)), ...headers },
    body,
  };
}

/** Returns a reply without a body, such as 204 or 304. */
export function emptyReply(status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: undefined };
}

/**
 * Returns a world as the interface defines it. The revision is sent only on request; see
 * `sendsRevisions`.
 */
export function worldBody(call: Call, world: World): object {
  const { slug, namespace, label, description, createdAt, updatedAt, deletedAt } = world;
  const revision = sendsRevisions(call, namespace) ? world.revision : undefined;
  // JSON.stringify omits undefined fields.
  return { slug, namespace, label, description, createdAt, updatedAt, deletedAt, revision };
}

export function searchBody(call: Call, hits: readonly TripleSearchResult[]): object[] {
  return hits.map(({ subject, predicate, object, vecRank, ftsRank, score, world, explanation }) => {
    return { subject, predicate, object, vecRank, ftsRank, score, world: worldBody(call, world), explanation };
  });
}

/**
 * Streams a body. The first chunk is produced before the reply starts, so that early failures still
 * get a status and a body of one chunk is sent whole. A later failure breaks the connection,
 * because a truncated body must not look complete.
 */
export async function streamedReply(
  call: Call,
  mediaType: string,
  chunks: AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const streamed = { status: 200, headers: { 'content-type': contentType(mediaType), ...headers } };
  if (call.incoming.method === 'HEAD') {
    await iterator.return?.();
    return { ...streamed, body: undefined };
  }
  if (first.done) return wholeReply(new Uint8Array(0), mediaType, 200, headers);
  const second = iterator.next();
  if (await endsAtOnce(second)) return wholeReply(first.value, mediaType, 200, headers);
  return { ...streamed, body: resume(first.value, second, iterator) };
}

/**
 * Restores an iteration of which two steps have already been taken. Not a generator, because
 * `return` on a generator that was never started would not reach the iterator.
 */
function resume(
  first: Uint8Array,
  second: Promise<IteratorResult<Uint8Array>>,
  iterator: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const taken: (Uint8Array | Promise<IteratorResult<Uint8Array>>)[] = [first, second];
  const resumed: AsyncIterator<Uint8Array> = {
    async next() {
      const step = taken.shift();
      return ArrayBuffer.isView(step) ? { done: false, value: step } : (step ?? iterator.next());
    },
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => resumed };
}

/** More than the generators around the results of a query take. */
const TICKS_TO_END = 32;

/**
 * Returns true if an iteration is already known to have ended. A failure is left to the next
 * reader.
 */
async function endsAtOnce(next: Promise<IteratorResult<unknown>>): Promise<boolean> {
  let ended: boolean | undefined;
  next.then(
    ({ done }) => {
      ended = done === true;
    },
    () => {
      ended = false;
    },
  );
  // An iteration ends within a few microtasks if it waits for nothing.
  for (let tick = 0; tick < TICKS_TO_END && ended === undefined; tick++) await undefined;
  if (ended === undefined) await new Promise((resolve) => setImmediate(resolve));
  return ended ?? false;
}
