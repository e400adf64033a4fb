import { ROUNDS } from './rounds.ts';

/** Characters decoded before yielding to the event loop; a multiple of 4. */
const SLICE_LENGTH = 1 << 20;

/**
 * Decodes base64 (RFC 4648 section 4); returns undefined if the text is malformed. Node's decoder
 * skips unknown characters and stops at padding, so malformed input shows in the length of the
 * result. It also accepts the URL-safe alphabet, a different encoding (section 5), which is
 * rejected here.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
}

/** Decodes base64 given as ASCII bytes, in slices that yield to the event loop. */
export async function decodeBase64Bytes(
  { buffer, byteOffset, length }: Uint8Array,
  sliceLength = SLICE_LENGTH,
): Promise<Uint8Array | undefined> {
  if (length % 4 !== 0) return undefined;
  const text = Buffer.from(buffer, byteOffset, length);
  const decoded = Buffer.allocUnsafeSlow((length / 4) * 3);
  let end = 0;
  for (let at = 0; at < length; at += sliceLength) {
    if (at > 0) await ROUNDS.pause();
    const slice = decodeBase64(text.toString('latin1', at, Math.min(length, at + sliceLength)));
    // Padding inside the text made an earlier slice too short.
    if (!slice || end !== (at / 4) * 3) return undefined;
    decoded.set(slice, end);
    end += slice.length;
  }
  return decoded.subarray(0, end);
}
