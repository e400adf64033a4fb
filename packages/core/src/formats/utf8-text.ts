import { Buffer, isUtf8 } from '#platform';
import type { Slicer } from '../contracts/slicer.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';

/** Maximum bytes per piece of text, so that even a document of one chunk is parsed in slices. */
const PIECE_BYTES = 1 << 14;
const LF = 0x0a;

/**
 * Decodes a document strictly: bytes that are not UTF-8 are INVALID_RDF at their line and (byte)
 * column. A byte order mark is passed on as U+FEFF. Between pieces, pauses if the slicer requires
 * it and checks the signal. A piece never splits a character.
 */
export async function* utf8Text(
  chunks: AsyncIterable<Uint8Array>,
  { slicer, signal }: { readonly slicer: Slicer; readonly signal?: AbortSignal },
): AsyncGenerator<string> {
  const position = { line: 1, column: 1 };
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    throwIfAborted(signal);
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const next = Buffer.from(chunk.buffer, chunk.byteOffset + start, Math.min(PIECE_BYTES, chunk.length - start));
      const bytes = rest.length === 0 ? next : Buffer.concat([rest, next]);
      const whole = bytes.length - partialCharacterLength(bytes);
      // The caller owns the chunk's buffer and may reuse it, so the remaining bytes are copied.
      rest = Buffer.from(bytes.subarray(whole));
      yield decode(bytes.subarray(0, whole), position);
      throwIfAborted(signal);
      if (slicer.due) await slicer.pause();
    }
  }
  if (rest.length > 0) decode(rest, position);
}

function decode(bytes: Buffer, position: { line: number; column: number }): string {
  if (!isUtf8(bytes)) {
    const offset = invalidOffset(bytes);
    advance(bytes.subarray(0, offset), position);
    throw new WorldsError(
      'INVALID_RDF',
      `The document is not valid UTF-8: unexpected byte 0x${bytes[offset].toString(16).padStart(2, '0')}. Save it as UTF-8 and try again.`,
      { location: { line: position.line, column: position.column } },
    );
  }
  advance(bytes, position);
  return bytes.toString('utf8');
}

/** Advances a position, counted in bytes, to the end of `bytes`. */
function advance(bytes: Buffer, position: { line: number; column: number }): void {
  let lineStart = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, lineStart)) {
    position.line++;
    position.column = 1;
    lineStart = end + 1;
  }
  position.column += bytes.length - lineStart;
}

/**
 * Returns the number of trailing bytes, 0 to 3, that start a character which the next piece may
 * complete.
 */
function partialCharacterLength(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}

/**
 * Returns the offset of the first character that is not valid UTF-8 (RFC 3629): bisects for the
 * longest valid prefix.
 */
function invalidOffset(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >>> 1;
    const prefix = bytes.subarray(0, middle);
    if (isUtf8(prefix.subarray(0, middle - partialCharacterLength(prefix)))) valid = middle;
    else invalid = middle;
  }
  return valid - partialCharacterLength(bytes.subarray(0, valid));
}
