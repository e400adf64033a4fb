/** Returns the maximum number of UTF-8 bytes of a word of `units` UTF-16 units. */
export const maxUtf8Length = (units: number): number => units * 3;

/**
 * Writes a well-formed text as UTF-8 and returns the number of bytes. For words, where calling
 * TextEncoder costs more than the encoding.
 */
export function writeUtf8(text: string, bytes: Uint8Array): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at)!;
    if (codePoint < 0x80) bytes[length++] = codePoint;
    else if (codePoint < 0x800) {
      bytes[length++] = 0xc0 | (codePoint >>> 6);
      bytes[length++] = 0x80 | (codePoint & 0x3f);
    } else {
      if (codePoint < 0x10000) bytes[length++] = 0xe0 | (codePoint >>> 12);
      else {
        at++;
        bytes[length++] = 0xf0 | (codePoint >>> 18);
        bytes[length++] = 0x80 | ((codePoint >>> 12) & 0x3f);
      }
      bytes[length++] = 0x80 | ((codePoint >>> 6) & 0x3f);
      bytes[length++] = 0x80 | (codePoint & 0x3f);
    }
  }
  return length;
}

const decoder = new TextDecoder();

export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) {
    // Fast path: most words are short and ASCII.
    if (bytes[at] >= 0x80) return decoder.decode(bytes.subarray(start, end));
    text += String.fromCharCode(bytes[at]);
  }
  return text;
}

/** Returns the number of code points in a range of UTF-8. */
export function countCodePoints(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if ((bytes[at] & 0xc0) !== 0x80) count++;
  return count;
}
