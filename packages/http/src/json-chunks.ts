import { jsonPieces, Slicer } from '@rdf-worlds/core/internal';
import type { Call } from './call.ts';
import { type Reply, streamedReply } from './reply.ts';

/** UTF-16 units of a chunk, or a little more. */
const CHUNK_UNITS = 1 << 16;

/**
 * Returns a reply of JSON that may be long: serializing and sending it at once would take too long.
 */
export function longJsonReply(call: Call, body: object, headers: Record<string, string> = {}): Promise<Reply> {
  return streamedReply(call, 'application/json', jsonChunks(body, call.signal), headers);
}

/** Writes a JSON value whose arrays have long items, with pauses. Throws ABORTED. */
async function* jsonChunks(value: object, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const slicer = new Slicer(signal);
  let text = '';
  for (const piece of jsonPieces(value, 'reply')) {
    text += piece;
    if (text.length < CHUNK_UNITS) continue;
    yield Buffer.from(text);
    text = '';
    if (slicer.due) await slicer.pause();
  }
  yield Buffer.from(text);
}
