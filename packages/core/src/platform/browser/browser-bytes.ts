import type { BytesEncoding } from '../platform.ts';

const ENCODER = new TextEncoder();
/** As Node decodes: keeps a byte order mark, replaces invalid bytes. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
/** Up to this many bytes, a loop over ASCII is faster than a call of the decoder. */
const SHORT_BYTES = 24;
/** Number of arguments that a call takes safely. */
const ARGUMENTS = 1 << 12;

/** Bytes with the methods of Node's Buffer that the core uses; see `PlatformBytes`. */
export class BrowserBytes extends Uint8Array {
  static alloc(length: number): BrowserBytes {
    return new BrowserBytes(length);
  }

  static allocUnsafe(length: number): BrowserBytes {
    return new BrowserBytes(length);
  }

  static allocUnsafeSlow(length: number): BrowserBytes {
    return new BrowserBytes(length);
  }

  static override from(
    source: string | ArrayBufferLike | ArrayLike<number> | Iterable<number>,
    encodingOrOffset?: unknown,
    length?: number,
  ): BrowserBytes {
    if (typeof source === 'string') return decoded(source, encodingOrOffset as BytesEncoding | undefined);
    if (isMemory(source))
      return new BrowserBytes(source as ArrayBuffer, encodingOrOffset as number | undefined, length);
    return new BrowserBytes(source as ArrayLike<number>);
  }

  static concat(chunks: readonly Uint8Array[]): BrowserBytes {
    const all = new BrowserBytes(chunks.reduce((total, { length }) => total + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  }

  static byteLength(text: string): number {
    let bytes = text.length;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) continue;
      bytes += unit < 0x800 ? 1 : 2;
      // A pair of surrogates is 4 bytes; one alone is replaced by a character of 3.
      if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    }
    return bytes;
  }

  override toString(encoding: BytesEncoding = 'utf8', start = 0, end = this.length): string {
    switch (encoding) {
      case 'utf8':
        return utf8(this, start, end);
      case 'latin1':
        return characters(this.subarray(start, end));
      case 'utf16le': {
        const units = new Uint16Array((end - start) >> 1);
        for (let i = 0; i < units.length; i++) units[i] = this[start + 2 * i] | (this[start + 2 * i + 1] << 8);
        return characters(units);
      }
      case 'hex': {
        let digits = '';
        for (let i = start; i < end; i++) digits += (this[i] < 0x10 ? '0' : '') + this[i].toString(16);
        return digits;
      }
      case 'base64':
        return btoa(characters(this.subarray(start, end)));
      case 'base64url':
        return btoa(characters(this.subarray(start, end)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replace(/=+$/, '');
    }
  }

  write(text: string, offset = 0): number {
    return ENCODER.encodeInto(text, offset === 0 ? this : this.subarray(offset)).written;
  }

  copy(target: Uint8Array, targetStart = 0, start = 0, end = this.length): number {
    const length = Math.min(end - start, target.length - targetStart);
    target.set(this.subarray(start, start + length), targetStart);
    return length;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, i) => byte === other[i]);
  }

  readUInt32LE(offset: number): number {
    return (this[offset] | (this[offset + 1] << 8) | (this[offset + 2] << 16) | (this[offset + 3] << 24)) >>> 0;
  }

  writeUInt32LE(value: number, offset: number): number {
    this[offset] = value;
    this[offset + 1] = value >>> 8;
    this[offset + 2] = value >>> 16;
    this[offset + 3] = value >>> 24;
    return offset + 4;
  }
}

function isMemory(value: object): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]';
}

function decoded(text: string, encoding: BytesEncoding = 'utf8'): BrowserBytes {
  switch (encoding) {
    case 'hex': {
      // As in Node, up to the first pair that is not a number.
      const [digits] = /^(?:[0-9a-f]{2})*/i.exec(text)!;
      return BrowserBytes.from(Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
    }
    case 'base64':
    case 'base64url':
      return fromBase64(text);
    default: {
      const { buffer, byteOffset, length } = ENCODER.encode(text);
      return new BrowserBytes(buffer, byteOffset, length);
    }
  }
}

/**
 * As lenient as Node: both alphabets, padding or none; characters of neither alphabet are skipped.
 */
function fromBase64(text: string): BrowserBytes {
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  // One digit alone is not a byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return BrowserBytes.from(Array.from(atob(whole), (character) => character.charCodeAt(0)));
}

function utf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT_BYTES) {
    let text = '';
    let i = start;
    for (; i < end && bytes[i] < 0x80; i++) text += String.fromCharCode(bytes[i]);
    if (i >= end) return text;
  }
  return DECODER.decode(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
}

function characters(units: Uint8Array | Uint16Array): string {
  if (units.length <= ARGUMENTS) return String.fromCharCode.apply(null, units as unknown as number[]);
  let text = '';
  for (let at = 0; at < units.length; at += ARGUMENTS)
    text += String.fromCharCode.apply(null, units.subarray(at, at + ARGUMENTS) as unknown as number[]);
  return text;
}
