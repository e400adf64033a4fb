import { setImmediate } from 'node:timers/promises';

/** So much text is decoded in one piece; a multiple of 4. */
const SLICE_LENGTH = 1 << 20;

/**
 * The bytes of a base64 text (RFC 4648 section 4); undefined when it is not one. Node's decoder
 * skips what it does not know and stops at padding, so that garbage shows in the length; it also
 * takes the alphabet for URLs, which is another encoding (section 5).
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === (text.length / 4) * 3 - padding ? bytes : undefined;
}

/** The same of a text in ASCII bytes, in pieces between which the event loop runs. */
export async function decodeBase64Bytes(
  { buffer, byteOffset, length }: Uint8Array,
  sliceLength = SLICE_LENGTH,
): Promise<Uint8Array | undefined> {
  if (length % 4 !== 0) return undefined;
  const text = Buffer.from(buffer, byteOffset, length);
  const decoded = Buffer.allocUnsafeSlow((length / 4) * 3);
  let end = 0;
  for (let at = 0; at < length; at += sliceLength) {
    if (at > 0) await setImmediate();
    const slice = decodeBase64(text.toString('latin1', at, Math.min(length, at + sliceLength)));
    // Padding inside has made a piece too short.
    if (!slice || end !== (at / 4) * 3) return undefined;
    decoded.set(slice, end);
    end += slice.length;
  }
  return decoded.subarray(0, end);
}
