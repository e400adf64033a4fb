const NEWLINE = 10;
const DECODER = new TextDecoder('utf-8', { fatal: true });
const NO_COLUMN = new Uint32Array(0);

/** Reads a body sequentially. Reading beyond its end throws a RangeError. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint32(): number {
    const value = this.view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  float64(): number {
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  /** Returns a copied column, so that the source can be reused. */
  column(length: number): Uint32Array {
    if (length === 0) return NO_COLUMN;
    return new Uint32Array(new Uint8Array(this.take(length * 4)).buffer);
  }

  /** Returns a column that shares the source's memory. The position must be aligned to 4 bytes. */
  sharedColumn(length: number): Uint32Array {
    if (length === 0) return NO_COLUMN;
    const bytes = this.take(length * 4);
    return new Uint32Array(bytes.buffer, bytes.byteOffset, length);
  }

  /**
   * Returns everything that is left as words that share the source's memory. The position must be
   * aligned to 4 bytes.
   */
  sharedWords(): Int32Array {
    const bytes = this.bytes.subarray(this.at);
    if (bytes.length % 4 !== 0) throw new RangeError('The body is not made of words.');
    return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }

  take(length: number): Uint8Array {
    if (!(length >= 0 && length <= this.bytes.length - this.at)) throw new RangeError('The body ends too early.');
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return bytes;
  }

  json<Value>(length: number): Value {
    return JSON.parse(DECODER.decode(this.take(length))) as Value;
  }

  /** Reads a JSON value that ends with a newline. */
  jsonLine<Value>(): Value {
    const end = this.bytes.indexOf(NEWLINE, this.at);
    const value = this.json<Value>(end - this.at);
    this.at++;
    return value;
  }

  /** Number of bytes that were not read. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Throws a RangeError unless everything was read. */
  end(): void {
    if (this.at !== this.bytes.length) throw new RangeError('The body is longer than what is in it.');
  }
}
