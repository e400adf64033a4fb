import type { TripleSearchResult, World } from '@rdf-worlds/core';
import type { Call } from './call.ts';
import { contentType } from './media-type.ts';

/** An answer before it is a Response, or is written to a socket. */
export interface Reply {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Record<string, string>;
  /**
   * Whole, or in chunks that are made when they are asked for. A failure of the chunks must break
   * the connection.
   */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /**
   * Fires when the chunks have failed, or will with the next step: then the client is not waited
   * for.
   */
  readonly signal?: AbortSignal;
}

/** Whether a body comes in chunks. */
export function isStreamed(body: Reply['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !ArrayBuffer.isView(body);
}

export function jsonReply(value: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  // As text it goes to the socket in one piece with the headers.
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

/** An answer without a body, such as 204 and 304. */
export function emptyReply(status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: undefined };
}

/**
 * A world as the interface has it: exactly its fields. The revision is the engine's own, and shows
 * only in the ETag.
 */
export function worldBody({ slug, namespace, label, description, createdAt, updatedAt, deletedAt }: World): object {
  // JSON leaves out what is undefined.
  return { slug, namespace, label, description, createdAt, updatedAt, deletedAt };
}

export function searchBody(hits: readonly TripleSearchResult[]): object[] {
  return hits.map(({ subject, predicate, object, vecRank, ftsRank, score, world, explanation }) => {
    return { subject, predicate, object, vecRank, ftsRank, score, world: worldBody(world), explanation };
  });
}

/**
 * An answer whose body comes in chunks. The first is made before the answer begins, so that what
 * fails early still gets a status, and a body that ends with it needs no stream. What fails later
 * breaks the connection: a body that ends as if it were whole would be a lie.
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
 * An iteration again from its start, of which two steps are taken. No generator: one that was never
 * begun would not pass a `return` on.
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

/** Whether an iteration has ended, if that is known by now. A failure is left to who reads on. */
async function endsAtOnce(next: Promise<IteratorResult<unknown>>): Promise<boolean> {
  const ended = next.then(
    ({ done }) => done === true,
    () => false,
  );
  const later = new Promise<false>((resolve) => setImmediate(resolve, false));
  return Promise.race([ended, later]);
}
