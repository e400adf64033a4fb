import { WorldsError } from '@rdf-worlds/core/remote';
import { readAll } from './read-all.ts';

/**
 * RFC 1952 section 2.3.1: ID1, ID2, and deflate, the only method. No UTF-8 document starts with
 * these bytes.
 */
const MAGIC = [0x1f, 0x8b, 0x08];

/** Decompresses gzip data, recognized by its first bytes. Passes other bytes through. */
export async function* gunzipped(chunks: AsyncGenerator<Uint8Array>, field: string): AsyncGenerator<Uint8Array> {
  const head: Uint8Array[] = [];
  let length = 0;
  try {
    while (length < MAGIC.length) {
      const next = await chunks.next();
      if (next.done) break;
      head.push(next.value);
      length += next.value.length;
    }
    const start = head.flatMap((chunk) => [...chunk.subarray(0, MAGIC.length)]);
    const all = restored(head, chunks);
    if (!MAGIC.every((byte, i) => start[i] === byte)) yield* all;
    else yield* decompressed(all, field);
  } finally {
    await chunks.return(undefined);
  }
}

async function* restored(head: readonly Uint8Array[], rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* head;
  yield* rest;
}

async function* decompressed(chunks: AsyncGenerator<Uint8Array>, field: string): AsyncGenerator<Uint8Array> {
  let failed: { readonly error: unknown } | undefined;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      } catch (error) {
        failed = { error };
        throw error;
      }
    },
  });
  try {
    yield* readAll(source.pipeThrough(new DecompressionStream('gzip')));
  } catch (cause) {
    if (failed) throw failed.error;
    throw new WorldsError('INVALID_RDF', `${field}: the gzip data is damaged or incomplete.`, { cause });
  }
}
