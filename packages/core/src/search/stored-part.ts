const HEAD_ALIGNMENT = 4;
const DECODER = new TextDecoder('utf-8', { fatal: true });
const NO_COLUMN = new Uint32Array(0);

/**
 * Encodes a part of a stored index: uint32 J, J bytes of JSON (padded with spaces to a multiple of
 * 4), then columns. Columns of uint32 must come first, those of bytes last. Columns are not copied.
 */
export function encodePart(head: object, columns: readonly (Uint32Array | Uint16Array | Uint8Array)[]): Uint8Array[] {
  const json = JSON.stringify(head);
  const bytes = new TextEncoder().encode(json + ' '.repeat(paddingOf(new TextEncoder().encode(json).length)));
  const size = new Uint8Array(Uint32Array.of(bytes.length).buffer);
  return [size, bytes, ...columns.map(bytesOf)].filter(({ length }) => length > 0);
}

function paddingOf(length: number): number {
  return (HEAD_ALIGNMENT - (length % HEAD_ALIGNMENT)) % HEAD_ALIGNMENT;
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array | Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Reads what {@link encodePart} wrote, in order. Throws a RangeError if the bytes end too early.
 */
export class PartReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  /** `bytes` must start at an offset divisible by 4; columns share its memory. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads the JSON, which comes first. Its shape is the caller's to check. */
  head<Head extends object>(): Partial<Head> {
    const [length] = this.column(1);
    const value: unknown = JSON.parse(DECODER.decode(this.take(length)));
    if (typeof value !== 'object' || value === null) throw new RangeError('A stored part has no head.');
    return value as Partial<Head>;
  }

  column(length: unknown): Uint32Array {
    const count = sizeOf(length);
    if (count === 0) return NO_COLUMN;
    const { buffer, byteOffset } = this.take(count * 4);
    return new Uint32Array(buffer, byteOffset, count);
  }

  shortColumn(length: unknown): Uint16Array {
    const count = sizeOf(length);
    const { buffer, byteOffset } = this.take(count * 2);
    return new Uint16Array(buffer, byteOffset, count);
  }

  byteColumn(length: unknown): Uint8Array {
    return this.take(sizeOf(length));
  }

  /** Throws a RangeError unless everything was read. */
  end(): void {
    if (this.at !== this.bytes.length) throw new RangeError('A stored part is longer than its contents.');
  }

  private take(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) throw new RangeError('A stored part ends too early.');
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }
}

/** Returns a size from stored JSON. Throws a RangeError for any other value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value;
  throw new RangeError(`A stored part has the size ${String(value)}.`);
}

/** Returns a list from stored JSON. Throws a RangeError for any other value. */
export function listOf<Item>(value: readonly Item[] | undefined): readonly Item[] {
  if (Array.isArray(value)) return value;
  throw new RangeError('A stored part lacks a list.');
}
