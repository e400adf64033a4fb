import { DEFAULT_REQUEST_LIMITS, limitExceeded } from '../model/request-limits.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { LineParser } from './line-parser.ts';
import type { ReadOptions } from './rdf-format.ts';

/** Bytes parsed between two checks of the clock: about a millisecond of work. */
const PIECE_BYTES = 1 << 16;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Feeds a parser the lines of a document, whole lines only. Holds at most one incomplete line;
 * throws LIMIT_EXCEEDED if that is longer than `maxTokenLength`.
 */
export async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  parser: LineParser,
  { slicer, signal, limits = DEFAULT_REQUEST_LIMITS }: ReadOptions,
): Promise<void> {
  /** The start of an incomplete line: `rest[0 .. restLength)`. */
  let rest: Uint8Array = new Uint8Array(0);
  let restLength = 0;
  const keep = (bytes: Uint8Array) => {
    if (restLength + bytes.length > rest.length) {
      const grown = new Uint8Array(Math.max(rest.length * 2, restLength + bytes.length));
      grown.set(rest.subarray(0, restLength));
      rest = grown;
    }
    rest.set(bytes, restLength);
    restLength += bytes.length;
  };
  for await (const chunk of chunks) {
    throwIfAborted(signal);
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      // Converts to a plain Uint8Array: with a single array class, the loops below stay
      // monomorphic.
      const piece = new Uint8Array(chunk.buffer, chunk.byteOffset + start, Math.min(PIECE_BYTES, chunk.length - start));
      const lines = endOfLastLine(piece);
      if (lines === 0) {
        keep(piece);
      } else {
        let from = 0;
        if (restLength > 0) {
          from = endOfFirstLine(piece);
          keep(piece.subarray(0, from));
          parser.parse(rest, 0, restLength);
          restLength = 0;
        }
        parser.parse(piece, from, lines);
        keep(piece.subarray(lines));
      }
      if (restLength > limits.maxTokenLength) throw limitExceeded('maxTokenLength', limits, parser.lineLocation());
      if (slicer.due) await slicer.pause();
    }
  }
  if (restLength > 0) {
    // The last line may lack a line end, which the parser requires.
    keep(Uint8Array.of(LF));
    parser.parse(rest, 0, restLength);
  }
}

function endOfLastLine(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] !== LF && bytes[end - 1] !== CR) end--;
  return end;
}

function endOfFirstLine(bytes: Uint8Array): number {
  let end = 0;
  while (bytes[end] !== LF && bytes[end] !== CR) end++;
  return end + 1;
}
