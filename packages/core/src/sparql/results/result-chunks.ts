import type { Slicer } from '../../storage/slicer.ts';

/**
 * A chunk is at least so many UTF-16 units, but for the last one: about 64 KiB of mostly ASCII
 * text.
 */
export const CHUNK_LENGTH = 1 << 16;

export interface ResultText<Batch> {
  readonly head: string;
  /** The text of each row of a batch, or parts of it where it is long. */
  readonly rows: (batch: Batch) => Iterable<string>;
  readonly tail: string;
}

/**
 * Rows between two looks at the clock: a row of thousands of unbound variables takes time, and may
 * be no text at all.
 */
export const ROWS_BETWEEN_LOOKS = 64;

/**
 * Encodes a result as it comes. Awaits between batches and between chunks, and between rows only
 * when the time slice is used up.
 */
export async function* resultChunks<Batch>(
  batches: AsyncIterable<Batch>,
  { head, rows, tail }: ResultText<Batch>,
  slicer: Slicer,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = head;
  let count = 0;
  for await (const batch of batches) {
    for (const row of rows(batch)) {
      text += row;
      if (text.length >= CHUNK_LENGTH) {
        yield encoder.encode(text);
        text = '';
      } else if (++count % ROWS_BETWEEN_LOOKS !== 0) {
        continue;
      }
      if (slicer.due) await slicer.pause();
    }
  }
  text += tail;
  if (text.length > 0) yield encoder.encode(text);
}
