import type { Slicer } from '../storage/slicer.ts';

/**
 * A chunk is at least so many UTF-16 units, but for the last one: about 64 KiB of mostly ASCII
 * text.
 */
const CHUNK_LENGTH = 1 << 16;

/**
 * Gathers the pieces of text that a writer makes into chunks of UTF-8 of about 64 KiB, and pauses
 * between them by the slicer.
 */
export async function* byteChunks(pieces: Iterable<string>, slicer: Slicer): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
    yield encoder.encode(text);
    text = '';
    if (slicer.due) await slicer.pause();
  }
  if (text.length > 0) yield encoder.encode(text);
}
