let table: Uint32Array | undefined;

/** By byte: the remainder of its division by the polynomial of RFC 1952 section 8. */
function remainders(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
    return remainder;
  });
}

/** Returns the CRC-32 of bytes, continued from that of the bytes before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  table ??= remainders();
  let checksum = ~before;
  for (let i = 0; i < bytes.length; i++) checksum = table[(checksum ^ bytes[i]) & 0xff] ^ (checksum >>> 8);
  return ~checksum >>> 0;
}
