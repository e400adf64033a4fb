/**
 * Writes a number below 2^32, low bits first, with the high bit of a byte as continuation flag;
 * returns the offset after it.
 */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  while (value >= 0x80) {
    bytes[at++] = (value & 0x7f) | 0x80;
    value >>>= 7;
  }
  bytes[at++] = value;
  return at;
}

/** Reads the number at an offset, of `varintLength` bytes. */
export function readVarint(bytes: Uint8Array, at: number): number {
  let byte = bytes[at++];
  let value = byte & 0x7f;
  for (let shift = 7; byte >= 0x80; shift += 7) {
    byte = bytes[at++];
    value |= (byte & 0x7f) << shift;
  }
  return value >>> 0;
}

export function varintLength(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
}
