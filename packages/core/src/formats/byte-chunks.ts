import type { Slicer } from '../contracts/slicer.ts';

/**
 * Minimum length of a chunk, except the last, in UTF-16 units: about 64 KiB of mostly ASCII text.
 */
const CHUNK_LENGTH = 1 << 16;

/**
 * Collects a writer's pieces of text into chunks of UTF-8 of about 64 KiB; the slicer may pause
 * between them, and at each empty piece, of which a writer yields one wherever it works without
 * writing.
 */
export async function* byteChunks(pieces: Iterable<string>, slicer: Slicer): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for (const piece of pieces) {
    if (piece === '' && slicer.due) await slicer.pause();
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
    yield encoder.encode(text);
    text = '';
    if (slicer.due) await slicer.pause();
  }
  if (text.length > 0) yield encoder.encode(text);
}
