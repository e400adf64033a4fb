import { jsonPieces, Slicer } from '@rdf-worlds/core/internal';

/** UTF-16 units of a chunk, or a little more. */
const CHUNK_UNITS = 1 << 16;

/** Writes a JSON value whose arrays have long items, with pauses. Throws ABORTED. */
export async function* jsonChunks(value: object, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
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
