import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tagOf } from '../model/any-realm.ts';

/**
 * Writes chunks to a stream of Node.js or the Web Streams API, and ends it. Rejects with errors of
 * either side.
 */
export async function writeChunks(
  chunks: AsyncIterable<Uint8Array>,
  stream: NodeJS.WritableStream | WritableStream<Uint8Array>,
): Promise<void> {
  const readable = Readable.from(chunks);
  if (tagOf(stream) === 'WritableStream') {
    await (Readable.toWeb(readable) as ReadableStream<Uint8Array>).pipeTo(stream as WritableStream<Uint8Array>);
  } else await pipeline(readable, stream as NodeJS.WritableStream);
}
