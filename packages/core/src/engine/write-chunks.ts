import { pipeToNode, pipeToWeb } from '#platform';
import { tagOf } from '../model/any-realm.ts';

/**
 * Writes chunks to a stream of Node.js or the Web Streams API, and ends it. Rejects with errors of
 * either side.
 */
export async function writeChunks(
  chunks: AsyncIterable<Uint8Array>,
  stream: NodeJS.WritableStream | WritableStream<Uint8Array>,
): Promise<void> {
  if (tagOf(stream) === 'WritableStream') await pipeToWeb(chunks, stream as WritableStream<Uint8Array>);
  else await pipeToNode(chunks, stream as NodeJS.WritableStream);
}
