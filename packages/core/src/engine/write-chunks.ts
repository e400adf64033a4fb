import { pipeToNode, pipeToWeb } from '#platform';
import { tagOf } from '../model/any-realm.ts';
import { kindOf } from '../model/passed-value.ts';
import { WorldsError } from '../model/worlds-error.ts';

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

/**
 * Throws INVALID_ARGUMENT for a value that is not a stream; the pipeline would wait for it forever.
 */
export function requireWritableStream(stream: unknown): void {
  if (tagOf(stream) === 'WritableStream') return;
  if (typeof stream === 'object' && stream !== null && 'write' in stream && typeof stream.write === 'function') return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `backup: stream: expected a writable stream, not ${kindOf(stream)}; write engine.backup(createWriteStream(path)).`,
  );
}
