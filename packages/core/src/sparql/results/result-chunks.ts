import type { Slicer } from '../../contracts/slicer.ts';

/**
 * Minimum length of every chunk but the last, in UTF-16 code units: about 64 KiB of mostly ASCII
 * text.
 */
export const CHUNK_LENGTH = 1 << 16;

export interface ResultText<Batch> {
  readonly head: string;
  /** Yields the text of each row of a batch, in parts if it is long. */
  readonly rows: (batch: Batch) => Iterable<string>;
  readonly tail: string;
}

/**
 * Rows between two checks of the clock. Rows without text count too, because a row of thousands of
 * unbound variables takes time.
 */
export const ROWS_BETWEEN_LOOKS = 64;

/**
 * Encodes a result as a stream. Awaits between batches and between chunks; between rows only when
 * the time slice is used up.
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
